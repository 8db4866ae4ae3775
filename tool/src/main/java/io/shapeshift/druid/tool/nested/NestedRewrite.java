// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.nested;

import com.google.common.base.Supplier;
import io.shapeshift.druid.segment.auto.ShapeShiftAutoColumnHandler;
import io.shapeshift.druid.segment.nested.ShapeShiftNestedColumnPartSerde;
import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.encoding.LazyMedium;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.ShapeShiftEncoding;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.io.smoosh.FileSmoosher;
import org.apache.druid.java.util.common.io.smoosh.SmooshedFileMapper;
import org.apache.druid.segment.AutoTypeColumnMerger;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.NestedCommonFormatColumnHandler;
import org.apache.druid.segment.QueryableIndexIndexableAdapter;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.SimpleQueryableIndex;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ListIndexed;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.nested.ObjectStorageEncoding;
import org.apache.druid.segment.projections.ConstantTimeColumn;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde.FormatSpec;
import org.apache.druid.segment.serde.Serializer;

/** Nested column that is written anew, as a merge of its segment alone writes it. */
public final class NestedRewrite implements Closeable {
  private final Closer closer = Closer.create();
  private final SegmentColumn column;
  private final RowEncoding encoding;
  private final IndexSpec indexSpec;
  private final LazyMedium medium;
  private final TemporaryDirectory directory;
  private ColumnDescriptor descriptor;

  private NestedRewrite(SegmentColumn column, RowEncoding encoding, boolean hasTextIndex) {
    this.column = column;
    this.encoding = encoding;
    this.indexSpec = indexSpec(column, encoding, hasTextIndex);
    this.medium = closer.register(new LazyMedium());
    this.directory = TemporaryDirectory.create("shapeshift-nested");
    closer.register(directory::close);
  }

  /** Whether a column is nested, and can be written anew. Those of Druid 24 and 25 cannot. */
  public static boolean isPossible(SegmentColumn column) {
    return column.isNested() || (column.isAuto() && column.type().equals(ColumnType.NESTED_DATA.asTypeString()));
  }

  /**
   * Writes a column, into temporary files.
   *
   * @param encoding encoding of the column
   * @param ofRows   encoding of other rows by type, which decides on the compression of Druid's column
   * @param hasTextIndex whether shape-shifting dictionaries of strings get a text index if that helps
   * @throws IOException if the system's temporary directory is full
   */
  public static NestedRewrite write(
      SegmentColumn column,
      RowEncoding encoding,
      Map<EncodedType, RowEncoding> ofRows,
      boolean hasTextIndex
  ) throws IOException {
    final NestedRewrite rewrite = new NestedRewrite(column, encoding, hasTextIndex);
    try {
      rewrite.merge(ofRows);
      return rewrite;
    } catch (IOException | RuntimeException e) {
      rewrite.close();
      throw e;
    }
  }

  /** Whether a column of Druid's is what an encoding of Druid's would make of it. */
  public static boolean isWrittenSo(SegmentColumn column, RowEncoding encoding, Map<EncodedType, RowEncoding> ofRows) {
    if (column.isNested() || encoding.isShapeShifting()) {
      return false;
    }
    @Nullable final NestedCommonFormatColumnFormatSpec stored = schema(column).getColumnFormatSpec();
    return stored != null
        && FormatSpec.forSerde(format(column, true, stored, ofRows)).equals(FormatSpec.forSerde(stored));
  }

  private static IndexSpec indexSpec(SegmentColumn column, RowEncoding encoding, boolean hasTextIndex) {
    @Nullable final BitmapSerdeFactory ofColumn = schema(column).getColumnFormatSpec() == null
        ? null : schema(column).getColumnFormatSpec().getBitmapEncoding();
    final IndexSpec stock = IndexSpec
        .builder()
        .withBitmapSerdeFactory(ofColumn == null ? column.bitmapsOfSegment() : ofColumn)
        .build();
    return encoding instanceof ShapeShiftEncoding ours
           ? ShapeShiftIndexSpec
               .of(
                   stock,
                   new EncodingStrategies(
                       null,
                       Map.of(EncodedType.NESTED, EncodingStrategy.shapeShift(ours.target(), ours.blockSize()))
                   ).withColumns(Map.of(column.name(), new ColumnOptions(
                       new TypeStrategies(null, Map.of()), null, hasTextIndex)))
               )
               .getEffectiveSpec()
           : stock.getEffectiveSpec();
  }

  /** Schema with the format that the column has. */
  private static AutoTypeColumnSchema schema(SegmentColumn column) {
    return (AutoTypeColumnSchema) column.holder().getColumnFormat().getColumnSchema(column.name());
  }

  private AutoTypeColumnMerger merger(SegmentColumn merged, Map<EncodedType, RowEncoding> ofRows) {
    final AutoTypeColumnSchema schema = schema(merged);
    final DimensionMergerV9 merger = ShapeShiftAutoColumnHandler
        .of(
            new NestedCommonFormatColumnHandler(
                merged.name(),
                schema.getCastToType(),
                format(merged, !encoding.isShapeShifting(), schema.getColumnFormatSpec(), ofRows)
            ),
            null
        )
        .makeMerger(
            merged.file(),
            indexSpec,
            medium,
            merged.holder().getCapabilities(),
            new BaseProgressIndicator(),
            directory.path().toFile(),
            closer
        );
    return (AutoTypeColumnMerger) merger;
  }

  /** Format of the column, with the compression of rows that are Druid's. */
  private static NestedCommonFormatColumnFormatSpec format(
      SegmentColumn column,
      boolean toStock,
      @Nullable NestedCommonFormatColumnFormatSpec stored,
      Map<EncodedType, RowEncoding> ofRows
  ) {
    final NestedCommonFormatColumnFormatSpec.Builder format =
        stored == null
        ? NestedCommonFormatColumnFormatSpec.builder()
        : NestedCommonFormatColumnFormatSpec.builder(stored);
    if (column.isNested() && toStock && ObjectStorageEncoding.NONE.equals(stored.getObjectStorageEncoding())) {
      // Ours has all objects. Druid's would make others of the fields.
      format.setObjectStorageEncoding(ObjectStorageEncoding.SMILE);
    }
    final RowEncoding ints = ofRows.get(EncodedType.INT);
    if (!ints.isShapeShifting()) {
      format.setDictionaryEncodedColumnCompression(ints.idCompression());
    }
    final RowEncoding longs = ofRows.get(EncodedType.LONG);
    if (!longs.isShapeShifting()) {
      format.setLongColumnEncoding(longs.longEncoding()).setLongColumnCompression(longs.numberCompression());
    }
    final RowEncoding doubles = ofRows.get(EncodedType.DOUBLE);
    if (!doubles.isShapeShifting()) {
      format.setDoubleColumnCompression(doubles.numberCompression());
    }
    return format.build();
  }

  private void merge(Map<EncodedType, RowEncoding> ofRows) throws IOException {
    final AutoTypeColumnMerger merger = merger(column, ofRows);
    final List<IndexableAdapter> rows = List.of(adapter(column));
    @Nullable final SegmentColumn parent = column.parent();
    if (parent == null || !isPossible(parent)) {
      merger.writeMergedValueDictionary(rows);
    } else {
      final AutoTypeColumnMerger ofParent = merger(parent, ofRows);
      ofParent.writeMergedValueDictionary(List.of(adapter(parent)));
      merger.attachParent(ofParent, rows);
    }
    try (BaseColumn objects = column.holder().getColumn()) {
      final SimpleAscendingOffset row = new SimpleAscendingOffset(column.numRows());
      final ColumnValueSelector<?> selector = objects.makeColumnValueSelector(row);
      for (; row.withinBounds(); row.increment()) {
        merger.processMergedRow(selector);
      }
    }
    merger.writeIndexes(null);
    descriptor = merger.makeColumnDescriptor();
  }

  /** Segment with this column alone. */
  private static IndexableAdapter adapter(SegmentColumn column) {
    final Supplier<BaseColumnHolder> time = ConstantTimeColumn.makeConstantTimeSupplier(
        column.numRows(), column.segment().interval().getStartMillis());
    return new QueryableIndexIndexableAdapter(new SimpleQueryableIndex(
        column.segment().interval(),
        new ListIndexed<>(List.of(column.name())),
        column.segment().bitmapFactory(),
        Map.of(ColumnHolder.TIME_COLUMN_NAME, time, column.name(), column::holder),
        null
    ) {
      @Nullable
      @Override
      public Metadata getMetadata() {
        return null;
      }
    });
  }

  /** Descriptor of the column. */
  public ColumnDescriptor descriptor() {
    return descriptor;
  }

  private Serializer serializer() {
    return descriptor.getParts().get(0).getSerializer();
  }

  /** Whether the column shape-shifts. */
  public boolean isShapeShifting() {
    return descriptor.getParts().get(0) instanceof ShapeShiftNestedColumnPartSerde;
  }

  /** Size of the column's own file in bytes, without the descriptor. */
  public long sizeInBytes() throws IOException {
    return serializer().getSerializedSize();
  }

  /** Writes the column's own file, and its further files. Can be called once. */
  public void writeTo(SegmentFileChannel channel, SegmentFileBuilder files) throws IOException {
    serializer().writeTo(channel, files);
  }

  /** Writes the column, and returns the sizes of its parts. Can be called once, instead of {@link #writeTo}. */
  public Sizes sizes() throws IOException {
    final File segment = Files.createDirectory(directory.path().resolve("segment")).toFile();
    try (FileSmoosher files = new FileSmoosher(segment);
         SegmentFileChannel channel = files.addWithChannel(column.file(), sizeInBytes())) {
      writeTo(channel, files);
    }
    try (SmooshedFileMapper files = SmooshedFileMapper.load(segment)) {
      final Map<String, ByteBuffer> further = new TreeMap<>();
      long bytes = 0;
      for (String name : files.getInternalFilenames()) {
        final ByteBuffer file = files.mapFile(name);
        bytes += file.remaining();
        if (!name.equals(column.file())) {
          further.put(name.substring(column.file().length() + 1), file);
        }
      }
      final NestedPart part = NestedPart.read(
          column, descriptor.getParts().get(0), files.mapFile(column.file()), further, files);
      return new Sizes(bytes, part);
    }
  }

  /**
   * Sizes of a column.
   *
   * @param bytes all bytes, without the descriptor
   * @param parts parts, which must not be read any more
   */
  public record Sizes(long bytes, NestedPart parts) {}

  @Override
  public void close() throws IOException {
    closer.close();
  }
}
