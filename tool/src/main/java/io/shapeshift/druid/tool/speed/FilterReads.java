// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.roaringbitmap.BatchIterator;

/** Reader of filters as in Druid's vectorized engines: gets a bitmap from an index, and iterates over its rows once. */
final class FilterReads {
  private final int[] vector = new int[RowReads.VECTOR_SIZE];

  /** Number of rows that a filter finds; -1 if the index leaves it to a matcher. */
  long read(Filter filter, ColumnIndexSupplier indexes, BitmapFactory bitmaps) {
    @Nullable final ImmutableBitmap found = filter.find(indexes, bitmaps);
    if (found == null) {
      return -1;
    }
    long rows = 0;
    for (BatchIterator batches = found.batchIterator(); batches.hasNext(); ) {
      rows += batches.nextBatch(vector);
    }
    return rows;
  }
}
