// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.ints.IntChunkReader;
import java.util.Arrays;

/**
 * Finds ints of a chunk that a frame has chosen: a few ranges, a list, or a set. The frame starts one of these, adds
 * ints to it and then finds them. For one thread.
 */
public final class IntSearch {
  private final int[] starts = new int[CostModel.Filters.MOST_RANGES];
  private final int[] ends = new int[CostModel.Filters.MOST_RANGES];
  private int numRanges;
  private long[] set = new long[0];
  private int[] list = new int[0];
  private int listed;

  IntSearch() {}

  /** Starts with no range. */
  public void startRanges() {
    numRanges = 0;
  }

  /**
   * Adds a range of ints, above those that were added before.
   *
   * @return false if there are {@link CostModel.Filters#MOST_RANGES} already
   */
  public boolean addRange(int start, int end) {
    if (numRanges == CostModel.Filters.MOST_RANGES) {
      return false;
    }
    starts[numRanges] = start;
    ends[numRanges++] = end;
    return true;
  }

  /**
   * Finds the ints of the ranges.
   *
   * @param least    lower bound of the ints of the chunk
   * @param greatest upper bound of them
   * @param out      receives a bit for each value that is found, if the result is {@link Found#SOME}
   */
  public Found findRanges(IntChunkReader ints, int least, int greatest, long[] out) {
    if (numRanges == 0) {
      return Found.NONE;
    }
    if (starts[0] <= least && ends[0] >= greatest) {
      return Found.ALL;
    }
    // Most of the ints between the bounds are not in a chunk of keys.
    final boolean isRare = greatest - least > CostModel.Filters.INTS_PER_VALUE * ints.numValues();
    if (numRanges == 1 && starts[0] == ends[0] && isRare) {
      return ints.equal(starts[0], out) ? Found.SOME : Found.NONE;
    }
    for (int i = 0; i < numRanges; i++) {
      ints.between(starts[i], ends[i], out);
    }
    return Found.SOME;
  }

  /** Starts with an empty list of at most {@code most} ints. */
  public void startList(int most) {
    if (list.length < most) {
      list = new int[most];
    }
    listed = 0;
  }

  /** Adds an int to the list, above those that were added before. */
  public void addToList(int value) {
    list[listed++] = value;
  }

  /** Finds the ints of the list; the parameters are those of {@link #findRanges}. */
  public Found findList(IntChunkReader ints, int least, int greatest, long[] out) {
    if (listed == 0) {
      return Found.NONE;
    }
    if (greatest - least < CostModel.Filters.MOST_IN_SET) {
      startSet(greatest - least + 1);
      for (int i = 0; i < listed; i++) {
        addToSet(list[i] - least);
      }
      return findSet(ints, least, greatest, out);
    }
    ints.in(list, listed, out);
    return Found.SOME;
  }

  /** Starts with an empty set of {@code numInts} possible ints. */
  public void startSet(int numInts) {
    final int length = (numInts + Long.SIZE - 1) / Long.SIZE;
    if (set.length < length) {
      set = new long[length];
    } else {
      Arrays.fill(set, 0, length, 0);
    }
  }

  /** Adds an int, less the lower bound, to the set. */
  public void addToSet(int i) {
    set[i >>> 6] |= 1L << i;
  }

  /** Finds the ints of the set, by ranges if it has few; the parameters are those of {@link #findRanges}. */
  public Found findSet(IntChunkReader ints, int least, int greatest, long[] out) {
    final int numInts = greatest - least + 1;
    startRanges();
    for (int i = nextInSet(0, numInts, 0); i < numInts; ) {
      final int end = nextInSet(i, numInts, -1L);
      // What exceeds all, as a code without an entry that a damaged chunk has, counts as the last.
      if (!addRange(least + i, end == numInts ? Integer.MAX_VALUE : least + end - 1)) {
        ints.in(set, least, greatest, out);
        return Found.SOME;
      }
      i = nextInSet(end, numInts, 0);
    }
    return findRanges(ints, least, greatest, out);
  }

  /** The first place from one on whose bit is set, or, if bits are inverted by {@code inverse}, is not set. */
  private int nextInSet(int from, int numInts, long inverse) {
    for (int i = from; i < numInts; i = (i | Long.SIZE - 1) + 1) {
      final long word = (set[i >>> 6] ^ inverse) >>> i;
      if (word != 0) {
        return Math.min(numInts, i + Long.numberOfTrailingZeros(word));
      }
    }
    return numInts;
  }
}
