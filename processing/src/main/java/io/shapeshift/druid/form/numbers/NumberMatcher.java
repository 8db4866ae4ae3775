// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Found;
import javax.annotation.Nullable;

/**
 * Search of a chunk for the numbers that match a filter. It searches the ints of a frame if the shape supports that,
 * and otherwise reads all numbers.
 */
final class NumberMatcher {
  private final Values values;
  private final IntSearch search = new IntSearch();
  private final RangeComparison comparison = new RangeComparison();
  private final SortableNumbers sortables = new SortableNumbers(NumberScratch.LENGTH);

  /** Values of a chunk, including exceptions. */
  interface Values {
    /** Number of values of the chunk. */
    int numValues();

    /** Reads at most a vector of numbers. */
    void read(int start, int length, VectorConsumer consumer);
  }

  NumberMatcher(Values values) {
    this.values = values;
  }

  /**
   * Finds matching numbers.
   *
   * @param out one bit per number of the chunk, all zero; receives the matches if the result is {@link Found#SOME}
   */
  Found find(NumberShape shape, NumberExceptions exceptions, WantedNumbers wanted, long[] out) {
    @Nullable final Found found = shape.find(wanted, search, out);
    return found == null ? scan(wanted, out) : exceptions.correct(found, wanted, out);
  }

  /** Reads all numbers of the chunk, vector by vector, and compares them. */
  private Found scan(WantedNumbers wanted, long[] out) {
    final boolean byRange = wanted.hasRanges() && wanted.numRanges() <= CostModel.Filters.MOST_RANGES;
    // An earlier search may have failed in the middle of a chunk.
    comparison.start(wanted);
    for (int start = 0; start < values.numValues(); start += NumberScratch.LENGTH) {
      final int length = Math.min(NumberScratch.LENGTH, values.numValues() - start);
      if (byRange) {
        values.read(start, length, comparison);
      } else {
        values.read(start, length, sortables);
        test(wanted, sortables.sortables(), length, out, start >>> 6);
      }
    }
    if (byRange) {
      comparison.finish(values.numValues(), out);
    }
    return Found.SOME;
  }

  private static void test(WantedNumbers wanted, long[] sortables, int length, long[] out, int at) {
    for (int i = 0; i < length; i += Long.SIZE) {
      final int count = Math.min(Long.SIZE, length - i);
      long found = 0;
      // Excludes nearly all other numbers without a branch, which would be unpredictable.
      for (long left = wanted.candidates(sortables, i, count); left != 0; left &= left - 1) {
        if (wanted.contains(sortables[i + Long.numberOfTrailingZeros(left)])) {
          found |= left & -left;
        }
      }
      out[at + i / Long.SIZE] |= found;
    }
  }
}
