// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.google.common.base.Supplier;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionStrategy;

/**
 * Part of a column with an entry per row: dictionary ids or numbers.
 *
 * @param type        kind of data
 * @param encoding    name of the encoding: {@code lz4}, {@code zstd}, {@code uncompressed}, ..., or {@code shapeshift}
 * @param bytes       encoded bytes
 * @param cardinality number of values in the dictionary, or in all dictionaries if ids number several; 0 for numbers
 * @param column      supplier that opens it as a {@link ColumnarInts}, {@link ColumnarMultiInts},
 *     {@link ColumnarLongs}, {@link ColumnarFloats} or {@link ColumnarDoubles}
 * @param nulls       reader of the null rows, whose numbers have no meaning; empty for ids
 */
public record RowPart(
    EncodedType type,
    String encoding,
    ByteBuffer bytes,
    int cardinality,
    Supplier<? extends Closeable> column,
    IntFunction<BitSet> nulls
) {
  /** First byte of numbers in the oldest format, which has no compression id and always uses LZF. */
  private static final int LZF_VERSION = 1;
  /** Offset of the compression id of numbers in later formats. */
  private static final int NUMBERS_COMPRESSION_OFFSET = 9;

  /** Creates a part of dictionary ids. */
  static RowPart ids(String encoding, ByteBuffer bytes, int cardinality, Supplier<? extends Closeable> column) {
    return new RowPart(EncodedType.INT, encoding, bytes, cardinality, column, numRows -> new BitSet());
  }

  /** Creates a part of numbers. */
  static RowPart numbers(
      EncodedType type,
      String encoding,
      ByteBuffer bytes,
      Supplier<? extends Closeable> column,
      IntFunction<BitSet> nulls
  ) {
    return new RowPart(type, encoding, bytes, 0, column, nulls);
  }

  /**
   * Name of the encoding of stock numbers. Under the {@code auto} strategy for longs, Druid may still have written
   * plain longs.
   *
   * @param values encoded bytes
   */
  public static String numberEncoding(ByteBuffer values) {
    if (values.get(0) == LZF_VERSION) {
      return CompressionStrategy.LZF.toString();
    }
    final byte id = values.get(NUMBERS_COMPRESSION_OFFSET);
    final String compression = String.valueOf(CompressionStrategy.forId(CompressionFactory.clearEncodingFlag(id)));
    return CompressionFactory.hasEncodingFlag(id) ? "auto+" + compression : compression;
  }

  /** Usage of each form by name; empty unless the part shape-shifts. */
  public Map<String, FormUsage> forms() {
    return FormUsage.of(column);
  }

  /**
   * Reads and checks the whole part.
   *
   * @param numRows number of rows of the table
   * @throws Damage if a row cannot be read or has an id outside of the dictionary, or if the number of rows is wrong
   */
  public RowValues read(int numRows) {
    return RowReader.read(this, OptionalInt.of(numRows));
  }
}
