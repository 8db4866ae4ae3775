// SPDX-License-Identifier: Apache-2.0
// scripts/NumberClasses.java generates the classes for other types from this one.
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.numbers.LongChunkReader;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.LongColumnSelector;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ReadableOffset;
import org.apache.druid.segment.historical.HistoricalColumnSelector;

/** Shape-shifting column of longs with Druid's interface. */
public final class ShapeShiftingColumnarLongs extends ShapeShiftingColumn<NumberChunkReader>
    implements ColumnarLongs {
  private final LongChunkReader longs;
  /** Values of the vector decoded last; allocated at first use. */
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
    // Compared as unsigned ints, so that one comparison covers indexes before and after the window.
    final int inWindow = index - windowStart;
    return Integer.compareUnsigned(inWindow, windowLength) < 0 ? window[inWindow] : getAlone(index);
  }

  /** Reads one value. If the last reads were at nearby positions, decodes the value's whole vector instead. */
  private long getAlone(int index) {
    final boolean vectorWanted = isVectorWanted(index);
    try {
      return vectorWanted ? getInVector(index) : longs.get(index - chunkStart);
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  private long getInVector(int index) {
    if (window == null) {
      window = new long[WINDOW];
    }
    final int start = vectorStart(index);
    final int length = vectorLength(start);
    longs.get(window, 0, start - chunkStart, length);
    startWindow(start, length);
    return window[index - start];
  }

  @Override
  public void get(long[] out, int start, int length) {
    get(out, 0, start, length);
  }

  /** Reads {@code length} values from position {@code start} into an array from {@code offset}. */
  @Override
  public void get(long[] out, int offset, int start, int length) {
    int done = 0;
    while (done < length) {
      loadChunkOf(start + done);
      final int inChunk = start + done - chunkStart;
      final int count = Math.min(length - done, chunkLength - inChunk);
      try {
        longs.get(out, offset + done, inChunk, count);
      } catch (RuntimeException e) {
        // Checked here, because an array that is too short is the caller's error and not damage.
        Objects.checkFromIndexSize(offset, length, out.length);
        throw damaged(e);
      }
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
      try {
        longs.get(out, indexes, from, to, chunkStart);
      } catch (RuntimeException e) {
        Objects.checkFromIndexSize(0, length, out.length);
        throw damaged(e);
      }
      from = to;
    }
  }

  @Override
  public ColumnValueSelector<Long> makeColumnValueSelector(ReadableOffset offset, ImmutableBitmap nulls) {
    return nulls.isEmpty()
           ? ColumnarLongs.super.makeColumnValueSelector(offset, nulls)
           : new SelectorWithNulls(offset, nulls);
  }

  /**
   * Selector that returns 0 for null rows, as stock columns do, because some callers read numbers without a null check.
   */
  private final class SelectorWithNulls extends NullRows
      implements LongColumnSelector, HistoricalColumnSelector<Long> {
    private final ReadableOffset offset;

    private SelectorWithNulls(ReadableOffset offset, ImmutableBitmap nulls) {
      super(nulls);
      this.offset = offset;
    }

    @Override
    public boolean isNull() {
      return isNull(offset.getOffset());
    }

    @Override
    public long getLong() {
      final int row = offset.getOffset();
      return isNull(row) ? 0 : get(row);
    }

    @Override
    public double getDouble(int row) {
      return isNull(row) ? 0 : get(row);
    }

    @Override
    public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
      inspector.visit("column", ShapeShiftingColumnarLongs.this);
      inspector.visit("offset", offset);
    }
  }
}
