// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.google.common.base.Supplier;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.IndexedInts;

/**
 * The part of a column that grows with its rows: dictionary ids or numbers, the part that shape-shifts.
 *
 * @param encoding    how it is stored: {@code lz4}, {@code zstd}, {@code uncompressed}, ..., or {@code shapeshift}
 * @param bytes       its bytes
 * @param cardinality values in the dictionary; {@link #UNKNOWN_CARDINALITY} where it is not one dictionary that the
 *                    ids go through; 0 for numbers
 * @param column      opens it: a {@link ColumnarInts}, {@link ColumnarMultiInts}, {@link ColumnarLongs},
 *                    {@link ColumnarFloats} or {@link ColumnarDoubles}
 */
public record RowPart(
    String encoding,
    ByteBuffer bytes,
    int cardinality,
    Supplier<? extends Closeable> column
) {
  /** Reading all ids tells. */
  static final int UNKNOWN_CARDINALITY = -1;

  private static final int VECTOR_SIZE = 512;

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
        return new RowValues.Longs(values);
      }
      if (opened instanceof ColumnarFloats floats) {
        final float[] values = new float[floats.size()];
        floats.get(values, 0, values.length);
        return new RowValues.Floats(values);
      }
      final ColumnarDoubles doubles = (ColumnarDoubles) opened;
      final double[] values = new double[doubles.size()];
      doubles.get(values, 0, values.length);
      return new RowValues.Doubles(values);
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
    if (cardinality == UNKNOWN_CARDINALITY) {
      return max + 1;
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
