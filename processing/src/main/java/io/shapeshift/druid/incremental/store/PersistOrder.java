// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.store;

import io.shapeshift.druid.incremental.dimension.Dimension;
import io.shapeshift.druid.incremental.dimension.DimensionOrder;
import io.shapeshift.druid.incremental.row.StoredRow;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;

/**
 * Order in which rows are persisted: by dimensions and time as the index declares, and then by row number. No rows are
 * added afterwards.
 *
 * <p>For each row, the time and the ranks of the first dimensions are packed into a long, as far as its bits suffice,
 * and the longs are radix sorted. Only rows of equal longs are compared by all dimensions.
 */
public final class PersistOrder {
  private static final int[] NO_ROWS = {};

  private final RowStore rows;
  private final int timePosition;
  private final DimensionOrder[] orders;
  private final StoredRow left = new StoredRow();
  private final StoredRow right = new StoredRow();

  private PersistOrder(RowStore rows, int timePosition) {
    this.rows = rows;
    this.timePosition = timePosition;
    this.orders = Arrays.stream(rows.dimensions()).map(Dimension::persistOrder).toArray(DimensionOrder[]::new);
  }

  /**
   * Sorts all rows. Call it only between {@code Readers#enter} and {@code Readers#exit}.
   *
   * @param timePosition number of dimensions before the time
   * @return the row numbers, sorted
   */
  public static int[] of(RowStore rows, int timePosition) {
    // Without rows the dimensions are not known yet.
    return rows.count() == 0 ? NO_ROWS : new PersistOrder(rows, timePosition).sort();
  }

  private int[] sort() {
    final long[] prefixes = new long[rows.count()];
    final boolean isExact = fill(prefixes);
    final int[] order = RadixSort.sort(prefixes);
    if (!isExact) {
      final int[] copy = order.clone();
      int from = 0;
      for (int to = 1; to <= order.length; to++) {
        if (to == order.length || prefixes[to] != prefixes[from]) {
          if (to - from > 1) {
            // A merge sort is stable. Without the copy it would clone the whole order in each call.
            IntArrays.mergeSort(order, from, to, this::compare, copy);
          }
          from = to;
        }
      }
    }
    return order;
  }

  /** Packs sort keys, to be compared as unsigned numbers. Returns whether they determine the order completely. */
  private boolean fill(long[] prefixes) {
    int free = Long.SIZE;
    for (int part = 0; part <= orders.length; part++) {
      final DimensionOrder order = part == timePosition ? new ByTime() : orders[part < timePosition ? part : part - 1];
      final int bits = order.prefixBits();
      final int taken = Math.min(bits, free);
      free -= taken;
      if (taken > 0) {
        add(prefixes, order, bits - taken, free);
      }
      if (taken < bits || !order.isPrefixExact()) {
        return false;
      }
    }
    return true;
  }

  private void add(long[] prefixes, DimensionOrder order, int droppedBits, int shift) {
    for (int i = 0; i < prefixes.length; i++) {
      rows.moveTo(i, left);
      prefixes[i] |= order.prefix(left) >>> droppedBits << shift;
    }
  }

  private int compare(int leftRow, int rightRow) {
    rows.moveTo(leftRow, left);
    rows.moveTo(rightRow, right);
    for (int i = 0; i < orders.length; i++) {
      if (i == timePosition && left.timestamp() != right.timestamp()) {
        return Long.compare(left.timestamp(), right.timestamp());
      }
      final int result = orders[i].compare(left, right);
      if (result != 0) {
        return result;
      }
    }
    return timePosition >= orders.length ? Long.compare(left.timestamp(), right.timestamp()) : 0;
  }

  /** Order by the time since the earliest row. */
  private final class ByTime implements DimensionOrder {
    @Override
    public int compare(StoredRow left, StoredRow right) {
      return Long.compare(left.timestamp(), right.timestamp());
    }

    @Override
    public int prefixBits() {
      return Long.SIZE - Long.numberOfLeadingZeros(rows.maxTime() - rows.minTime());
    }

    @Override
    public long prefix(StoredRow row) {
      return row.timestamp() - rows.minTime();
    }

    @Override
    public boolean isPrefixExact() {
      return true;
    }
  }
}
