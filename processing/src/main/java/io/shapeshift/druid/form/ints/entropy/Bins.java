// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

import io.shapeshift.druid.form.ints.IntStatistics;
import java.util.Arrays;

/**
 * Division of a chunk's values into bins: ranges without overlaps, each with a weight that decides the bits of its
 * number. A value is stored as the number of its bin and its offset from the bin's least value. As in
 * <a href="https://arxiv.org/abs/2502.06112">Pcodec</a>, bins are made fine first, and then neighbours are united where
 * that takes the fewest bits: by dynamic programming over all ways to unite them. Fine bins are quantiles of a sample,
 * a frequent value alone, and the gaps between them.
 */
final class Bins {
  /** Most bins. */
  static final int MAX = 256;
  /** Most bits of an offset, so that one load of a reader has two values. */
  static final int MAX_OFFSET_BITS = 18;
  /** No bins. */
  static final Bins NONE = new Bins(new int[0], new int[0], new int[0], new short[0]);
  /** Most quantiles. There may be a gap behind each. */
  private static final int QUANTILES = MAX / 2;
  /** Values from which quantiles are made. */
  private static final int SAMPLE = 4096;
  /** Odd number whose multiples choose a value of each stretch of a sample, so that no period of the values matters. */
  private static final int SCATTER = 0x9E37_79B1;
  private final int[] lowers;
  private final int[] offsetBits;
  private final int[] weights;
  private final short[] binOf;

  /**
   * Creates bins.
   *
   * @param binOf bin of each value
   */
  Bins(int[] lowers, int[] offsetBits, int[] weights, short[] binOf) {
    this.lowers = lowers;
    this.offsetBits = offsetBits;
    this.weights = weights;
    this.binOf = binOf;
  }

  /** Divides values into bins; returns {@link #NONE} if too many offsets would be wider than allowed. */
  static Bins of(IntStatistics statistics) {
    final int[] values = statistics.values();
    final int numValues = statistics.numValues();
    FineBins fine = new FineBins(starts(sample(statistics)), statistics);
    if (fine.areTooWide()) {
      final int[] starts = fine.splitStarts(values, numValues);
      if (starts.length == 0) {
        return NONE;
      }
      fine = new FineBins(starts, statistics);
    }
    return fine.united();
  }

  private static int[] sample(IntStatistics statistics) {
    final int numValues = statistics.numValues();
    final int[] sample = new int[Math.min(SAMPLE, numValues)];
    for (int i = 0; i < sample.length; i++) {
      final int start = (int) ((long) i * numValues / sample.length);
      final int length = (int) ((i + 1L) * numValues / sample.length) - start;
      sample[i] = statistics.values()[start + Integer.remainderUnsigned(i * SCATTER, length)];
    }
    Arrays.sort(sample);
    return sample;
  }

  /** Returns the values from which fine bins start, ascending. */
  private static int[] starts(int[] sample) {
    final int[] starts = new int[MAX];
    int numStarts = 0;
    int end = 0;
    for (int quantiles = QUANTILES; end < sample.length; quantiles--) {
      final int start = end;
      final int most = (sample.length - start) / quantiles;
      end = endOfEqual(sample, end);
      while (end < sample.length && (quantiles == 1 || endOfEqual(sample, end) - start <= most)) {
        end = endOfEqual(sample, end);
      }
      starts[numStarts++] = sample[start];
      final int next = end < sample.length ? sample[end] : Integer.MAX_VALUE;
      if (sample[end - 1] < next - 1) {
        starts[numStarts++] = sample[end - 1] + 1;
      }
    }
    return Arrays.copyOf(starts, numStarts);
  }

  private static int endOfEqual(int[] sorted, int start) {
    int end = start + 1;
    while (end < sorted.length && sorted[end] == sorted[start]) {
      end++;
    }
    return end;
  }

  /** Scales counts to weights of at least 1, one for each state. */
  static int[] weights(int[] counts, int numValues) {
    final int numBins = counts.length;
    final int[] weights = new int[numBins];
    int left = States.SIZE;
    for (int bin = 0; bin < numBins; bin++) {
      weights[bin] = Math.max(1, (int) Math.round((double) counts[bin] * States.SIZE / numValues));
      left -= weights[bin];
    }
    while (left != 0) {
      // One more or less where it changes the fewest bits.
      int best = -1;
      double bestBits = Double.POSITIVE_INFINITY;
      for (int bin = 0; bin < numBins; bin++) {
        final int changed = weights[bin] + Integer.signum(left);
        final double bits = changed < 1
            ? Double.POSITIVE_INFINITY
            : counts[bin] * (FineBins.log2(weights[bin]) - FineBins.log2(changed));
        if (bits < bestBits) {
          best = bin;
          bestBits = bits;
        }
      }
      weights[best] += Integer.signum(left);
      left -= Integer.signum(left);
    }
    return weights;
  }

  /** Number of bins. */
  int size() {
    return lowers.length;
  }

  /** The bin of the value at an index. */
  int binOf(int index) {
    return binOf[index];
  }

  /** Least value of a bin. */
  int lower(int bin) {
    return lowers[bin];
  }

  /** Bits of an offset in a bin. */
  int offsetBits(int bin) {
    return offsetBits[bin];
  }

  /** Weight of a bin, at least 1. The sum of all is {@link States#SIZE}. */
  int weight(int bin) {
    return weights[bin];
  }
}
