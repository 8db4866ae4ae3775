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
 * The part of a column that grows with its rows: dictionary ids or numbers, the part that shape-shifts.
 *
 * @param type        what it stores
 * @param encoding    how it is stored: {@code lz4}, {@code zstd}, {@code uncompressed}, ..., or {@code shapeshift}
 * @param bytes       its bytes
 * @param cardinality values in the dictionary, or in all of them where the ids go through several; 0 for numbers
 * @param column      opens it: a {@link ColumnarInts}, {@link ColumnarMultiInts}, {@link ColumnarLongs},
 *                    {@link ColumnarFloats} or {@link ColumnarDoubles}
 * @param nulls       reads which rows are null, whose numbers have no meaning; none for ids
 */
public record RowPart(
    EncodedType type,
    String encoding,
    ByteBuffer bytes,
    int cardinality,
    Supplier<? extends Closeable> column,
    IntFunction<BitSet> nulls
) {
  /** First byte of numbers before compression had an id, all in LZF. */
  private static final int LZF_VERSION = 1;
  /** Where numbers keep the id of their compression since. */
  private static final int NUMBERS_COMPRESSION_OFFSET = 9;

  /** Dictionary ids. */
  static RowPart ids(String encoding, ByteBuffer bytes, int cardinality, Supplier<? extends Closeable> column) {
    return new RowPart(EncodedType.INT, encoding, bytes, cardinality, column, numRows -> new BitSet());
  }

  /** Numbers. */
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
   * How numbers in one of Druid's own encodings are stored. Where it was asked for its strategy {@code auto}, it may
   * have done without.
   *
   * @param values their bytes
   */
  public static String numberEncoding(ByteBuffer values) {
    if (values.get(0) == LZF_VERSION) {
      return CompressionStrategy.LZF.toString();
    }
    final byte id = values.get(NUMBERS_COMPRESSION_OFFSET);
    final String compression = String.valueOf(CompressionStrategy.forId(CompressionFactory.clearEncodingFlag(id)));
    return CompressionFactory.hasEncodingFlag(id) ? "auto+" + compression : compression;
  }

  /** By name of the form, what it holds; empty unless it is shape-shifting. */
  public Map<String, FormUsage> forms() {
    return FormUsage.of(column);
  }

  /**
   * Reads all of it, and checks what it reads.
   *
   * @param numRows rows of the table
   * @throws Damage if a row cannot be read, or has an id that the dictionary does not have, or if there are not as many
   */
  public RowValues read(int numRows) {
    return RowReader.read(this, OptionalInt.of(numRows));
  }
}
