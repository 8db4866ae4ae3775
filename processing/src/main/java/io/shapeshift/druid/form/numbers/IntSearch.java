// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.ints.IntChunkReader;
import java.util.Arrays;

/**
 * Search of a chunk for ints that a frame has chosen: a few ranges, a list, or a set. The frame starts one of these,
 * adds ints, and then calls find. Not thread-safe.
 */
public final class IntSearch {
  private final int[] starts = new int[CostModel.Filters.MOST_RANGES];
  private final int[] ends = new int[CostModel.Filters.MOST_RANGES];
  private int numRanges;
  private long[] set = new long[0];
  private int[] list = new int[0];
  private int listed;

  IntSearch() {}

  /** Starts an empty set of ranges. */
  public void startRanges() {
    numRanges = 0;
  }

  /**
   * Adds a range of ints, greater than the ranges added before.
   *
   * @return false if there are already {@link CostModel.Filters#MOST_RANGES} ranges
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
   * Finds the ints in the ranges.
   *
   * @param least    lower bound of the chunk's ints
   * @param greatest upper bound of the chunk's ints
   * @param out      receives one bit per value found, if the result is {@link Found#SOME}
   */
  public Found findRanges(IntChunkReader ints, int least, int greatest, long[] out) {
    if (numRanges == 0) {
      return Found.NONE;
    }
    if (starts[0] <= least && ends[0] >= greatest) {
      return Found.ALL;
    }
    // A chunk of keys lacks most of the ints between its bounds.
    final boolean isRare = greatest - least > CostModel.Filters.INTS_PER_VALUE * ints.numValues();
    if (numRanges == 1 && starts[0] == ends[0] && isRare) {
      return ints.equal(starts[0], out) ? Found.SOME : Found.NONE;
    }
    for (int i = 0; i < numRanges; i++) {
      ints.between(starts[i], ends[i], out);
    }
    return Found.SOME;
  }

  /** Starts an empty list of at most {@code most} ints. */
  public void startList(int most) {
    if (list.length < most) {
      list = new int[most];
    }
    listed = 0;
  }

  /** Adds an int, greater than those added before, to the list. */
  public void addToList(int value) {
    list[listed++] = value;
  }

  /** Finds the ints in the list; the parameters are those of {@link #findRanges}. */
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

  /** Starts an empty set that can have {@code numInts} ints. */
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

  /** Finds the ints in the set, as ranges if it has few; the parameters are those of {@link #findRanges}. */
  public Found findSet(IntChunkReader ints, int least, int greatest, long[] out) {
    final int numInts = greatest - least + 1;
    startRanges();
    for (int i = nextInSet(0, numInts, 0); i < numInts; ) {
      final int end = nextInSet(i, numInts, -1L);
      // Greater values, such as codes without an entry in a damaged chunk, count as the last int.
      if (!addRange(least + i, end == numInts ? Integer.MAX_VALUE : least + end - 1)) {
        ints.in(set, least, greatest, out);
        return Found.SOME;
      }
      i = nextInSet(end, numInts, 0);
    }
    return findRanges(ints, least, greatest, out);
  }

  /**
   * Returns the first index, from one on, whose bit is set; or whose bit is not set, if {@code inverse} inverts the
   * bits.
   */
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
