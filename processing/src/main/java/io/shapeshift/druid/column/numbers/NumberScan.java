// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.Pool;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import io.shapeshift.druid.form.postings.RowSet;
import java.util.EnumMap;
import java.util.Map;
import org.apache.druid.collections.ResourceHolder;

/**
 * Finds the rows of a shape-shifting column whose numbers a filter looks for, chunk by chunk. For one thread. Queries
 * make one for each segment and filter, so that the reader with its arrays is borrowed.
 */
public final class NumberScan extends ShapeShiftingColumn<NumberChunkReader> {
  private static final Map<NumberType, Pool<NumberChunkReader>> READERS = new EnumMap<>(NumberType.class);

  static {
    for (NumberType type : NumberType.values()) {
      READERS.put(type, Pool.forThreads("scans of numbers", () -> NumberChunkReader.of(type)));
    }
  }

  private final ResourceHolder<NumberChunkReader> holder;
  private boolean isClosed;

  private NumberScan(ColumnData<NumberChunkReader> data, ResourceHolder<NumberChunkReader> holder) {
    super(data, holder.get());
    this.holder = holder;
  }

  static NumberScan of(ColumnData<NumberChunkReader> data, NumberType type) {
    return new NumberScan(data, READERS.get(type).take());
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

  /** Gives the reader back, if it was not yet; the scan cannot be used any more. */
  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      super.close();
      holder.close();
    }
  }
}
