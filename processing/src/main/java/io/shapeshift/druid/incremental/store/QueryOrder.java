// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.store;

import io.shapeshift.druid.incremental.dimension.Dimension;
import io.shapeshift.druid.incremental.row.StoredRow;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Order in which queries see rows while other rows are added: by time, and by row number within the same time. Nothing
 * is sorted if rows are added in that order. Otherwise the order of the last query is kept, and rows added since are
 * sorted and merged into it.
 *
 * <p>With roll-up and an order that does not begin with the time, rows are sorted by all dimensions, because Druid
 * guarantees that to queries.
 */
public final class QueryOrder {
  private final RowStore rows;
  private final boolean byTime;
  private final int timePosition;
  /**
   * Order of the first rows; its length is their number. Threads that extend it concurrently do so independently, and
   * the last result is kept.
   */
  private volatile int[] last = {};

  /**
   * Creates an order without rows.
   *
   * @param byTime whether rows are sorted by time only
   * @param timePosition number of dimensions before the time
   */
  public QueryOrder(RowStore rows, boolean byTime, int timePosition) {
    this.rows = rows;
    this.byTime = byTime;
    this.timePosition = timePosition;
  }

  /**
   * Order of at least the rows below {@code count}. Callers must be inside {@code Readers}.
   *
   * @return row numbers, which must not be modified; null if the rows are already in order
   */
  @Nullable
  public int[] upTo(int count) {
    if (byTime && rows.timeAscends()) {
      return null;
    }
    int[] sorted = last;
    if (sorted.length < count) {
      sorted = new Comparison().extend(sorted, count);
      last = sorted;
    }
    return sorted;
  }

  /** Comparison of rows, for one thread. */
  private final class Comparison {
    private final StoredRow left = new StoredRow();
    private final StoredRow right = new StoredRow();

    int[] extend(int[] sorted, int count) {
      final int[] tail;
      if (byTime) {
        tail = sortByTime(sorted.length, count);
      } else {
        tail = new int[count - sorted.length];
        Arrays.setAll(tail, i -> sorted.length + i);
        IntArrays.mergeSort(tail, this::compare);
      }
      if (sorted.length == 0) {
        return tail;
      }
      return merge(sorted, tail);
    }

    /** Merges by copying whole ranges of sorted rows, since the tail is usually short. */
    private int[] merge(int[] sorted, int[] tail) {
      final int[] merged = new int[sorted.length + tail.length];
      int from = 0;
      for (int i = 0; i < tail.length; i++) {
        final int to = firstAfter(tail[i], sorted, from);
        System.arraycopy(sorted, from, merged, from + i, to - from);
        merged[to + i] = tail[i];
        from = to;
      }
      System.arraycopy(sorted, from, merged, from + tail.length, sorted.length - from);
      return merged;
    }

    /**
     * First place behind {@code from} whose row sorts after a given row. That row was added later than all sorted rows.
     */
    private int firstAfter(int row, int[] sorted, int from) {
      int low = from;
      int high = sorted.length;
      while (low < high) {
        final int middle = (low + high) >>> 1;
        if (compare(sorted[middle], row) <= 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    private int[] sortByTime(int from, int to) {
      final long[] times = new long[to - from];
      Arrays.setAll(times, i -> rows.timestamp(from + i) ^ Long.MIN_VALUE);
      final int[] tail = RadixSort.sort(times);
      for (int i = 0; i < tail.length; i++) {
        tail[i] += from;
      }
      return tail;
    }

    private int compare(int leftRow, int rightRow) {
      return byTime ? Long.compare(rows.timestamp(leftRow), rows.timestamp(rightRow)) : compareAll(leftRow, rightRow);
    }

    private int compareAll(int leftRow, int rightRow) {
      rows.moveTo(leftRow, left);
      rows.moveTo(rightRow, right);
      final Dimension[] dimensions = rows.dimensions();
      for (int i = 0; i < dimensions.length; i++) {
        if (i == timePosition && left.timestamp() != right.timestamp()) {
          return Long.compare(left.timestamp(), right.timestamp());
        }
        final int result = dimensions[i].compare(left, right);
        if (result != 0) {
          return result;
        }
      }
      return timePosition >= dimensions.length ? Long.compare(left.timestamp(), right.timestamp()) : 0;
    }
  }
}
