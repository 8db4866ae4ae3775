// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import io.shapeshift.druid.segment.nested.NestedColumnSerializer;
import io.shapeshift.druid.segment.nested.NestedColumnValues;
import io.shapeshift.druid.segment.nested.ShapeShiftNestedColumnPartSerde;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.AutoTypeColumnMerger;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.IndexableAdapter.NestedColumnMergable;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.apache.druid.segment.nested.SortedValueDictionary;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Merger for nested and {@code auto} dimensions that shape-shift. The values of the inputs tell whether they are
 * nested.
 *
 * <p>If they are, their dictionaries are merged here, and rows go to a {@link NestedColumnSerializer}. Otherwise
 * Druid's merger merges the dictionaries, rows go to its serializer, which is private, and
 * {@link AutoColumnFileBuilder} re-encodes its files when they are written into the segment.
 */
public final class ShapeShiftAutoColumnMerger extends AutoTypeColumnMerger {
  private final AskedEncodings asked;
  private final String name;
  private final String outputName;
  @Nullable
  private final ColumnType cast;
  private final NestedCommonFormatColumnFormatSpec format;
  private final SegmentWriteOutMedium medium;
  private final File segmentBaseDir;
  private final Closer closer;
  /** Writer of nested values that shape-shift; null for other values. */
  @Nullable
  private NestedColumnSerializer nested;
  /** Paths and types of the fields of nested values that shape-shift. */
  @Nullable
  private SortedMap<String, FieldTypeInfo.MutableTypeSet> fields;

  /**
   * Creates a merger.
   *
   * @param asked encodings, at least one of which shape-shifts
   */
  ShapeShiftAutoColumnMerger(
      AskedEncodings asked,
      AutoTypeColumnSchema schema,
      String outputName,
      NestedCommonFormatColumnFormatSpec columnFormatSpec,
      SegmentWriteOutMedium medium,
      File segmentBaseDir,
      Closer closer
  ) {
    super(
        schema.getName(),
        outputName,
        schema.getCastToType(),
        columnFormatSpec,
        medium,
        segmentBaseDir,
        closer
    );
    this.asked = asked;
    this.name = schema.getName();
    this.outputName = outputName;
    this.cast = schema.getCastToType();
    this.format = columnFormatSpec;
    this.medium = medium;
    this.segmentBaseDir = segmentBaseDir;
    this.closer = closer;
  }

  @Override
  public void writeMergedValueDictionary(List<IndexableAdapter> adapters) throws IOException {
    if (!openNested(adapters)) {
      super.writeMergedValueDictionary(adapters);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A nested column of a projection has dictionaries of its own, but the fields of the table's column, as Druid's
   * has: Druid stores no types in an {@code auto} column of a projection whose values differ in type.
   */
  @Override
  public void attachParent(DimensionMergerV9 parent, List<IndexableAdapter> projectionAdapters) throws IOException {
    if (parent instanceof ShapeShiftAutoColumnMerger ours && ours.nested != null) {
      try (Closer inputs = Closer.create()) {
        openNested(ours.fields, columns(projectionAdapters, inputs));
      }
    } else {
      super.attachParent(parent, projectionAdapters);
    }
  }

  /** Opens a nested column, unless the values are not nested or do not shape-shift. */
  private boolean openNested(List<IndexableAdapter> adapters) throws IOException {
    if (!asked.ofNested().isShapeShift() || (cast != null && (cast.isPrimitive() || cast.isPrimitiveArray()))) {
      return false;
    }
    try (Closer inputs = Closer.create()) {
      final List<NestedColumnMergable> columns = columns(adapters, inputs);
      final SortedMap<String, FieldTypeInfo.MutableTypeSet> found = new TreeMap<>();
      columns.stream().filter(ShapeShiftAutoColumnMerger::hasValues).forEach(column -> addFields(column, found));
      // As Druid's merger decides: values that are not nested have the root as their only field.
      if (columns.stream().noneMatch(NestedColumnMergable::isForceNestedType)
          && (found.isEmpty() || found.keySet().equals(Set.of(NestedPathFinder.JSON_PATH_ROOT)))) {
        return false;
      }
      openNested(found, columns);
      return true;
    }
  }

  private void openNested(SortedMap<String, FieldTypeInfo.MutableTypeSet> fields, List<NestedColumnMergable> columns)
      throws IOException {
    final List<SortedValueDictionary> values = columns.stream()
                                                      .filter(ShapeShiftAutoColumnMerger::hasValues)
                                                      .map(NestedColumnMergable::getValueDictionary)
                                                      .toList();
    this.fields = fields;
    nested = new NestedColumnSerializer(
        outputName,
        fields,
        closer.register(new NestedColumnValues(outputName, values, medium, segmentBaseDir)),
        asked.ofNested(),
        format,
        medium
    ).withTextIndex(asked.hasTextIndex());
  }

  /** Returns the column of each input that has it. */
  private List<NestedColumnMergable> columns(List<IndexableAdapter> adapters, Closer inputs) {
    final List<NestedColumnMergable> columns = new ArrayList<>();
    for (IndexableAdapter adapter : adapters) {
      final NestedColumnMergable column = inputs.register(adapter.getNestedColumnMergeables(name));
      if (column != null) {
        columns.add(column);
      }
    }
    return columns;
  }

  private static boolean hasValues(NestedColumnMergable column) {
    return column.getValueDictionary() != null && !column.getValueDictionary().allNull();
  }

  private static void addFields(
      NestedColumnMergable column, SortedMap<String, FieldTypeInfo.MutableTypeSet> fields) {
    final SortedMap<String, FieldTypeInfo.MutableTypeSet> own = new TreeMap<>();
    column.mergeFieldsInto(own);
    own.forEach((path, types) -> {
      // Version 3 of Druid's nested columns has paths of jq, such as ."a"."b".
      final String normalized =
          path.startsWith(NestedPathFinder.JSON_PATH_ROOT)
          ? path
          : NestedPathFinder.toNormalizedJsonPath(NestedPathFinder.parseJqPath(path));
      fields.merge(normalized, types, (known, more) -> known.merge(more.getByteValue(), more.hasUntypedArray()));
    });
  }

  private static NestedCommonFormatColumnPartSerde stockPart(ColumnDescriptor stock) {
    return (NestedCommonFormatColumnPartSerde) stock.getParts().get(0);
  }

  @Override
  @SuppressWarnings("rawtypes") // same as Druid's signature
  public void processMergedRow(ColumnValueSelector selector) throws IOException {
    if (nested == null) {
      super.processMergedRow(selector);
    } else {
      nested.add(StructuredData.wrap(selector.getObject()));
    }
  }

  @Override
  public ColumnDescriptor makeColumnDescriptor() {
    if (nested != null) {
      return nestedDescriptor();
    }
    final ColumnDescriptor stock = super.makeColumnDescriptor();
    final NestedCommonFormatColumnPartSerde stockPart = stockPart(stock);
    final Map<AutoColumnFile, EncodingStrategy> ours = new EnumMap<>(asked.files());
    ours.keySet().retainAll(ShapeShiftAutoColumnPartSerde.filesOf(stockPart, asked.files().keySet()));
    if (ours.isEmpty()) {
      return stock;
    }
    final Serializer files = new Files(ours, stockPart);
    return ColumnDescriptor
        .builder()
        .setValueType(stock.getValueType())
        .setHasMultipleValues(stock.isHasMultipleValues())
        .addSerde(new ShapeShiftAutoColumnPartSerde(ours.keySet(), stockPart, files))
        .build();
  }

  private ColumnDescriptor nestedDescriptor() {
    try {
      nested.complete();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ColumnDescriptor
        .builder()
        .setValueType(ValueType.COMPLEX)
        .addSerde(
            new ShapeShiftNestedColumnPartSerde(
                outputName, nested.hasNulls(), cast != null, IndexIO.BYTE_ORDER, format, nested))
        .build();
  }

  /** Writes Druid's files through an {@link AutoColumnFileBuilder}. */
  private final class Files implements Serializer {
    private final Map<AutoColumnFile, EncodingStrategy> ours;
    private final NestedCommonFormatColumnPartSerde stock;

    private Files(Map<AutoColumnFile, EncodingStrategy> ours, NestedCommonFormatColumnPartSerde stock) {
      this.ours = ours;
      this.stock = stock;
    }

    @Override
    public long getSerializedSize() throws IOException {
      return stock.getSerializer().getSerializedSize();
    }

    @Override
    public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
      stock.getSerializer().writeTo(
          channel,
          new AutoColumnFileBuilder(
              fileBuilder,
              outputName,
              new AskedEncodings(ours, asked.ofNested(), asked.hasTextIndex()),
              ShapeShiftAutoColumnPartSerde.bitmapsOf(stock).getObjectStrategy(),
              medium,
              segmentBaseDir
          )
      );
    }
  }
}
