// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.bits.BitRanges;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import io.shapeshift.druid.form.postings.RowSet;
import java.util.Arrays;

/** Finds the rows of a shape-shifting column whose numbers a filter looks for, chunk by chunk. For one thread. */
public final class NumberScan extends ShapeShiftingColumn<NumberChunkReader> {
  private long[] found = new long[0];

  NumberScan(ColumnData<NumberChunkReader> data, NumberType type) {
    super(data, NumberChunkReader.of(type));
  }

  /**
   * Adds the rows of the numbers that are wanted.
   *
   * @param out of as many rows as the column has
   * @throws io.shapeshift.druid.column.ColumnFormatException if a chunk is damaged
   */
  public void find(WantedNumbers wanted, RowSet out) {
    for (int row = 0; row < size(); row = chunkStart + chunkLength) {
      loadChunkOf(row);
      final int words = (chunkLength + Long.SIZE - 1) / Long.SIZE;
      if (found.length < words) {
        found = new long[words];
      }
      final Found which;
      try {
        which = reader.find(wanted, found);
      } catch (RuntimeException e) {
        throw damaged(e);
      }
      if (which == Found.ALL) {
        out.addRun(chunkStart, chunkStart + chunkLength);
      } else if (which == Found.SOME) {
        BitRanges.add(found, words, out.bits(), chunkStart);
        Arrays.fill(found, 0, words, 0);
      }
    }
  }
}
