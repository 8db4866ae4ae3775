// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.store;

import io.shapeshift.druid.incremental.dimension.Dimension;
import io.shapeshift.druid.incremental.row.StoredRow;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * The order in which queries see rows while others are added: by time, and those of one time as they came. Where rows
 * come in that order, nothing is sorted. Otherwise the order of the last query is kept, and only what came since is
 * sorted, and merged into it.
 *
 * <p>Roll-up with an order that does not begin with the time is by all that rows have: Druid promises that to queries.
 */
public final class QueryOrder {
  private final RowStore rows;
  private final boolean byTime;
  private final int timePosition;
  /** Of some rows from the first on. Who sorts more at the same time does it for himself, and the last one stays. */
  private volatile int[] last = {};

  /**
   * Makes an order.
   *
   * @param byTime whether the time decides alone
   * @param timePosition how many dimensions come before the time
   */
  public QueryOrder(RowStore rows, boolean byTime, int timePosition) {
    this.rows = rows;
    this.byTime = byTime;
    this.timePosition = timePosition;
  }

  /**
   * The order of all rows that are there. To be called inside of {@code Readers}.
   *
   * @return the numbers of the rows, not to be changed; null if that is their order
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

  /** For one thread. */
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

    /** Copies whole ranges of what is sorted already, since the tail is short as a rule. */
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

    /** The first place whose row comes after another, which was added later than all that are sorted. */
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
