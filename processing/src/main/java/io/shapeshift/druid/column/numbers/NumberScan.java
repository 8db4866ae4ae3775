// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.Pool;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import io.shapeshift.druid.rows.RowSet;
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
      READERS.put(type, Pool.forThreads("scans of numbers", () -> NumberForms.reader(type)));
    }
  }

  /** Rows apart that {@link #start} looks at. Sums of differences start anew as often. */
  public static final int STEP = WINDOW;

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
   * @throws io.shapeshift.druid.form.numbers.FilterFailure if the test of what is wanted fails
   */
  public void find(WantedNumbers wanted, RowSet out) {
    find(wanted, 0, size(), out);
  }

  /**
   * Adds the rows of the numbers that are wanted, as far as they are in a range of rows.
   *
   * @param from the first row
   * @param to   end of the rows, exclusive; others of the same chunks may be found as well
   * @param out  of as many rows as the column has
   * @throws io.shapeshift.druid.column.ColumnFormatException if a chunk is damaged
   * @throws io.shapeshift.druid.form.numbers.FilterFailure if the test of what is wanted fails
   */
  public void find(WantedNumbers wanted, int from, int to, RowSet out) {
    find(found -> reader.find(wanted, found), from, to, out);
  }

  /**
   * Whether few numbers are wanted, judged by those from a row on.
   *
   * @param from        the first row to look at
   * @param rowsPerFound as many rows as there have to be for each that is wanted
   * @throws io.shapeshift.druid.column.ColumnFormatException if a chunk is damaged
   * @throws io.shapeshift.druid.form.numbers.FilterFailure if the test of what is wanted fails
   */
  public boolean seemsRare(WantedNumbers wanted, int from, int rowsPerFound) {
    if (from >= size()) {
      return true;
    }
    loadChunkOf(from);
    final int length = Math.min(WINDOW, chunkStart + chunkLength - from);
    try {
      return (long) rowsPerFound * reader.count(wanted, from - chunkStart, length) <= length;
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  /**
   * Where numbers start that are not less than one, in a column whose numbers ascend: the last multiple of
   * {@value #STEP} of which nothing that is before it has such a number. They start less than {@code STEP} rows behind.
   *
   * @param sortable bits of the number: see {@link NumberType#sortable}
   * @throws io.shapeshift.druid.column.ColumnFormatException if a chunk is damaged
   */
  public int start(long sortable) {
    int low = 0;
    int high = (size() - 1) / STEP;
    while (low < high) {
      final int middle = (low + high + 1) >>> 1;
      if (sortableOf(middle * STEP) < sortable) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low * STEP;
  }

  private long sortableOf(int row) {
    loadChunkOf(row);
    try {
      return reader.keyAt(row - chunkStart);
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  /**
   * Whether {@link #find} asks a test for few numbers: in each chunk for all that it may have, if its head tells them,
   * and otherwise for each.
   *
   * @param limit the most that are few
   * @param from  the first row
   * @param to    end of the rows, exclusive
   * @throws io.shapeshift.druid.column.ColumnFormatException if a chunk is damaged
   */
  public boolean asksAtMost(int limit, int from, int to) {
    long tests = 0;
    for (int row = from; row < to && tests <= limit; row = chunkStart + chunkLength) {
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
