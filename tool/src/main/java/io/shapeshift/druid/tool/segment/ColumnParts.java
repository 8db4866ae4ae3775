// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.segment.serde.ShapeShiftNumberColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnHead;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.CompressedColumnarDoublesSuppliers;
import org.apache.druid.segment.data.CompressedColumnarFloatsSupplier;
import org.apache.druid.segment.data.CompressedColumnarLongsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde.Feature;
import org.roaringbitmap.IntIterator;

/**
 * Parts of a column.
 *
 * @param multiValue      whether rows may have several values
 * @param dictionary      dictionary of strings; null if the column has none that this tool knows
 * @param numbers         own dictionaries of longs and doubles of an {@code auto} column, by the suffix of their files
 *     after the dot
 * @param cardinality     number of distinct values, including null; null without a dictionary
 * @param dictionaryBytes size of the dictionaries; for numeric {@code auto} columns, including the ids
 * @param indexBytes      size of the indexes: bitmaps, spatial index, null bitmap and hash index
 * @param otherBytes      size of everything else, such as a complex or nested column
 * @param rows            row part; null if the column has none that this tool knows
 * @param body            parts of the column's own file if it has the row part; otherwise null
 * @param files           row parts in files of their own, by the suffix after the dot; only {@code auto} columns have
 *     them, and numeric ones have both ids and numbers
 * @param index           index of values; null if the column has none that this tool knows
 * @param indexFiles      indexes in files of their own, by suffix like {@code files}: of values, and of array elements
 * @param hashIndex       hash index of numbers; null if there is none
 */
public record ColumnParts(
    boolean multiValue,
    @Nullable DictionaryPart dictionary,
    Map<String, NumberDictionaryPart> numbers,
    @Nullable Integer cardinality,
    long dictionaryBytes,
    long indexBytes,
    long otherBytes,
    @Nullable RowPart rows,
    @Nullable Body body,
    Map<String, RowPart> files,
    @Nullable IndexPart index,
    Map<String, IndexPart> indexFiles,
    @Nullable HashIndexPart hashIndex
) {
  /** Offset of the compression id in all of Druid's compressed ids. */
  private static final int IDS_COMPRESSION_OFFSET = 10;
  private static final int VECTOR_SIZE = 512;

  /**
   * Parts of a column's own file in order, without its head: version and flags of strings, or the size of numbers.
   *
   * @param strings    head of a string column; null for numbers
   * @param dictionary string dictionary; empty for numbers, and in a projection that uses the base table's dictionary
   * @param rows       dictionary ids or numbers of the rows
   * @param indexes    for strings, the index of values and the spatial index; for numbers, the null bitmap if there is
   *     one
   */
  public record Body(@Nullable StringColumnHead strings, ByteBuffer dictionary, ByteBuffer rows, ByteBuffer indexes) {}

  /** Whether the column is a dictionary-encoded string column of a declared type. */
  public boolean isString() {
    return body != null && body.strings() != null;
  }

  /** Index of array elements; null if there is none. */
  @Nullable
  public IndexPart elements() {
    return indexFiles.get(ColumnSerializerUtils.ARRAY_ELEMENT_BITMAP_INDEX_FILE_NAME);
  }

  /** Ids of a numeric {@code auto} column; null if there are none. */
  @Nullable
  public RowPart idsOfNumbers() {
    return rows == null || rows.type() == EncodedType.INT
           ? null
           : files.get(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME);
  }

  /**
   * Encoding of a row part in a segment with an encoding. Ids of {@code auto} columns are always compressed, and
   * numbers with a hash index are encoded for look-ups.
   */
  public RowEncoding encodingOf(RowPart part, RowEncoding encoding) {
    return encodingOf(part, encoding, hashIndex != null);
  }

  /** As {@link #encodingOf(RowPart, RowEncoding)}, of a column that will have a hash index or none. */
  public RowEncoding encodingOf(RowPart part, RowEncoding encoding, boolean willHaveHashIndex) {
    if (willHaveHashIndex) {
      return encoding.forLookUps();
    }
    return part.type() == EncodedType.INT && !files.isEmpty() ? encoding.ofAutoIds() : encoding;
  }

  /**
   * Bytes that follow the numbers of a stock column: the null bitmap, if a row is null. In a shape-shifting column, a
   * null bitmap always precedes a hash index.
   *
   * @param numRows number of rows of the table
   */
  public ByteBuffer stockNulls(int numRows) {
    return hashIndex == null || !rows.nulls().apply(numRows).isEmpty() ? body.indexes : ByteBuffer.allocate(0);
  }

  /** Bytes between the numbers of a column and its hash index: the null bitmap, also if no row is null. */
  public ByteBuffer nullsBeforeHashIndex(SegmentColumn column) {
    if (body.indexes().hasRemaining()) {
      return body.indexes();
    }
    final BitmapSerdeFactory bitmaps = column.bitmaps();
    final byte[] none = bitmaps.getObjectStrategy().toBytes(bitmaps.getBitmapFactory().makeEmptyImmutableBitmap());
    return ByteBuffer.allocate(Integer.BYTES + none.length).putInt(none.length).put(none).flip();
  }

  static ColumnParts of(SegmentColumn column) {
    return switch (column.partType()) {
      case "stringDictionary", ShapeShiftStringColumnPartSerde.TYPE -> string(column);
      case "long", "float", "double" -> numbers(column, column.body(), ByteBuffer.allocate(0));
      case "longV2",
           "floatV2",
           "doubleV2",
           ShapeShiftNumberColumnPartSerde.Longs.TYPE,
           ShapeShiftNumberColumnPartSerde.Floats.TYPE,
           ShapeShiftNumberColumnPartSerde.Doubles.TYPE -> {
        final ByteBuffer body = column.body();
        final int end = Integer.BYTES + body.getInt();
        yield numbers(column, slice(body, Integer.BYTES, end), slice(body, end, body.limit()));
      }
      default -> column.isAuto()
                 ? auto(column)
                 : whole(column, column.descriptor().path("hasMultipleValues").asBoolean());
    };
  }

  private static ColumnParts whole(SegmentColumn column, boolean multiValue) {
    return new ColumnParts(
        multiValue, null, Map.of(), null, 0, 0, column.sizeInBytes(), null, null, Map.of(), null, Map.of(), null);
  }

  private static ByteBuffer slice(ByteBuffer buffer, int from, int to) {
    return buffer.duplicate().limit(to).position(from).slice();
  }


  private static ColumnParts string(SegmentColumn column) {
    final ByteBuffer body = column.body();
    final SegmentFileMapper files = column.segment().files();
    final StringColumnHead head = StringColumnHead.read(body);
    final boolean multiValue = head.isMultiValue();

    @Nullable final SegmentColumn parent = column.parent();
    final DictionaryPart dictionary =
        parent == null
        ? DictionaryPart.read(column, body, column.isShapeShifting(StringColumnPart.DICTIONARY))
        : parent.parts().dictionary().shared();
    final int cardinality = dictionary.size();
    final RowPart rows = column.isShapeShifting(StringColumnPart.IDS)
                         ? shapeShiftingIds(column, body, multiValue, cardinality)
                         : stockIds(body, column.order(), head, cardinality, files);
    final Body parts = new Body(
        head,
        dictionary.bytes(),
        rows.bytes(),
        slice(body, body.position(), body.limit())
    );
    @Nullable final IndexPart index = head.hasIndexes()
        ? IndexPart.read(column, body, cardinality, multiValue ? null : rows, dictionary.values())
        : null;
    return new ColumnParts(
        multiValue,
        body.hasRemaining() ? dictionary.besideSpatialIndex() : dictionary,
        Map.of(),
        cardinality,
        parts.dictionary.remaining(),
        parts.indexes.remaining(),
        0,
        rows,
        parts,
        Map.of(),
        index,
        Map.of(),
        null
    );
  }

  /** Reads the ids from the body, and advances its position past them. */
  private static RowPart shapeShiftingIds(SegmentColumn column, ByteBuffer body, boolean multiValue, int cardinality) {
    final int start = body.position();
    final ByteBuffer ids = body.duplicate().order(column.order());
    final Supplier<? extends Closeable> supplier =
        multiValue
        ? ShapeShiftingColumnarMultiIntsSupplier.read(column.displayName(), ids)
        : ShapeShiftingColumnarIntsSupplier.read(column.displayName(), ids);
    body.position(ids.position());
    return RowPart.ids(RowEncodings.SHAPE_SHIFTING, slice(body, start, body.position()), cardinality, supplier);
  }

  /** Reads the ids from the body, and advances its position past them. */
  private static RowPart stockIds(
      ByteBuffer body,
      ByteOrder order,
      StringColumnHead head,
      int cardinality,
      SegmentFileMapper files
  ) {
    final int start = body.position();
    final Supplier<? extends Closeable> supplier =
        head.isMultiValue() ? head.readMultiIds(body, order, files) : head.readIds(body, order, files);
    CompressionStrategy compression = CompressionStrategy.UNCOMPRESSED;
    if (head.isCompressed()) {
      // An earlier format of multi-value columns starts with an additional byte.
      final int versions = Feature.MULTI_VALUE.isSet(head.flags()) ? 1 : 0;
      compression = CompressionStrategy.forId(body.get(start + versions + IDS_COMPRESSION_OFFSET));
    }
    return RowPart.ids(String.valueOf(compression), slice(body, start, body.position()), cardinality, supplier);
  }


  /** Parts of a number column: the numbers, followed by a null bitmap and a hash index. */
  private static ColumnParts numbers(SegmentColumn column, ByteBuffer values, ByteBuffer behind) {
    @Nullable final HashIndexPart hashIndex = HashIndexPart.of(column, behind);
    final ByteBuffer nulls =
        hashIndex == null ? behind : slice(behind, 0, behind.limit() - hashIndex.bytes().remaining());
    final RowPart rows = numberRows(
        column,
        column.isShapeShifting(),
        values,
        numRows -> readNulls(column, nulls, numRows)
    );
    return new ColumnParts(
        false,
        null,
        Map.of(),
        null,
        0,
        behind.remaining(),
        0,
        rows,
        new Body(null, ByteBuffer.allocate(0), values, nulls),
        Map.of(),
        null,
        Map.of(),
        hashIndex
    );
  }

  /** Reads a null bitmap up to the number of rows. */
  private static BitSet readNulls(SegmentColumn column, ByteBuffer bytes, int numRows) {
    final BitSet nulls = new BitSet();
    if (!bytes.hasRemaining()) {
      return nulls;
    }
    final ImmutableBitmap bitmap =
        column.bitmaps().getObjectStrategy().fromByteBufferWithSize(bytes.duplicate().order(ByteOrder.BIG_ENDIAN));
    for (IntIterator rows = bitmap.iterator(); rows.hasNext(); ) {
      final int row = rows.next();
      if (row >= 0 && row < numRows) {
        nulls.set(row);
      }
    }
    return nulls;
  }

  private static RowPart numberRows(
      SegmentColumn column,
      boolean isShapeShifting,
      ByteBuffer values,
      IntFunction<BitSet> nulls
  ) {
    final EncodedType type = EncodedType.valueOf(column.type());
    return isShapeShifting
           ? RowPart.numbers(type, RowEncodings.SHAPE_SHIFTING, values, ourNumbers(column, type, values), nulls)
           : RowPart.numbers(type, RowPart.numberEncoding(values), values, stockNumbers(column, type, values), nulls);
  }

  private static Supplier<? extends Closeable> ourNumbers(SegmentColumn column, EncodedType type, ByteBuffer values) {
    final ByteBuffer in = values.duplicate().order(column.order());
    return switch (type) {
      case LONG -> ShapeShiftingColumnarLongsSupplier.read(column.displayName(), in);
      case FLOAT -> ShapeShiftingColumnarFloatsSupplier.read(column.displayName(), in);
      case DOUBLE -> ShapeShiftingColumnarDoublesSupplier.read(column.displayName(), in);
      default -> throw new IllegalArgumentException(type + " is no type of numbers");
    };
  }

  private static Supplier<? extends Closeable> stockNumbers(
      SegmentColumn column,
      EncodedType type,
      ByteBuffer values
  ) {
    final ByteBuffer in = values.duplicate();
    final SegmentFileMapper files = column.segment().files();
    return switch (type) {
      case LONG -> CompressedColumnarLongsSupplier.fromByteBuffer(in, column.order(), files);
      case FLOAT -> CompressedColumnarFloatsSupplier.fromByteBuffer(in, column.order(), files);
      case DOUBLE -> CompressedColumnarDoublesSuppliers.fromByteBuffer(in, column.order(), files);
      default -> throw new IllegalArgumentException(type + " is no type of numbers");
    };
  }


  private static ColumnParts auto(SegmentColumn column) {
    final Map<String, ByteBuffer> internal = column.internalFiles();
    final String rowsFile = switch (column.type()) {
      case "LONG" -> ColumnSerializerUtils.LONG_VALUE_COLUMN_FILE_NAME;
      case "DOUBLE" -> ColumnSerializerUtils.DOUBLE_VALUE_COLUMN_FILE_NAME;
      default -> ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME;
    };
    if (!internal.containsKey(rowsFile) || column.type().startsWith("COMPLEX")) {
      return whole(column, false);
    }
    final Map<String, RowPart> files = new LinkedHashMap<>();
    final RowPart ids = autoIds(column);
    files.put(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME, ids);
    if (!rowsFile.equals(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME)) {
      files.put(
          rowsFile,
          numberRows(
              column,
              column.isShapeShifting(rowsFile),
              internal.get(rowsFile),
              numRows -> rowsOfNull(ids, numRows)
          )
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
      if (file.getKey().contains("Dictionary")
          || file.getKey().equals(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME)) {
        dictionaryBytes += size;
      } else if (file.getKey().endsWith("Indexes")) {
        indexBytes += size;
      } else {
        otherBytes += size;
      }
    }
    @Nullable final DictionaryPart dictionary = autoDictionary(column);
    final boolean isString = isAutoString(column);
    @Nullable final Integer cardinality = isString && dictionary != null ? dictionary.size() : null;
    final Map<String, IndexPart> indexes = new LinkedHashMap<>();
    indexes.put(
        ColumnSerializerUtils.BITMAP_INDEX_FILE_NAME,
        IndexPart.readFile(
            column,
            ColumnSerializerUtils.BITMAP_INDEX_FILE_NAME,
            ids,
            cardinality == null ? null : dictionary.values()
        )
    );
    if (internal.containsKey(ColumnSerializerUtils.ARRAY_ELEMENT_BITMAP_INDEX_FILE_NAME)) {
      indexes.put(
          ColumnSerializerUtils.ARRAY_ELEMENT_BITMAP_INDEX_FILE_NAME,
          IndexPart.readFile(column, ColumnSerializerUtils.ARRAY_ELEMENT_BITMAP_INDEX_FILE_NAME, null, null)
      );
    }
    return new ColumnParts(
        false,
        dictionary,
        NumberDictionaryPart.of(column),
        cardinality,
        dictionaryBytes,
        indexBytes,
        otherBytes,
        files.get(rowsFile),
        null,
        files,
        indexes.get(ColumnSerializerUtils.BITMAP_INDEX_FILE_NAME),
        indexes,
        null
    );
  }

  private static RowPart autoIds(SegmentColumn column) {
    final ByteBuffer bytes = column.internalFile(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME);
    // There is one list per value of each of its dictionaries.
    final int cardinality =
        IndexPart.readFile(column, ColumnSerializerUtils.BITMAP_INDEX_FILE_NAME, null, null).size();
    return column.isShapeShifting(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME)
           ? RowPart.ids(
               RowEncodings.SHAPE_SHIFTING,
               bytes,
               cardinality,
               ShapeShiftingColumnarIntsSupplier.read(column.displayName(), bytes.duplicate().order(column.order()))
           )
           : RowPart.ids(
               String.valueOf(CompressionStrategy.forId(bytes.get(IDS_COMPRESSION_OFFSET))),
               bytes,
               cardinality,
               CompressedVSizeColumnarIntsSupplier.fromByteBuffer(
                   bytes.duplicate(),
                   column.order(),
                   column.segment().files()
               )
           );
  }

  /** Null rows of numeric {@code auto} columns: those with id 0. */
  private static BitSet rowsOfNull(RowPart ids, int numRows) {
    final BitSet nulls = new BitSet();
    try (ColumnarInts opened = (ColumnarInts) ids.column().get()) {
      final int[] vector = new int[VECTOR_SIZE];
      final int end = Math.min(numRows, opened.size());
      for (int start = 0; start < end; start += VECTOR_SIZE) {
        final int length = Math.min(VECTOR_SIZE, end - start);
        opened.get(vector, start, length);
        for (int i = 0; i < length; i++) {
          if (vector[i] == 0) {
            nulls.set(start + i);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return nulls;
  }

  /** Whether the ids are those of strings. Ids of other types number the entries of several dictionaries. */
  private static boolean isAutoString(SegmentColumn column) {
    return !column.part().path("isVariantType").asBoolean() && column.type().equals("STRING");
  }

  /** String dictionary of an {@code auto} column of strings, of several types or of arrays. */
  @Nullable
  private static DictionaryPart autoDictionary(SegmentColumn column) {
    final String file = ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME;
    if (column.internalFiles().containsKey(file)) {
      return DictionaryPart.read(column, column.internalFile(file), column.isShapeShifting(file));
    }
    @Nullable final SegmentColumn parent = column.parent();
    @Nullable final DictionaryPart shared = parent == null ? null : parent.parts().dictionary();
    return shared == null ? null : shared.shared();
  }
}
