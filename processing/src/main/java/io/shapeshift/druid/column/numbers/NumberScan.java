// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import io.shapeshift.druid.rows.RowSet;
import java.util.EnumMap;
import java.util.Map;
import org.apache.druid.collections.ResourceHolder;

/**
 * Search of a numeric column for the rows that match a filter, chunk by chunk. Not thread-safe. Queries create one per
 * segment and filter; the chunk reader with its arrays comes from a pool.
 */
public final class NumberScan extends ShapeShiftingColumn<NumberChunkReader> {
  /** Memory of a reader that has read all kinds of chunks; an array of ints is in a pool of its own. */
  private static final long READER_BYTES = 28L << 10;
  private static final Map<NumberType, Pool<NumberChunkReader>> READERS = new EnumMap<>(NumberType.class);

  static {
    for (NumberType type : NumberType.values()) {
      READERS.put(type, Pools.ofProcess().heap("scans of numbers", READER_BYTES, () -> NumberForms.reader(type)));
    }
  }

  /** Distance of the rows that {@link #start} reads. Delta forms restart their sums at the same distance. */
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
   * Adds the rows of the wanted numbers.
   *
   * @param out receives the rows; has the column's number of rows
   * @throws io.shapeshift.druid.column.ColumnFormatException if a chunk is damaged
   * @throws io.shapeshift.druid.form.numbers.FilterFailure if the filter's predicate fails
   */
  public void find(WantedNumbers wanted, RowSet out) {
    find(wanted, 0, size(), out);
  }

  /**
   * Adds the rows of the wanted numbers within a range of rows.
   *
   * @param from first row
   * @param to   end of the rows, exclusive; other rows of the same chunks may be found too
   * @param out  receives the rows; has the column's number of rows
   * @throws io.shapeshift.druid.column.ColumnFormatException if a chunk is damaged
   * @throws io.shapeshift.druid.form.numbers.FilterFailure if the filter's predicate fails
   */
  public void find(WantedNumbers wanted, int from, int to, RowSet out) {
    find(found -> reader.find(wanted, found), from, to, out);
  }

  /**
   * Returns whether few rows match, judging by a sample that starts at a given row.
   *
   * @param from        first row of the sample
   * @param rowsPerFound least number of rows per matching row that counts as few
   * @throws io.shapeshift.druid.column.ColumnFormatException if a chunk is damaged
   * @throws io.shapeshift.druid.form.numbers.FilterFailure if the filter's predicate fails
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
   * Returns a lower bound of the first row with a number not less than a given one, in a column of ascending numbers.
   * The bound is the last multiple of {@value #STEP} before which all numbers are less. The row itself is less than
   * {@code STEP} rows after it.
   *
   * @param sortable sortable bits of the number: see {@link NumberType#sortable}
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
   * Returns whether {@link #find} calls a predicate for few numbers. It calls it for the possible numbers of a chunk if
   * the chunk's header shows them, and otherwise for each number.
   *
   * @param limit greatest number of calls that counts as few
   * @param from  first row
   * @param to    end of the rows, exclusive
   * @throws io.shapeshift.druid.column.ColumnFormatException if a chunk is damaged
   */
  public boolean testsAtMost(int limit, int from, int to) {
    long tests = 0;
    for (int row = from; row < to && tests <= limit; row = chunkStart + chunkLength) {
      loadChunkOf(row);
      tests += reader.numTests();
    }
    return tests <= limit;
  }

  /** Returns the reader to its pool; the scan cannot be used afterwards. */
  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      super.close();
      holder.close();
    }
  }
}
