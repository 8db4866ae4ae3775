// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import io.shapeshift.druid.incremental.memory.Readers;
import io.shapeshift.druid.incremental.row.StoredRow;
import io.shapeshift.druid.incremental.store.PersistOrder;
import io.shapeshift.druid.incremental.store.QueryOrder;
import io.shapeshift.druid.incremental.store.RowStore;
import io.shapeshift.druid.incremental.store.RowsOfValue;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.IntPredicate;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.ISE;
import org.apache.druid.segment.incremental.FactsHolder;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexRow;

/**
 * Iteration over the rows of an index, through Druid's interface. An iteration covers the rows that exist when it
 * starts, and creates each row object when it is reached. Cursors get rows without values, because they read single
 * values through {@link StoredIndexer}.
 */
final class ShapeShiftFacts implements FactsHolder {
  private static final Object[] NO_VALUES = {};
  /** Number of rows that a persist prefetches. */
  private static final int AHEAD = 32;

  private final RowStore rows;
  private final Readers readers;
  private final boolean isSorted;
  private final int timePosition;
  private final QueryOrder queryOrder;
  private volatile List<IncrementalIndex.DimensionDesc> dimensions = List.of();
  /** Row order of the last call of {@link #persistIterable}. Druid calls that method twice. */
  @Nullable
  private int[] persistOrder;

  ShapeShiftFacts(RowStore rows, Readers readers, boolean rollUp, int timePosition) {
    this.rows = rows;
    this.readers = readers;
    this.isSorted = rollUp || timePosition == 0;
    this.timePosition = timePosition;
    this.queryOrder = new QueryOrder(rows, timePosition == 0, timePosition);
  }

  /** Sets the dimensions of rows after new ones were added. */
  void setDimensions(List<IncrementalIndex.DimensionDesc> dimensions) {
    this.dimensions = dimensions;
  }

  @Override
  public long getMinTimeMillis() {
    return rows.count() == 0 ? DateTimes.MAX.getMillis() : rows.minTime();
  }

  @Override
  public long getMaxTimeMillis() {
    return rows.count() == 0 ? DateTimes.MIN.getMillis() : rows.maxTime();
  }

  @Override
  public Iterator<IncrementalIndexRow> iterator(boolean descending) {
    final int count = rows.count();
    final int[] order = order(count);
    // The order may meanwhile cover more rows.
    return new Walk(order, 0, order == null ? count : order.length, descending, true, false, null);
  }

  @Override
  public Iterable<IncrementalIndexRow> timeRangeIterable(boolean descending, long timeStart, long timeEnd) {
    final int count = rows.count();
    final int[] order = order(count);
    final int size = order == null ? count : order.length;
    if (timePosition == 0) {
      final int from = firstNotBefore(order, size, timeStart);
      final int to = firstNotBefore(order, size, timeEnd);
      return () -> new Walk(order, from, to, descending, false, false, null);
    }
    return () -> new Walk(
        order,
        0,
        size,
        descending,
        false,
        false,
        row -> rows.timestamp(row) >= timeStart && rows.timestamp(row) < timeEnd
    );
  }

  @Override
  public Iterable<IncrementalIndexRow> keySet() {
    return () -> iterator(false);
  }

  @Override
  public synchronized Iterable<IncrementalIndexRow> persistIterable() {
    if (persistOrder == null || persistOrder.length != rows.count()) {
      final int ticket = readers.enter();
      try {
        persistOrder = PersistOrder.of(rows, timePosition);
      } finally {
        readers.exit(ticket);
      }
    }
    final int[] order = persistOrder;
    return () -> new Walk(order, 0, order.length, false, true, true, null);
  }

  /**
   * For each value of a string dimension, fills a bitmap with the rows that have the value. A row is given by its place
   * in the order of the last {@link #persistIterable}.
   *
   * @param bitmaps array to fill, by id; its last element is set in any case, to a bitmap without rows if necessary
   */
  synchronized void fill(int dimension, MutableBitmap[] bitmaps) {
    final int ticket = readers.enter();
    try {
      RowsOfValue.fill(rows, dimension, Objects.requireNonNull(persistOrder), bitmaps);
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  public int getPriorIndex(IncrementalIndexRow key) {
    throw new UnsupportedOperationException("Rows are found by ShapeShiftIncrementalIndex itself");
  }

  @Override
  public int putIfAbsent(IncrementalIndexRow key, int rowIndex) {
    throw new UnsupportedOperationException("Rows are added by ShapeShiftIncrementalIndex itself");
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException("Rows are there until ShapeShiftIncrementalIndex is closed");
  }

  /** Order of at least {@code count} rows; null if it is that of row numbers. */
  @Nullable
  private int[] order(int count) {
    if (!isSorted || count == 0) {
      return null;
    }
    final int ticket = readers.enter();
    try {
      return queryOrder.upTo(count);
    } finally {
      readers.exit(ticket);
    }
  }

  /** First place in an order by time whose row has at least a given time. */
  private int firstNotBefore(@Nullable int[] order, int size, long time) {
    if (size == 0) {
      return 0;
    }
    final int ticket = readers.enter();
    try {
      int low = 0;
      int high = size;
      while (low < high) {
        final int middle = (low + high) >>> 1;
        if (rows.timestamp(order == null ? middle : order[middle]) < time) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    } finally {
      readers.exit(ticket);
    }
  }

  /** Iterator over a range of an order, in one direction. */
  private final class Walk implements Iterator<IncrementalIndexRow> {
    @Nullable
    private final int[] order;
    private final boolean withValues;
    private final boolean persists;
    /** Rows to return; null for all. */
    @Nullable
    private final IntPredicate filter;
    private final int step;
    private final StoredRow stored = new StoredRow();
    private int place;
    private int left;
    /** Whether this iteration has a lease for its thread, which covers all reads of the index. */
    private boolean isLeased;
    /** Sum of prefetched bytes, so that the compiler does not remove the reads. */
    @SuppressWarnings("UnusedVariable")
    private int ahead;

    Walk(
        @Nullable int[] order,
        int from,
        int to,
        boolean descending,
        boolean withValues,
        boolean persists,
        @Nullable IntPredicate filter
    ) {
      this.order = order;
      this.withValues = withValues;
      this.filter = filter;
      this.step = descending ? -1 : 1;
      this.place = descending ? to - 1 : from;
      this.left = to - from;
      this.persists = persists;
      this.isLeased = persists && readers.lease();
      skip();
    }

    @Override
    public boolean hasNext() {
      if (left <= 0) {
        endLease();
      }
      return left > 0;
    }

    private void endLease() {
      if (isLeased) {
        isLeased = false;
        readers.endLease();
      }
    }

    @Override
    public IncrementalIndexRow next() {
      if (left <= 0) {
        throw new NoSuchElementException();
      }
      final IncrementalIndexRow result = read(row());
      place += step;
      left--;
      skip();
      return result;
    }

    private IncrementalIndexRow read(int row) {
      final int ticket;
      try {
        ticket = readers.enter();
      } catch (ISE e) {
        endLease();
        throw e;
      }
      try {
        if (persists && place % AHEAD == 0) {
          ahead += rows.touch(order, place, Math.min(left, AHEAD));
        }
        rows.moveTo(row, stored);
        final Object[] values = withValues ? rows.values(stored) : NO_VALUES;
        return DruidAccess.row(stored.timestamp(), values, dimensions, row);
      } finally {
        readers.exit(ticket);
      }
    }

    private int row() {
      return order == null ? place : order[place];
    }

    /** Skips rows that the filter rejects. */
    private void skip() {
      if (filter == null || left <= 0) {
        return;
      }
      final int ticket = readers.enter();
      try {
        while (left > 0 && !filter.test(row())) {
          place += step;
          left--;
        }
      } finally {
        readers.exit(ticket);
      }
    }
  }
}
