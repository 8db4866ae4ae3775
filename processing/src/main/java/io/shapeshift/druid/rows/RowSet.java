// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.rows;

import io.shapeshift.druid.bits.BitRanges;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.collections.bitmap.WrappedImmutableRoaringBitmap;

/**
 * Builder of a set of rows from posting lists. It keeps rows or runs while they are few, then switches to a bit per row
 * of the segment. It also checks that every row is a row of the segment.
 */
public final class RowSet {
  /** Number of rows added at a time. */
  public static final int BLOCK = 512;

  private static final int DIGIT_BITS = 10;
  /** Elements after the rows that {@link BitRanges#list} overwrites. */
  private static final int LISTED_BEHIND = 3;

  private final int numRows;
  private final boolean inOrder;
  private int[] rows = new int[0];
  private int count;
  private boolean ascending = true;
  private int last = -1;
  /** Start and end of each run in turn; runs ascend and do not touch. */
  private int[] runs = new int[0];
  private int runCount;
  private int runRows;
  @Nullable
  private long[] words;

  /**
   * Creates an empty set.
   *
   * @param numRows number of rows in the segment
   */
  public RowSet(int numRows) {
    this(numRows, false);
  }

  private RowSet(int numRows, boolean inOrder) {
    this.numRows = numRows;
    this.inOrder = inOrder;
  }

  /** Creates a list that keeps rows in insertion order. */
  public static RowSet inOrder(int numRows) {
    return new RowSet(numRows, true);
  }

  /** Returns the number of rows in the segment. */
  public int numRows() {
    return numRows;
  }

  /** Returns the array of rows that were added and are not kept as bits; the first {@link #count} are valid. */
  public int[] rows() {
    return rows;
  }

  /** Returns the number of valid {@link #rows}; the next row goes to this index. */
  public int count() {
    return count;
  }

  /** Returns {@link #rows} with room for {@code more} rows, and for all {@code expected} rows if they stay a list. */
  public int[] room(int more, int expected) {
    return room(words == null && expected <= mostRows() ? Math.max(more, expected) : more);
  }

  /** Returns {@link #rows} with room for {@code more} rows. */
  public int[] room(int more) {
    becomeRows();
    if (rows.length - count < more) {
      rows = Arrays.copyOf(rows, Math.max(count + more, Math.min(2 * rows.length, rows.length + (1 << 20))));
    }
    return rows;
  }

  /**
   * Adds the first {@code more} rows that the caller has stored in the {@link #room}.
   *
   * @param outside negative if a row is outside the segment or a list does not ascend: the bitwise OR of
   *     {@link #outside} for each row and {@link #descent} for all
   * @param ascend  whether the rows are strictly ascending, as those of one list are
   * @throws MalformedChunkException if a row is outside the segment, or a list does not ascend
   */
  public void added(int more, int outside, boolean ascend) {
    if (outside < 0) {
      throw new MalformedChunkException(
          "A list has a row beyond the " + numRows + " rows of the segment, or its rows do not ascend");
    }
    if (more == 0) {
      return;
    }
    if (words != null && !inOrder) {
      for (int i = 0; i < more; i++) {
        words[rows[i] >>> 6] |= 1L << rows[i];
      }
      return;
    }
    ascending &= ascend && rows[count] > last;
    last = rows[count + more - 1];
    count += more;
    if (!inOrder && (runCount > 0 || count > mostRows())) {
      becomeBits();
    }
  }

  /** Returns a negative number if rows do not ascend; to be OR-ed with {@link #outside} to detect damaged lists. */
  public static int descent(int[] rows, int from, int to) {
    int descent = 0;
    for (int i = from + 1; i < to; i++) {
      descent |= rows[i] - rows[i - 1] - 1;
    }
    return descent;
  }

  /** Returns a negative number if the row is outside the segment. */
  public static int outside(int row, int numRows) {
    return row | (numRows - 1 - row);
  }

  /** Adds ascending rows of the segment, which are not checked. */
  public void add(int[] list, int from, int to) {
    for (int start = from; start < to; start += BLOCK) {
      final int length = Math.min(BLOCK, to - start);
      System.arraycopy(list, start, room(length), count, length);
      added(length, 0, true);
    }
  }

  private int mostRows() {
    final int perRow = ascending ? CostModel.Postings.ASCENDING_PER_ROW : CostModel.Postings.OTHERS_PER_ROW;
    return Math.max(CostModel.Postings.LEAST_BITS, numRows / perRow);
  }

  /** Returns whether runs should be added as runs rather than as rows. */
  public static boolean areLong(long numRows, int numRuns) {
    return numRows >= (long) CostModel.Postings.LEAST_RUN * numRuns;
  }

  /** Adds the many rows from {@code start} to {@code end}, exclusive, as a run. */
  public void addRun(int start, int end) {
    if (words == null && !inOrder && count == 0 && (runCount == 0 || start >= runs[runCount - 1])) {
      checkRun(start, end);
      appendRun(start, end);
      runRows += end - start;
    } else {
      addRows(start, end);
    }
  }

  /** Adds the rows from {@code start} to {@code end}, exclusive. */
  public void addRows(int start, int end) {
    checkRun(start, end);
    becomeRows();
    if (words == null && (inOrder || (runCount == 0 && end - start <= mostRows() - count))) {
      final int[] into = room(end - start);
      for (int row = start; row < end; row++) {
        into[count + row - start] = row;
      }
      added(end - start, 0, true);
    } else if (start < end) {
      if (words == null) {
        becomeBits();
      }
      BitRanges.set(words, start, end);
    }
  }

  /**
   * Adds the rows whose bits are set.
   *
   * @param bits  bits of the rows from {@code start}, in the first {@code length} words
   * @param start first row; no bit is set beyond the last row of the segment
   */
  public void addBits(long[] bits, int length, int start) {
    becomeRows();
    if (words == null && !addFew(bits, length, start)) {
      becomeBits();
    }
    if (words != null) {
      BitRanges.add(bits, length, words, start);
    }
  }

  /**
   * Adds the set bits as rows if the set will probably stay a list, because a bit set of all rows needs memory. Up to
   * here, the set must be as sparse as the limit for lists requires.
   */
  private boolean addFew(long[] bits, int length, int start) {
    int more = 0;
    for (int i = 0; i < length; i++) {
      more += Long.bitCount(bits[i]);
    }
    final long expected = (long) (count + more) * numRows / (start + (long) length * Long.SIZE);
    if (runCount > 0 || count + more > mostRows() || expected > mostRows()) {
      return false;
    }
    final int[] into = room(more + LISTED_BEHIND);
    int at = count;
    for (int i = 0; i < length; i++) {
      at = BitRanges.list(bits[i], start + (i << 6), into, at);
    }
    added(more, 0, true);
    return true;
  }

  /** Converts runs to rows if they have few, because the rows added next do not follow the last run. */
  private void becomeRows() {
    if (runCount == 0 || runRows > mostRows()) {
      return;
    }
    final int length = runCount;
    runCount = 0;
    runRows = 0;
    for (int i = 0; i < length; i += 2) {
      addRows(runs[i], runs[i + 1]);
    }
  }

  private void checkRun(int start, int end) {
    if (start < 0 || end > numRows || end < start) {
      throw new MalformedChunkException(
          "A list has the rows " + start + " to " + end + ", of the segment's " + numRows);
    }
  }

  private void appendRun(int start, int end) {
    if (start == end) {
      return;
    }
    if (runCount > 0 && runs[runCount - 1] == start) {
      runs[runCount - 1] = end;
      return;
    }
    if (runs.length == runCount) {
      runs = Arrays.copyOf(runs, Math.max(8, 2 * runCount));
    }
    runs[runCount++] = start;
    runs[runCount++] = end;
  }

  /** Adds all rows that are not in another set. */
  public void addAllBut(RowSet others) {
    others.becomeBits();
    becomeBits();
    final int full = numRows >>> 6;
    for (int i = 0; i < full; i++) {
      words[i] |= ~others.words[i];
    }
    if ((numRows & 63) != 0) {
      words[full] |= ~others.words[full] & -1L >>> -numRows;
    }
  }

  /** Removes ascending rows. */
  public void removeAll(int[] list) {
    if (words == null && runCount == 0) {
      int left = 0;
      for (int i = 0; i < count; i++) {
        rows[left] = rows[i];
        left += Arrays.binarySearch(list, rows[i]) < 0 ? 1 : 0;
      }
      count = left;
      last = count == 0 ? -1 : rows[count - 1];
      return;
    }
    becomeBits();
    for (int row : list) {
      words[row >>> 6] &= ~(1L << row);
    }
  }

  private void becomeBits() {
    if (words == null) {
      words = new long[(numRows + 63) >>> 6];
    }
    for (int i = 0; i < runCount; i += 2) {
      BitRanges.set(words, runs[i], runs[i + 1]);
    }
    runCount = 0;
    for (int i = 0; i < count; i++) {
      words[rows[i] >>> 6] |= 1L << rows[i];
    }
    count = 0;
  }

  /** Returns whether the set has switched to bits. */
  public boolean isBits() {
    return words != null;
  }

  /** Switches to bits and returns them; the caller sets the bits of rows to add. */
  public long[] bits() {
    becomeBits();
    return words;
  }

  /** Returns the rows as a bitmap of the factory's type. */
  public ImmutableBitmap toBitmap(BitmapFactory factory) {
    sort();
    return factory instanceof RoaringBitmapFactory ? toRoaring() : toOther(factory);
  }

  private void sort() {
    if (ascending || count == 0) {
      return;
    }
    if (count < CostModel.Postings.LEAST_RADIX) {
      Arrays.sort(rows, 0, count);
    } else {
      sortByDigits();
    }
    int unique = 1;
    for (int i = 1; i < count; i++) {
      rows[unique] = rows[i];
      unique += rows[unique] == rows[unique - 1] ? 0 : 1;
    }
    count = unique;
    ascending = true;
  }

  /** Sorts rows by radix sort, lowest digit first. */
  private void sortByDigits() {
    final int mask = (1 << DIGIT_BITS) - 1;
    int[] sorted = new int[count];
    for (int shift = 0; shift < Integer.SIZE && (numRows - 1) >>> shift > 0; shift += DIGIT_BITS) {
      final int[] starts = new int[mask + 2];
      for (int i = 0; i < count; i++) {
        starts[(rows[i] >>> shift & mask) + 1]++;
      }
      for (int digit = 0; digit < mask; digit++) {
        starts[digit + 1] += starts[digit];
      }
      for (int i = 0; i < count; i++) {
        sorted[starts[rows[i] >>> shift & mask]++] = rows[i];
      }
      final int[] former = rows;
      rows = sorted;
      sorted = former;
    }
  }

  private ImmutableBitmap toRoaring() {
    if (words != null) {
      return new BitsBitmap(RoaringContainers.ofWords(words), words);
    }
    if (runCount > 0) {
      return new WrappedImmutableRoaringBitmap(RoaringContainers.ofRuns(runs, runCount));
    }
    return new RowsBitmap(RoaringContainers.ofRows(rows, count), rows, count);
  }

  private ImmutableBitmap toOther(BitmapFactory factory) {
    final MutableBitmap bitmap = factory.makeEmptyMutableBitmap();
    if (words != null) {
      for (int i = 0; i < words.length; i++) {
        for (long word = words[i]; word != 0; word &= word - 1) {
          bitmap.add((i << 6) + Long.numberOfTrailingZeros(word));
        }
      }
    }
    for (int i = 0; i < runCount; i += 2) {
      for (int row = runs[i]; row < runs[i + 1]; row++) {
        bitmap.add(row);
      }
    }
    for (int i = 0; i < count; i++) {
      bitmap.add(rows[i]);
    }
    return factory.makeImmutableBitmap(bitmap);
  }
}
