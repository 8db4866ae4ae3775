// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.google.common.base.Supplier;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.IndexedInts;

/**
 * The part of a column that grows with its rows: dictionary ids or numbers, the part that shape-shifts.
 *
 * @param type        what it stores
 * @param encoding    how it is stored: {@code lz4}, {@code zstd}, {@code uncompressed}, ..., or {@code shapeshift}
 * @param bytes       its bytes
 * @param cardinality values in the dictionary, or in all of them where the ids go through several; 0 for numbers
 * @param column      opens it: a {@link ColumnarInts}, {@link ColumnarMultiInts}, {@link ColumnarLongs},
 *                    {@link ColumnarFloats} or {@link ColumnarDoubles}
 * @param nulls       reads which of so many rows are null, whose numbers mean nothing; none of ids
 */
public record RowPart(
    EncodedType type,
    String encoding,
    ByteBuffer bytes,
    int cardinality,
    Supplier<? extends Closeable> column,
    IntFunction<BitSet> nulls
) {
  private static final int VECTOR_SIZE = 512;
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
   * Reads all of it.
   *
   * @param numRows rows of the table
   * @throws IllegalStateException if there are not as many here, or an id is none of the dictionary's
   */
  public RowValues read(int numRows) {
    try (Closeable opened = column.get()) {
      final int size = size(opened);
      if (size != numRows) {
        throw new IllegalStateException("it has " + size + " rows, and its table " + numRows);
      }
      if (opened instanceof ColumnarInts ints) {
        final int[] values = new int[ints.size()];
        for (int start = 0; start < values.length; start += VECTOR_SIZE) {
          ints.get(values, start, start, Math.min(VECTOR_SIZE, values.length - start));
        }
        return new RowValues.Ids(values, checkedCardinality(values));
      }
      if (opened instanceof ColumnarMultiInts multi) {
        return readMulti(multi);
      }
      if (opened instanceof ColumnarLongs longs) {
        final long[] values = new long[longs.size()];
        longs.get(values, 0, values.length);
        return new RowValues.Longs(values, nulls.apply(values.length));
      }
      if (opened instanceof ColumnarFloats floats) {
        final float[] values = new float[floats.size()];
        floats.get(values, 0, values.length);
        return new RowValues.Floats(values, nulls.apply(values.length));
      }
      final ColumnarDoubles doubles = (ColumnarDoubles) opened;
      final double[] values = new double[doubles.size()];
      doubles.get(values, 0, values.length);
      return new RowValues.Doubles(values, nulls.apply(values.length));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int size(Closeable opened) {
    if (opened instanceof ColumnarInts ints) {
      return ints.size();
    }
    if (opened instanceof ColumnarMultiInts multi) {
      return multi.size();
    }
    if (opened instanceof ColumnarLongs longs) {
      return longs.size();
    }
    return opened instanceof ColumnarFloats floats ? floats.size() : ((ColumnarDoubles) opened).size();
  }

  /** What is beyond the dictionary could not be stored again. */
  private int checkedCardinality(int[] ids) {
    int min = 0;
    int max = 0;
    for (int id : ids) {
      min = Math.min(min, id);
      max = Math.max(max, id);
    }
    if (min < 0 || max >= Math.max(1, cardinality)) {
      throw new IllegalStateException("id " + (min < 0 ? min : max) + " is not in its dictionary of " + cardinality);
    }
    return cardinality;
  }

  private RowValues readMulti(ColumnarMultiInts multi) {
    final int[] offsets = new int[multi.size() + 1];
    for (int row = 0; row < multi.size(); row++) {
      offsets[row + 1] = offsets[row] + multi.get(row).size();
    }
    final int[] ids = new int[offsets[multi.size()]];
    for (int row = 0; row < multi.size(); row++) {
      final IndexedInts values = multi.get(row);
      for (int i = 0; i < values.size(); i++) {
        ids[offsets[row] + i] = values.get(i);
      }
    }
    return new RowValues.MultiIds(offsets, ids, checkedCardinality(ids));
  }
}
