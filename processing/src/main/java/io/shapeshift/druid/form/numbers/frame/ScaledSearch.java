// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.bits.BitRanges;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.numbers.IntSearch;
import io.shapeshift.druid.form.numbers.NumberScratch;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Search for wanted numbers among the ints from which they are computed.
 *
 * <p>If numbers ascend with their ints, binary search finds the ints at the ends of a range of numbers. It uses the
 * same computation as reads, so no bound is rounded the wrong way. If the chunk can have only few distinct ints, each
 * is tested once. Runs are tested once each. The bounds of the ints come from the header of their form (base and
 * width). They are too wide by less than a factor of two.
 */
final class ScaledSearch {
  private final Numbers numbers;
  private final IntChunkReader ints;
  private final WantedNumbers wanted;
  private final IntSearch search;
  private final int least;
  private final int greatest;

  /** Mapping of ints to numbers. */
  interface Numbers {
    /** Returns whether numbers ascend with their ints, up to an upper bound of the chunk's ints. */
    boolean ascends(int greatest);

    /** Returns whether no two ints map to the same number. */
    boolean hasOneIntEach();

    /**
     * Returns the {@linkplain io.shapeshift.druid.form.numbers.NumberType#sortable sortable bits} of an int's number.
     */
    long sortableOf(int value);

    /** Returns the int of a number; any other int if it has none. Requires {@link #hasOneIntEach}. */
    long intOf(long sortable);

    /**
     * Reads the runs of ints in at most a vector.
     *
     * @return number of runs; 0 if the ints are not in runs
     */
    int runs(int start, int length);

    /** Returns the ends within the vector of the runs read last. */
    int[] runEnds();

    /** Returns the ints of the runs read last. */
    int[] runValues();
  }

  ScaledSearch(Numbers numbers, IntChunkReader ints, WantedNumbers wanted, IntSearch search) {
    this.numbers = numbers;
    this.ints = ints;
    this.wanted = wanted;
    this.search = search;
    this.least = ints.least();
    this.greatest = ints.greatest();
  }

  /** Returns whether to test all ints that a chunk can have, rather than all its numbers. */
  static boolean isWorthSet(long numInts, int numValues) {
    return numInts <= CostModel.Filters.MOST_IN_SET && numInts * CostModel.Filters.VALUES_PER_TEST <= numValues;
  }

  /** Finds numbers; returns null if they must be read instead. */
  @Nullable
  Found find(long[] out) {
    if (least > greatest) {
      // Only in a damaged chunk.
      return null;
    }
    final boolean ascends = numbers.ascends(greatest);
    if (ascends && wanted.hasRanges() && addRanges()) {
      return search.findRanges(ints, least, greatest, out);
    }
    if (ascends && wanted.isList() && numbers.hasOneIntEach() && listInts()) {
      return search.findList(ints, least, greatest, out);
    }
    final long numInts = (long) greatest - least + 1;
    if (isWorthSet(numInts, ints.numValues())) {
      search.startSet((int) numInts);
      for (int i = 0; i < numInts; i++) {
        if (wanted.contains(numbers.sortableOf(least + i))) {
          search.addToSet(i);
        }
      }
      return search.findSet(ints, least, greatest, out);
    }
    return findRuns(out);
  }

  /** Adds the ranges of ints for the ranges of numbers; returns false if there are more than a search supports. */
  private boolean addRanges() {
    final long last = numbers.sortableOf(greatest);
    final int first = wanted.rangeFrom(numbers.sortableOf(least));
    if (wanted.rangeFrom(last) - first > CostModel.Filters.MOST_RANGES) {
      // Even ranges without ints count, because each is searched for.
      return false;
    }
    search.startRanges();
    for (int i = first; i < wanted.numRanges() && wanted.start(i) <= last; i++) {
      final int start = firstFrom(wanted.start(i), least);
      final int end = wanted.end(i) >= last ? greatest : firstFrom(wanted.end(i) + 1, start) - 1;
      if (start <= end && !search.addRange(start, end)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the first int, from one on, whose number is not less than a number; {@code greatest} if there is none
   * before.
   */
  private int firstFrom(long sortable, int from) {
    int low = from;
    int high = greatest;
    while (low < high) {
      final int middle = low + (high - low) / 2;
      if (numbers.sortableOf(middle) < sortable) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Lists the ints of the wanted single numbers, ascending; returns false if this takes longer than reading all
   * numbers.
   */
  private boolean listInts() {
    final long last = numbers.sortableOf(greatest);
    final int from = wanted.rangeFrom(numbers.sortableOf(least));
    final int most = ints.numValues() / CostModel.Filters.VALUES_PER_LISTED;
    if (from + most < wanted.numRanges() && wanted.start(from + most) <= last) {
      return false;
    }
    search.startList(most);
    for (int i = from; i < wanted.numRanges() && wanted.start(i) <= last; i++) {
      final long sortable = wanted.start(i);
      final long value = numbers.intOf(sortable);
      if (value >= least && value <= greatest && numbers.sortableOf((int) value) == sortable) {
        search.addToList((int) value);
      }
    }
    return true;
  }

  /** Tests each run once; returns null if the ints are not in runs. */
  @Nullable
  private Found findRuns(long[] out) {
    final int numValues = ints.numValues();
    for (int start = 0; start < numValues; start += NumberScratch.LENGTH) {
      final int length = Math.min(NumberScratch.LENGTH, numValues - start);
      final int runs = numbers.runs(start, length);
      if (runs == 0) {
        // Earlier vectors may have had runs.
        Arrays.fill(out, 0, (numValues + Long.SIZE - 1) / Long.SIZE, 0);
        return null;
      }
      final int[] values = numbers.runValues();
      final int[] ends = numbers.runEnds();
      int runStart = start;
      for (int run = 0; run < runs; run++) {
        final int end = start + ends[run];
        if (wanted.contains(numbers.sortableOf(values[run]))) {
          BitRanges.set(out, runStart, end);
        }
        runStart = end;
      }
    }
    return Found.SOME;
  }
}
