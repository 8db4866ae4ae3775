// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.numbers.FloatChunkReader;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.ColumnarFloats;

/** A shape-shifting column of floats, as Druid reads it. */
public final class ShapeShiftingColumnarFloats extends ShapeShiftingColumn<NumberChunkReader>
    implements ColumnarFloats {
  private final FloatChunkReader floats;
  /** Made when first needed. */
  @Nullable
  private float[] window;

  ShapeShiftingColumnarFloats(ColumnData<NumberChunkReader> data) {
    this(data, new FloatChunkReader());
  }

  private ShapeShiftingColumnarFloats(ColumnData<NumberChunkReader> data, FloatChunkReader reader) {
    super(data, reader);
    this.floats = reader;
  }

  @Override
  public float get(int index) {
    // Unsigned, so that an index before the window is as far out as one behind it.
    final int inWindow = index - windowStart;
    return Integer.compareUnsigned(inWindow, windowLength) < 0 ? window[inWindow] : getAlone(index);
  }

  private float getAlone(int index) {
    if (!startsWindow(index)) {
      return floats.get(index - chunkStart);
    }
    if (window == null) {
      window = new float[WINDOW];
    }
    floats.get(window, 0, index - chunkStart, windowLength);
    return window[0];
  }

  @Override
  public void get(float[] out, int start, int length) {
    int done = 0;
    while (done < length) {
      loadChunkOf(start + done);
      final int inChunk = start + done - chunkStart;
      final int count = Math.min(length - done, chunkLength - inChunk);
      floats.get(out, done, inChunk, count);
      done += count;
    }
  }

  @Override
  public void get(float[] out, int[] indexes, int length) {
    if (isContiguous(indexes, length)) {
      get(out, indexes[0], length);
      return;
    }
    int from = 0;
    while (from < length) {
      loadChunkOf(indexes[from]);
      final int to = endInChunk(indexes, from, length);
      floats.get(out, indexes, from, to, chunkStart);
      from = to;
    }
  }
}
