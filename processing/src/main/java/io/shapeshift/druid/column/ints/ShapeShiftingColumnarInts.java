// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.ints;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.rows.RowSet;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.data.ColumnarInts;

/** A shape-shifting column of ints, as Druid reads it. */
public final class ShapeShiftingColumnarInts extends ShapeShiftingColumn<IntChunkReader> implements ColumnarInts {
  /** Made when first needed. */
  @Nullable
  private int[] window;

  ShapeShiftingColumnarInts(ColumnData<IntChunkReader> data) {
    super(data, new IntChunkReader());
  }

  @Override
  public int get(int index) {
    // Unsigned, so that an index before the window is as far out as one behind it.
    final int inWindow = index - windowStart;
    return Integer.compareUnsigned(inWindow, windowLength) < 0 ? window[inWindow] : getAlone(index);
  }

  /** Reads one value, and decodes its whole vector if those read before were near. */
  private int getAlone(int index) {
    final boolean vectorWanted = isVectorWanted(index);
    try {
      return vectorWanted ? getInVector(index) : reader.get(index - chunkStart);
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  private int getInVector(int index) {
    if (window == null) {
      window = new int[WINDOW];
    }
    final int start = vectorStart(index);
    final int length = vectorLength(start);
    reader.get(window, 0, start - chunkStart, length);
    startWindow(start, length);
    return window[index - start];
  }

  @Override
  public void get(int[] out, int start, int length) {
    get(out, 0, start, length);
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    int done = 0;
    while (done < length) {
      loadChunkOf(start + done);
      final int inChunk = start + done - chunkStart;
      final int count = Math.min(length - done, chunkLength - inChunk);
      try {
        reader.get(out, offset + done, inChunk, count);
      } catch (RuntimeException e) {
        // An array without room is the caller's mistake.
        Objects.checkFromIndexSize(offset, length, out.length);
        throw damaged(e);
      }
      done += count;
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int length) {
    if (isContiguous(indexes, length)) {
      get(out, 0, indexes[0], length);
      return;
    }
    int from = 0;
    while (from < length) {
      loadChunkOf(indexes[from]);
      final int to = endInChunk(indexes, from, length);
      try {
        reader.get(out, indexes, from, to, chunkStart);
      } catch (RuntimeException e) {
        Objects.checkFromIndexSize(0, length, out.length);
        throw damaged(e);
      }
      from = to;
    }
  }

  /**
   * Adds the rows whose values are in a range.
   *
   * @param least    the least value, from 0 on
   * @param greatest the greatest, inclusive
   * @param from     a row of the first chunk that is searched
   * @param to       end of the rows that are searched, exclusive; others of the same chunks may be found as well
   * @param out      of as many rows as the column has
   */
  public void find(int least, int greatest, int from, int to, RowSet out) {
    find(found -> reader.find(least, greatest, found), from, to, out);
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
    inspector.visit("reader", reader);
  }
}
