// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.numbers.DoubleChunkReader;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.ColumnarDoubles;

/** A shape-shifting column of doubles, as Druid reads it. */
public final class ShapeShiftingColumnarDoubles extends ShapeShiftingColumn<NumberChunkReader>
    implements ColumnarDoubles {
  private final DoubleChunkReader doubles;
  /** Made when first needed. */
  @Nullable
  private double[] window;

  ShapeShiftingColumnarDoubles(ColumnData<NumberChunkReader> data) {
    this(data, new DoubleChunkReader());
  }

  private ShapeShiftingColumnarDoubles(ColumnData<NumberChunkReader> data, DoubleChunkReader reader) {
    super(data, reader);
    this.doubles = reader;
  }

  @Override
  public double get(int index) {
    // Unsigned, so that an index before the window is as far out as one behind it.
    final int inWindow = index - windowStart;
    return Integer.compareUnsigned(inWindow, windowLength) < 0 ? window[inWindow] : getAlone(index);
  }

  private double getAlone(int index) {
    if (!startsWindow(index)) {
      return doubles.get(index - chunkStart);
    }
    if (window == null) {
      window = new double[WINDOW];
    }
    doubles.get(window, 0, index - chunkStart, windowLength);
    return window[0];
  }

  @Override
  public void get(double[] out, int offset, int start, int length) {
    int done = 0;
    while (done < length) {
      loadChunkOf(start + done);
      final int inChunk = start + done - chunkStart;
      final int count = Math.min(length - done, chunkLength - inChunk);
      doubles.get(out, offset + done, inChunk, count);
      done += count;
    }
  }

  @Override
  public void get(double[] out, int[] indexes, int length) {
    if (isContiguous(indexes, length)) {
      get(out, 0, indexes[0], length);
      return;
    }
    int from = 0;
    while (from < length) {
      loadChunkOf(indexes[from]);
      final int to = endInChunk(indexes, from, length);
      doubles.get(out, indexes, from, to, chunkStart);
      from = to;
    }
  }
}
