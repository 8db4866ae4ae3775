// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import io.shapeshift.druid.form.postings.RowSet;

/** Finds the rows of a shape-shifting column whose numbers a filter looks for, chunk by chunk. For one thread. */
public final class NumberScan extends ShapeShiftingColumn<NumberChunkReader> {
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
    find(found -> reader.find(wanted, found), out);
  }

  /**
   * Whether {@link #find} asks a test for few numbers: in each chunk for all that it may have, if its head tells them,
   * and otherwise for each.
   *
   * @param limit the most that are few
   * @throws io.shapeshift.druid.column.ColumnFormatException if a chunk is damaged
   */
  public boolean asksAtMost(int limit) {
    long tests = 0;
    for (int row = 0; row < size() && tests <= limit; row = chunkStart + chunkLength) {
      loadChunkOf(row);
      tests += reader.numTests();
    }
    return tests <= limit;
  }
}
