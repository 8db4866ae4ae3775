// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;

/** Shape for {@link EliasFanoForm}. */
final class EliasFanoRows implements RowLists {
  private static final int LEAST_BLOCK = 4;

  private final RawBytes in;
  private final UnaryCounts counts;
  private int buckets;
  private int lowWidth;
  private int lowOffset;

  EliasFanoRows(RawBytes in) {
    this.in = in;
    this.counts = new UnaryCounts(in);
  }

  UnaryCounts counts() {
    return counts;
  }

  /**
   * Sets the lists to read.
   *
   * @param buckets number of buckets of each list
   */
  void read(int buckets, int lowWidth, int lowOffset) {
    this.buckets = buckets;
    this.lowWidth = lowWidth;
    this.lowOffset = lowOffset;
  }

  @Override
  public int first(int list) {
    return (int) (counts.select((long) list * buckets) - (long) list * buckets);
  }

  @Override
  public void read(int from, int to, RowSet out) {
    final int end = Math.multiplyExact(to, buckets);
    final int numItems = counts.numItems();
    final int numRows = out.numRows();
    final int lowMask = (1 << lowWidth) - 1;
    int bucketOfList = from * buckets;
    final long first = counts.select(bucketOfList);
    int item = (int) (first - bucketOfList);
    long wordBit = first & -Long.SIZE;
    long word = item < numItems ? counts.word(wordBit) & -1L << first : 0;
    long lowBit = (long) item * lowWidth;
    boolean more = item < numItems;
    // A list that shares a chunk has few rows, so a small array suffices.
    int block = LEAST_BLOCK;
    while (more) {
      block = Math.min(RowSet.BLOCK, 4 * block);
      final int[] rows = out.room(Math.min(block, numItems - item), from == 0 && to == 1 ? numItems - item : 0);
      final int start = out.count();
      final int most = start + Math.min(block, numItems - item);
      int at = start;
      int outside = 0;
      while (at < most) {
        while (word == 0) {
          wordBit += Long.SIZE;
          if (wordBit >= counts.numBits()) {
            throw new MalformedChunkException("There are fewer than " + numItems + " rows in the lists");
          }
          word = counts.word(wordBit);
        }
        final int bucket = (int) (wordBit + Long.numberOfTrailingZeros(word)) - item;
        if (bucket >= end) {
          break;
        }
        while (bucket - bucketOfList >= buckets) {
          bucketOfList += buckets;
        }
        final int low = (int) (in.getLong(lowOffset + (int) (lowBit >>> 3)) >>> (lowBit & 7)) & lowMask;
        final int row = ((bucket - bucketOfList) << lowWidth) | low;
        rows[at++] = row;
        outside |= RowSet.outside(row, numRows);
        word &= word - 1;
        lowBit += lowWidth;
        item++;
      }
      more = at == most && item < numItems;
      if (to == from + 1) {
        outside |= RowSet.descent(rows, start, at);
      }
      out.added(at - start, outside, to == from + 1);
    }
  }
}
