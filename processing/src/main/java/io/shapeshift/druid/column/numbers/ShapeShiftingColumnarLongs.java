// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.numbers.LongChunkReader;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.ColumnarLongs;

/** A shape-shifting column of longs, as Druid reads it. */
public final class ShapeShiftingColumnarLongs extends ShapeShiftingColumn<NumberChunkReader> implements ColumnarLongs {
  private final LongChunkReader longs;
  /** Made when first needed. */
  @Nullable
  private long[] window;

  ShapeShiftingColumnarLongs(ColumnData<NumberChunkReader> data) {
    this(data, new LongChunkReader());
  }

  private ShapeShiftingColumnarLongs(ColumnData<NumberChunkReader> data, LongChunkReader reader) {
    super(data, reader);
    this.longs = reader;
  }

  @Override
  public long get(int index) {
    // Unsigned, so that an index before the window is as far out as one behind it.
    final int inWindow = index - windowStart;
    return Integer.compareUnsigned(inWindow, windowLength) < 0 ? window[inWindow] : getAlone(index);
  }

  private long getAlone(int index) {
    if (!startsWindow(index)) {
      return longs.get(index - chunkStart);
    }
    if (window == null) {
      window = new long[WINDOW];
    }
    longs.get(window, 0, index - chunkStart, windowLength);
    return window[0];
  }

  @Override
  public void get(long[] out, int offset, int start, int length) {
    int done = 0;
    while (done < length) {
      loadChunkOf(start + done);
      final int inChunk = start + done - chunkStart;
      final int count = Math.min(length - done, chunkLength - inChunk);
      longs.get(out, offset + done, inChunk, count);
      done += count;
    }
  }

  @Override
  public void get(long[] out, int[] indexes, int length) {
    if (isContiguous(indexes, length)) {
      get(out, 0, indexes[0], length);
      return;
    }
    int from = 0;
    while (from < length) {
      loadChunkOf(indexes[from]);
      final int to = endInChunk(indexes, from, length);
      longs.get(out, indexes, from, to, chunkStart);
      from = to;
    }
  }
}
