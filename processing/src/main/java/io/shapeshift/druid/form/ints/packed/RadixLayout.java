// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.cost.CostModel;
import javax.annotation.Nullable;

/**
 * Layout of a chunk of {@link RadixForm}.
 *
 * @param lanes     number of values, and of fractions, in a row
 * @param numDigits number of values in a fraction
 * @param width     width of a fraction in bits
 * @param radix     number of distinct digits
 */
record RadixLayout(int lanes, int numDigits, int width, int radix) {
  /** Number of rows of fractions with which no word has unused bits. */
  private static final int MOST_FRACTION_ROWS = 32;

  /** Returns the number of words of {@code numValues} values. */
  int numWords(int numValues) {
    final int rows = (numValues + lanes - 1) / lanes;
    final int fractionRows = (rows + numDigits - 1) / numDigits;
    return InterleavedPacking.numWords(fractionRows, width, lanes);
  }

  /** Returns the number of distinct fractions: radix^numDigits. */
  long numCombinations() {
    long combinations = 1;
    for (int i = 0; i < numDigits; i++) {
      combinations *= radix;
    }
    return combinations;
  }

  /** Returns the greatest width in bits of a fraction that fits an int when multiplied by the radix. */
  static int maxWidth(int radix) {
    return Integer.SIZE - InterleavedPacking.width(radix - 1);
  }

  /**
   * Returns the layout with the fewest words, or null if there is none. Layouts with short rows, which are slow to
   * read, count as larger than they are.
   */
  @Nullable
  static RadixLayout best(int numValues, int radix) {
    RadixLayout best = null;
    double least = Double.POSITIVE_INFINITY;
    long combinations = radix;
    for (int numDigits = 2; ; numDigits++) {
      combinations *= radix;
      final int width = Long.SIZE - Long.numberOfLeadingZeros(combinations - 1);
      if (width > maxWidth(radix)) {
        return best;
      }
      for (int fractionRows = 1; fractionRows <= MOST_FRACTION_ROWS; fractionRows++) {
        final int rows = fractionRows * numDigits;
        final int lanes = Math.max(CostModel.Radix.LEAST_LANES, (numValues + rows - 1) / rows);
        final RadixLayout layout = new RadixLayout(lanes, numDigits, width, radix);
        final double weight = layout.numWords(numValues) * (1 + (double) CostModel.Radix.LANES_FOR_TWICE / lanes);
        if (weight < least) {
          best = layout;
          least = weight;
        }
        if (lanes == CostModel.Radix.LEAST_LANES) {
          break;
        }
      }
    }
  }
}
