// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.ints;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.IntChunkReader;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.data.ColumnarInts;

/** A shape-shifting column of ints, as Druid reads it. */
public final class ShapeShiftingColumnarInts extends ShapeShiftingColumn<IntChunkReader> implements ColumnarInts {
  ShapeShiftingColumnarInts(ColumnData<IntChunkReader> data) {
    super(data, new IntChunkReader());
  }

  @Override
  public int get(int index) {
    int inChunk = index - chunkStart;
    // Unsigned, so that an index before the chunk is as far out as one behind it.
    if (Integer.compareUnsigned(inChunk, chunkLength) >= 0) {
      loadChunkOf(index);
      inChunk = index - chunkStart;
    }
    return reader.get(inChunk);
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
      reader.get(out, offset + done, inChunk, count);
      done += count;
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int length) {
    int from = 0;
    while (from < length) {
      loadChunkOf(indexes[from]);
      final int start = chunkStart;
      final int count = chunkLength;
      int to = from + 1;
      while (to < length && Integer.compareUnsigned(indexes[to] - start, count) < 0) {
        to++;
      }
      reader.get(out, indexes, from, to, start);
      from = to;
    }
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
    inspector.visit("reader", reader);
  }
}
