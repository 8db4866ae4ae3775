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

/** Shape-shifting column of ints with Druid's interface. */
public final class ShapeShiftingColumnarInts extends ShapeShiftingColumn<IntChunkReader> implements ColumnarInts {
  /** Values of the vector decoded last; allocated at first use. */
  @Nullable
  private int[] window;

  ShapeShiftingColumnarInts(ColumnData<IntChunkReader> data) {
    super(data, new IntChunkReader());
  }

  @Override
  public int get(int index) {
    // Compared as unsigned ints, so that one comparison covers indexes before and after the window.
    final int inWindow = index - windowStart;
    return Integer.compareUnsigned(inWindow, windowLength) < 0 ? window[inWindow] : getAlone(index);
  }

  /** Reads one value. If the last reads were at nearby positions, decodes the value's whole vector instead. */
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
        // Checked here, because an array that is too short is the caller's error and not damage.
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
   * @param least    start of the range, 0 or more
   * @param greatest end of the range, inclusive
   * @param from     a row of the first chunk to search
   * @param to       end of the rows to search, exclusive; other rows of the same chunks may be found too
   * @param out      receives the rows; has the column's number of rows
   */
  public void find(int least, int greatest, int from, int to, RowSet out) {
    find(found -> reader.find(least, greatest, found), from, to, out);
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
    inspector.visit("reader", reader);
  }
}
