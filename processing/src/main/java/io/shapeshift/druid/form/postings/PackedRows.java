// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.rows.RowSet;

/** Shape for {@link PackedRowsForm}. */
final class PackedRows implements RowLists {
  private final RawBytes in;
  private final UnaryCounts counts;
  private boolean counted;
  private int numLists;
  private int numItems;
  private int base;
  private int step;
  private int width;
  private int mask;
  private int offset;

  PackedRows(RawBytes in) {
    this.in = in;
    this.counts = new UnaryCounts(in);
  }

  UnaryCounts counts() {
    return counts;
  }

  /** Sets the lists to read. */
  void read(boolean counted, int numLists, int numItems, int base, int step, int width, int offset) {
    this.counted = counted;
    this.numLists = numLists;
    this.numItems = numItems;
    this.base = base;
    this.step = step;
    this.width = width;
    this.mask = (int) ((1L << width) - 1);
    this.offset = offset;
  }

  @Override
  public int first(int list) {
    if (counted) {
      return Math.min(numItems, (int) (counts.select(list) - list));
    }
    return numLists == 1 ? list * numItems : list;
  }

  @Override
  public void read(int from, int to, RowSet out) {
    final int end = to == numLists ? numItems : first(to);
    int item = first(from);
    if (width == 0 && step == 1) {
      out.addRun(base + item, base + end);
      return;
    }
    while (item < end) {
      final int count = Math.min(end - item, RowSet.BLOCK);
      final int[] rows = out.room(count);
      final int numRows = out.numRows();
      int at = out.count();
      long bit = (long) item * width;
      int row = base + item * step;
      int outside = 0;
      for (int i = 0; i < count; i++) {
        final int found = row + ((int) (in.getLong(offset + (int) (bit >>> 3)) >>> (bit & 7)) & mask);
        rows[at++] = found;
        outside |= RowSet.outside(found, numRows);
        row += step;
        bit += width;
      }
      if (to == from + 1) {
        outside |= RowSet.descent(rows, at - count, at);
      }
      out.added(count, outside, to == from + 1);
      item += count;
    }
  }
}
