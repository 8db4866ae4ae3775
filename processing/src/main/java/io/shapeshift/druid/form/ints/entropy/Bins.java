// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.form.Limits;
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
  /** Most quantiles. There may be a gap behind each. */
  private static final int QUANTILES = MAX / 2;
  /** Values from which quantiles are made. */
  private static final int SAMPLE = 4096;
  /** Odd number whose multiples choose a value of each stretch of a sample, so that no period of the values matters. */
  private static final int SCATTER = 0x9E37_79B1;
  private static final float[] LOG2 = new float[Limits.MAX_DIRECT_INTS + 1];

  static {
    for (int i = 1; i < LOG2.length; i++) {
      LOG2[i] = (float) (Math.log(i) / Math.log(2));
    }
  }

  private final int[] lowers;
  private final int[] offsetBits;
  private final int[] weights;
  private final int logStates;

  private Bins(int[] lowers, int[] offsetBits, int[] weights, int logStates) {
    this.lowers = lowers;
    this.offsetBits = offsetBits;
    this.weights = weights;
    this.logStates = logStates;
  }

  /** Divides values into bins. */
  static Bins of(IntStatistics statistics) {
    final int[] values = statistics.values();
    final int numValues = statistics.numValues();
    final int[] starts = starts(sample(values, numValues));
    final int[] counts = new int[starts.length];
    final int[] least = new int[starts.length];
    final int[] greatest = new int[starts.length];
    Arrays.fill(least, Integer.MAX_VALUE);
    for (int i = 0; i < numValues; i++) {
      final int bin = find(starts, values[i]);
      counts[bin]++;
      least[bin] = Math.min(least[bin], values[i]);
      greatest[bin] = Math.max(greatest[bin], values[i]);
    }
    int fine = 0;
    for (int bin = 0; bin < counts.length; bin++) {
      if (counts[bin] > 0) {
        least[fine] = least[bin];
        greatest[fine] = greatest[bin];
        counts[fine++] = counts[bin];
      }
    }
    return united(least, greatest, counts, fine, numValues);
  }

  private static int[] sample(int[] values, int numValues) {
    final int[] sample = new int[Math.min(SAMPLE, numValues)];
    for (int i = 0; i < sample.length; i++) {
      final int start = (int) ((long) i * numValues / sample.length);
      final int length = (int) ((i + 1L) * numValues / sample.length) - start;
      sample[i] = values[start + Integer.remainderUnsigned(i * SCATTER, length)];
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
      if (sample[end - 1] + 1 < next) {
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

  /** Unites fine bins where that takes the fewest bits. */
  private static Bins united(int[] least, int[] greatest, int[] counts, int fine, int numValues) {
    // The fewest bits of the first i fine bins, and where the last of their bins starts.
    final double[] bits = new double[fine + 1];
    final int[] lastStart = new int[fine + 1];
    final double perBin =
        TansForm.LOG_STATES + TansForm.OFFSET_WIDTH + InterleavedPacking.width(least[fine - 1] - least[0]);
    for (int end = 1; end <= fine; end++) {
      bits[end] = Double.POSITIVE_INFINITY;
      int count = 0;
      for (int start = end - 1; start >= 0; start--) {
        count += counts[start];
        final int offset = InterleavedPacking.width(greatest[end - 1] - least[start]);
        final double sum = bits[start] + perBin + count * (LOG2[numValues] - LOG2[count] + offset);
        if (sum < bits[end]) {
          bits[end] = sum;
          lastStart[end] = start;
        }
      }
    }
    int numBins = 0;
    for (int end = fine; end > 0; end = lastStart[end]) {
      numBins++;
    }
    final int[] lowers = new int[numBins];
    final int[] offsetBits = new int[numBins];
    final int[] sums = new int[numBins];
    for (int bin = numBins - 1, end = fine; bin >= 0; end = lastStart[end], bin--) {
      final int start = lastStart[end];
      lowers[bin] = least[start];
      offsetBits[bin] = InterleavedPacking.width(greatest[end - 1] - least[start]);
      sums[bin] = Arrays.stream(counts, start, end).sum();
    }
    final int logStates = numBins == 1 ? 0 : TansForm.LOG_STATES;
    return new Bins(lowers, offsetBits, weights(sums, numValues, 1 << logStates), logStates);
  }

  /** Scales counts to weights of at least 1 with a given sum. */
  private static int[] weights(int[] counts, int numValues, int sum) {
    final int numBins = counts.length;
    final int[] weights = new int[numBins];
    int left = sum;
    for (int bin = 0; bin < numBins; bin++) {
      weights[bin] = Math.max(1, (int) Math.round((double) counts[bin] * sum / numValues));
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
            : counts[bin] * Math.log((double) weights[bin] / changed);
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

  /** Returns the index of the last start that is not above a value; 0 if all are. */
  private static int find(int[] starts, int value) {
    int bin = 0;
    for (int step = Integer.highestOneBit(starts.length); step > 0; step >>= 1) {
      if (bin + step < starts.length && starts[bin + step] <= value) {
        bin += step;
      }
    }
    return bin;
  }

  /** Number of bins. */
  int size() {
    return lowers.length;
  }

  /** The bin of a value. */
  int find(int value) {
    return find(lowers, value);
  }

  /** Least value of a bin. */
  int lower(int bin) {
    return lowers[bin];
  }

  /** Bits of an offset in a bin. */
  int offsetBits(int bin) {
    return offsetBits[bin];
  }

  /** Weight of a bin, at least 1. The sum of all is 2 to the power of {@link #logStates}. */
  int weight(int bin) {
    return weights[bin];
  }

  /** Base 2 logarithm of the number of states. */
  int logStates() {
    return logStates;
  }
}
