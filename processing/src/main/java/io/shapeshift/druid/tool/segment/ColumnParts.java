// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.segment.ShapeShiftStringColumnPartSerde;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.data.CompressedColumnarDoublesSuppliers;
import org.apache.druid.segment.data.CompressedColumnarFloatsSupplier;
import org.apache.druid.segment.data.CompressedColumnarLongsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarMultiIntsSupplier;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.data.V3CompressedVSizeColumnarMultiIntsSupplier;
import org.apache.druid.segment.data.VSizeColumnarInts;
import org.apache.druid.segment.data.VSizeColumnarMultiInts;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde;

/**
 * What a column consists of.
 *
 * @param multiValue      whether a row may hold several values
 * @param cardinality     distinct values, null among them; null where there is no dictionary
 * @param dictionaryBytes size of the dictionary; of numeric {@code auto} columns with the ids that point to it
 * @param indexBytes      size of what finds rows: bitmaps, spatial indexes, the bitmap of nulls
 * @param otherBytes      size of what is none of these, such as a whole complex or nested column
 * @param rows            the row part; null where there is none that this tool knows
 * @param string          more of a dictionary-encoded string column; null for all others
 */
public record ColumnParts(
    boolean multiValue,
    @Nullable Integer cardinality,
    long dictionaryBytes,
    long indexBytes,
    long otherBytes,
    @Nullable RowPart rows,
    @Nullable StringParts string
) {
  /** Where all of Druid's compressed ids keep the id of their compression, as do floats and doubles a byte earlier. */
  private static final int IDS_COMPRESSION_OFFSET = 10;
  private static final int NUMBERS_COMPRESSION_OFFSET = 9;
  /** First byte of numbers before compression had an id, all in LZF. */
  private static final int LZF_VERSION = 1;

  /**
   * The bytes of a dictionary-encoded string column, one part behind the other.
   *
   * @param version    how Druid stores the ids
   * @param flags      Druid's flags
   * @param order      byte order of the ids
   * @param dictionary the sorted values; empty in a projection whose base table has them
   * @param ids        the rows' dictionary ids
   * @param indexes    bitmaps and spatial index
   */
  public record StringParts(
      DictionaryEncodedColumnPartSerde.VERSION version,
      int flags,
      ByteOrder order,
      ByteBuffer dictionary,
      ByteBuffer ids,
      ByteBuffer indexes
  ) {}

  static ColumnParts of(SegmentColumn column) {
    return switch (column.partType()) {
      case "stringDictionary", ShapeShiftStringColumnPartSerde.TYPE -> string(column);
      case "long", "float", "double" -> numbers(column, column.body(), 0);
      case "longV2", "floatV2", "doubleV2" -> {
        final ByteBuffer body = column.body();
        final int size = body.getInt();
        final ByteBuffer values = slice(body, body.position(), body.position() + size);
        yield numbers(column, values, body.remaining() - size);
      }
      case "nestedCommonFormat" -> auto(column);
      default -> new ColumnParts(
          column.descriptor().path("hasMultipleValues").asBoolean(), null, 0, 0, column.sizeInBytes(), null, null);
    };
  }

  /** Byte order of the numbers in a column. */
  public static ByteOrder order(SegmentColumn column) {
    final JsonNode order = column.descriptor().path("parts").path(0).path("byteOrder");
    return order.asText().equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static ByteBuffer slice(ByteBuffer buffer, int from, int to) {
    return buffer.duplicate().limit(to).position(from).slice();
  }

  // ---- strings

  private static ColumnParts string(SegmentColumn column) {
    final ByteBuffer body = column.body();
    final ByteOrder order = order(column);
    final SegmentFileMapper files = column.segment().files();
    final DictionaryEncodedColumnPartSerde.VERSION version =
        DictionaryEncodedColumnPartSerde.VERSION.fromByte(body.get(body.position()));
    final int flags = ShapeShiftStringColumnPartSerde.readFlags(body);
    final boolean multiValue = ShapeShiftStringColumnPartSerde.isMultiValue(flags);

    final int dictionaryStart = body.position();
    @Nullable final SegmentColumn parent = column.parent();
    final int cardinality;
    if (parent == null) {
      final Supplier<? extends Indexed<ByteBuffer>> dictionary =
          StringEncodingStrategies.getStringDictionarySupplier(files, body, order);
      cardinality = dictionary.get().size();
    } else {
      cardinality = parent.parts().cardinality();
    }
    final int idsStart = body.position();
    final RowPart rows = column.isShapeShifting()
                         ? shapeShiftingIds(column, body, order, multiValue, cardinality)
                         : stockIds(body, order, version, flags, cardinality, files);
    final StringParts parts = new StringParts(
        version,
        flags,
        order,
        slice(body, dictionaryStart, idsStart),
        rows.bytes(),
        slice(body, body.position(), body.limit())
    );
    return new ColumnParts(
        multiValue,
        cardinality,
        parts.dictionary.remaining(),
        parts.indexes.remaining(),
        0,
        rows,
        parts
    );
  }

  /** Takes the ids from the body, whose position moves behind them. */
  private static RowPart shapeShiftingIds(
      SegmentColumn column,
      ByteBuffer body,
      ByteOrder order,
      boolean multiValue,
      int cardinality
  ) {
    final int start = body.position();
    final ByteBuffer ids = body.duplicate().order(order);
    final Supplier<? extends Closeable> supplier =
        multiValue
        ? ShapeShiftingColumnarMultiIntsSupplier.read(column.displayName(), ids)
        : ShapeShiftingColumnarIntsSupplier.read(column.displayName(), ids);
    body.position(ids.position());
    return new RowPart("shapeshift", slice(body, start, body.position()), cardinality, supplier);
  }

  /** Takes the ids from the body, whose position moves behind them. */
  private static RowPart stockIds(
      ByteBuffer body,
      ByteOrder order,
      DictionaryEncodedColumnPartSerde.VERSION version,
      int flags,
      int cardinality,
      SegmentFileMapper files
  ) {
    final boolean multiValue = ShapeShiftStringColumnPartSerde.isMultiValue(flags);
    final int start = body.position();
    final Supplier<? extends Closeable> supplier;
    CompressionStrategy compression = CompressionStrategy.UNCOMPRESSED;
    if (version != DictionaryEncodedColumnPartSerde.VERSION.COMPRESSED) {
      supplier = multiValue
                 ? VSizeColumnarMultiInts.readFromByteBuffer(body)
                 : VSizeColumnarInts.readFromByteBuffer(body);
    } else if (DictionaryEncodedColumnPartSerde.Feature.MULTI_VALUE.isSet(flags)) {
      compression = CompressionStrategy.forId(body.get(start + 1 + IDS_COMPRESSION_OFFSET));
      supplier = CompressedVSizeColumnarMultiIntsSupplier.fromByteBuffer(body, order, files);
    } else {
      compression = CompressionStrategy.forId(body.get(start + IDS_COMPRESSION_OFFSET));
      supplier = multiValue
                 ? V3CompressedVSizeColumnarMultiIntsSupplier.fromByteBuffer(body, order, files)
                 : CompressedVSizeColumnarIntsSupplier.fromByteBuffer(body, order, files);
    }
    return new RowPart(
        String.valueOf(compression),
        slice(body, start, body.position()),
        cardinality,
        supplier
    );
  }

  // ---- numbers

  private static ColumnParts numbers(SegmentColumn column, ByteBuffer values, long nullBytes) {
    final RowPart rows = numberRows(column.type(), values, order(column), column.segment().files());
    return new ColumnParts(false, null, 0, nullBytes, 0, rows, null);
  }

  private static RowPart numberRows(String type, ByteBuffer values, ByteOrder order, SegmentFileMapper files) {
    final ByteBuffer in = values.duplicate();
    final Supplier<? extends Closeable> supplier = switch (type) {
      case "LONG" -> CompressedColumnarLongsSupplier.fromByteBuffer(in, order, files);
      case "FLOAT" -> CompressedColumnarFloatsSupplier.fromByteBuffer(in, order, files);
      case "DOUBLE" -> CompressedColumnarDoublesSuppliers.fromByteBuffer(in, order, files);
      default -> throw new IllegalArgumentException("numbers of type " + type);
    };
    return new RowPart(numberEncoding(values), values, 0, supplier);
  }

  private static String numberEncoding(ByteBuffer values) {
    if (values.get(0) == LZF_VERSION) {
      return CompressionStrategy.LZF.toString();
    }
    final byte id = values.get(NUMBERS_COMPRESSION_OFFSET);
    final String compression = String.valueOf(CompressionStrategy.forId(CompressionFactory.clearEncodingFlag(id)));
    return CompressionFactory.hasEncodingFlag(id) ? "auto+" + compression : compression;
  }

  // ---- columns of type auto, whose parts are files of their own

  private static ColumnParts auto(SegmentColumn column) {
    final Map<String, ByteBuffer> internal = column.internalFiles();
    final ByteOrder order = order(column);
    final SegmentFileMapper files = column.segment().files();
    final String type = column.type();
    final String rowsFile = switch (type) {
      case "LONG" -> ColumnSerializerUtils.LONG_VALUE_COLUMN_FILE_NAME;
      case "DOUBLE" -> ColumnSerializerUtils.DOUBLE_VALUE_COLUMN_FILE_NAME;
      default -> ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME;
    };
    @Nullable final ByteBuffer rowBytes = internal.get(rowsFile);
    if (rowBytes == null || type.startsWith("COMPLEX")) {
      return new ColumnParts(false, null, 0, 0, column.sizeInBytes(), null, null);
    }
    @Nullable final Integer cardinality = autoCardinality(column, order, files);
    final RowPart rows;
    if (!rowsFile.equals(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME)) {
      rows = numberRows(type, rowBytes, order, files);
    } else {
      rows = new RowPart(
          String.valueOf(CompressionStrategy.forId(rowBytes.get(IDS_COMPRESSION_OFFSET))),
          rowBytes,
          cardinality == null ? RowPart.UNKNOWN_CARDINALITY : cardinality,
          CompressedVSizeColumnarIntsSupplier.fromByteBuffer(rowBytes.duplicate(), order, files)
      );
    }
    long dictionaryBytes = 0;
    long indexBytes = 0;
    long otherBytes = column.body().remaining();
    for (var file : internal.entrySet()) {
      final int size = file.getValue().remaining();
      if (file.getKey().equals(rowsFile)) {
        continue;
      }
      if (file.getKey().endsWith("Dictionary")
          || file.getKey().equals(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME)) {
        dictionaryBytes += size;
      } else if (file.getKey().endsWith("Indexes")) {
        indexBytes += size;
      } else {
        otherBytes += size;
      }
    }
    return new ColumnParts(false, cardinality, dictionaryBytes, indexBytes, otherBytes, rows, null);
  }

  @Nullable
  private static Integer autoCardinality(SegmentColumn column, ByteOrder order, SegmentFileMapper files) {
    final boolean isVariant = column.descriptor().path("parts").path(0).path("isVariantType").asBoolean();
    if (isVariant || !column.type().equals("STRING")) {
      // Their ids go through several dictionaries, one for each type.
      return null;
    }
    @Nullable final ByteBuffer dictionary =
        column.internalFiles().get(ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME);
    if (dictionary == null) {
      @Nullable final SegmentColumn parent = column.parent();
      return parent == null ? null : parent.parts().cardinality();
    }
    return StringEncodingStrategies.getStringDictionarySupplier(files, dictionary.duplicate(), order).get().size();
  }
}
