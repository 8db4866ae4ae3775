// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.nested;

import io.shapeshift.druid.segment.nested.NestedColumnDescription;
import io.shapeshift.druid.segment.nested.NestedColumnDescription.ObjectParts;
import io.shapeshift.druid.segment.nested.ShapeShiftNestedColumnPartSerde;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.VSizeColumnarInts;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.nested.CompressedNestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedCommonFormatColumnSerializer;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde;

/**
 * Parts of a nested column, Druid's or ours. Rows are not read.
 *
 * @param encoding    compression of Druid's ids, or {@code shapeshift}
 * @param objectBytes objects: Druid's SMILE, or structures and kept objects
 * @param sharedBytes dictionaries that all fields share, of Druid's column; 0 in a projection
 * @param listBytes   index of null rows, or posting lists of structures
 * @param fields      fields in the order of their names
 * @param ours        the column, if it is ours
 */
public record NestedPart(
    String encoding,
    long objectBytes,
    long sharedBytes,
    long listBytes,
    List<Field> fields,
    @Nullable NestedColumnDescription ours
) {
  /**
   * Field.
   *
   * @param name            normalized path
   * @param types           types of its values
   * @param rows            rows that have a value; of our column, without those whose objects are kept
   * @param values          number of distinct values, including null
   * @param dictionaryBytes distinct values; of Druid's column, their ids in the shared dictionaries
   * @param rowBytes        ids and numbers
   * @param indexBytes      bitmaps or posting lists
   * @param bytes           all bytes
   */
  public record Field(
      String name,
      String types,
      int rows,
      int values,
      long dictionaryBytes,
      long rowBytes,
      long indexBytes,
      long bytes
  ) {}

  /**
   * Reads the heads of a column of a segment.
   *
   * @return null if it is not nested, or of a format that Druid does not write any more
   * @throws io.shapeshift.druid.tool.cli.ToolException if the column is damaged
   */
  @Nullable
  public static NestedPart of(SegmentColumn column) {
    if (!NestedRewrite.isPossible(column)) {
      return null;
    }
    try {
      return read(column, column.serde(), column.body(), column.internalFiles(), column.segment().files());
    } catch (ToolException e) {
      throw e;
    } catch (RuntimeException e) {
      throw column.damaged("it cannot be read: " + Segment.message(e), e);
    }
  }

  /**
   * Reads the heads of a column of a segment, or of the same column in another encoding.
   *
   * @param column column of a segment
   * @param part   part of the column's descriptor
   * @param body   the column's own file, without its descriptor
   * @param files  further files, by the suffix of their names
   * @param mapper all files
   */
  static NestedPart read(
      SegmentColumn column,
      ColumnPartSerde part,
      ByteBuffer body,
      Map<String, ByteBuffer> files,
      SegmentFileMapper mapper
  ) {
    return part instanceof ShapeShiftNestedColumnPartSerde ours
           ? ours(NestedColumnDescription.read(
               column.file(), body, mapper, ours.getByteOrder(), ours.getColumnFormatSpec()))
           : stock(fields(column), ((NestedCommonFormatColumnPartSerde) part).getByteOrder(), files, mapper);
  }

  /** Fields without sizes. */
  private static List<Field> fields(SegmentColumn column) {
    @Nullable final SegmentColumn parent = column.parent();
    // Druid's column of a projection has all fields of the base table.
    final SegmentColumn owner = parent == null || !NestedRewrite.isPossible(parent) ? column : parent;
    try (BaseColumn opened = column.holder().getColumn(); BaseColumn ofOwner = owner.holder().getColumn()) {
      final NestedDataComplexColumn nested = (NestedDataComplexColumn) opened;
      final NestedDataComplexColumn all = (NestedDataComplexColumn) ofOwner;
      final int numRows = column.knownRows().orElse(0);
      return all.getNestedFields().stream()
          .map(path -> new Field(
              NestedPathFinder.toNormalizedJsonPath(path),
              all.getFieldTypes(path).stream().map(ColumnType::asTypeString).sorted().collect(Collectors.joining(", ")),
              Math.max(0, numRows - numNulls(nested.getColumnHolder(path), numRows)),
              0,
              0,
              0,
              0,
              0
          ))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int numNulls(@Nullable BaseColumnHolder field, int numRows) {
    if (field == null) {
      return numRows;
    }
    @Nullable final NullValueIndex nulls =
        field.getIndexSupplier() == null ? null : field.getIndexSupplier().as(NullValueIndex.class);
    return nulls == null ? 0 : nulls.get().computeBitmapResult(new DefaultBitmapResultFactory(null), false).size();
  }

  private static NestedPart ours(NestedColumnDescription column) {
    final ObjectParts objects = column.objects();
    return new NestedPart(
        RowEncodings.SHAPE_SHIFTING,
        objects.tableBytes() + objects.idBytes() + objects.keptBytes(),
        0,
        objects.listBytes(),
        column.fields().stream()
            .map(field -> new Field(
                field.name(),
                field.types(),
                field.rows(),
                field.values(),
                field.dictionaryBytes(),
                field.rowBytes(),
                field.indexBytes(),
                field.bytes()
            ))
            .toList(),
        column
    );
  }

  private static NestedPart stock(
      List<Field> fields,
      ByteOrder order,
      Map<String, ByteBuffer> files,
      SegmentFileMapper mapper
  ) {
    long objects = 0;
    long dictionaries = 0;
    long nulls = 0;
    for (Map.Entry<String, ByteBuffer> each : files.entrySet()) {
      final long size = each.getValue().remaining();
      // A dictionary of more than 2 GiB continues in further files.
      if (each.getKey().contains("Dictionary")) {
        dictionaries += size;
      } else if (each.getKey().startsWith(NestedCommonFormatColumnSerializer.RAW_FILE_NAME)) {
        objects += size;
      } else if (each.getKey().equals(ColumnSerializerUtils.NULL_BITMAP_FILE_NAME)) {
        nulls += size;
      }
    }
    final List<Field> stored = new ArrayList<>();
    String encoding = CompressionStrategy.UNCOMPRESSED.toString();
    for (int i = 0; i < fields.size(); i++) {
      final ByteBuffer bytes = files.get(NestedCommonFormatColumnSerializer.NESTED_FIELD_PREFIX + i);
      final StockField field = StockField.read(bytes, order, mapper);
      encoding = field.compression == null ? encoding : field.compression;
      stored.add(new Field(
          fields.get(i).name,
          fields.get(i).types,
          fields.get(i).rows,
          field.values,
          field.dictionaryBytes,
          field.rowBytes,
          field.indexBytes,
          bytes.remaining()
      ));
    }
    return new NestedPart(encoding, objects, dictionaries, nulls, stored, null);
  }

  /** Sizes of a field in Druid's column. */
  private record StockField(
      int values, long dictionaryBytes, long rowBytes, long indexBytes, @Nullable String compression) {
    /** Offset of the compression id in Druid's compressed ids. */
    private static final int COMPRESSION_OFFSET = 10;

    static StockField read(ByteBuffer bytes, ByteOrder order, SegmentFileMapper mapper) {
      final ByteBuffer in = bytes.slice();
      final var version = DictionaryEncodedColumnPartSerde.VERSION.fromByte(in.get());
      // Flags, of which there are none.
      in.getInt();
      final int start = in.position();
      final int values = FixedIndexed
          .read(in, CompressedNestedDataComplexColumn.INT_TYPE_STRATEGY, order, Integer.BYTES).get().size();
      final int rows = in.position();
      final ByteBuffer lengths = in.duplicate().order(order);
      in.position(rows + 2 * Integer.BYTES + lengths.getInt() + lengths.getInt());
      final boolean isCompressed = version == DictionaryEncodedColumnPartSerde.VERSION.COMPRESSED;
      @Nullable String compression = null;
      if (isCompressed) {
        compression = String.valueOf(CompressionStrategy.forId(in.get(in.position() + COMPRESSION_OFFSET)));
        CompressedVSizeColumnarIntsSupplier.fromByteBuffer(in, order, mapper);
      } else {
        VSizeColumnarInts.readFromByteBuffer(in);
      }
      return new StockField(values, rows - start, in.position() - rows, in.remaining(), compression);
    }
  }

  /** Whether the dictionary of a field has a text index. */
  public boolean hasTextIndex() {
    return ours != null && ours.dictionaries().stream().anyMatch(each -> each.textIndex() != null);
  }

  /** Bytes of objects, and of ids and numbers of fields. */
  public long valueBytes() {
    return objectBytes + fields.stream().mapToLong(Field::rowBytes).sum();
  }

  /** Bytes of distinct values. */
  public long dictionaryBytes() {
    return sharedBytes + fields.stream().mapToLong(Field::dictionaryBytes).sum();
  }

  /** Bytes of all indexes. */
  public long indexBytes() {
    return listBytes + fields.stream().mapToLong(Field::indexBytes).sum();
  }
}
