// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntStatistics;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Ranges of values with their counts, of which {@link Bins} are made. */
final class FineBins {
  /** Greatest share of the values, as a divisor, that may be in ranges that are too wide. */
  private static final int MOST_WIDE = 8;
  /** Base 2 logarithms, the same on all processors. */
  private static final float[] LOG2 = new float[Limits.MAX_DIRECT_INTS + 1];

  static {
    for (int i = 1; i < LOG2.length; i++) {
      LOG2[i] = (float) (StrictMath.log(i) / StrictMath.log(2));
    }
  }

  /** Base 2 logarithm of the number of entries of {@link #firsts}. */
  private static final int LOG_FIRSTS = 10;

  private final int[] starts;
  private final int[] least;
  private final int[] greatest;
  private final int[] counts;
  private final int size;
  /** Range of each value, as the index of its start. */
  private final short[] startOf;
  /** Range of each start; -1 if it has no values. */
  private final int[] rangeOf;

  /** Counts values in the ranges that begin at some starts, ascending; ranges without values are left out. */
  FineBins(int[] starts, IntStatistics statistics) {
    this.starts = starts;
    final int[] values = statistics.values();
    final int numValues = statistics.numValues();
    startOf = new short[numValues];
    counts = new int[starts.length];
    least = new int[starts.length];
    greatest = new int[starts.length];
    Arrays.fill(least, Integer.MAX_VALUE);
    // Values are looked up by their highest bits first.
    final int shift = Math.max(0, statistics.width() - LOG_FIRSTS);
    final int min = statistics.min();
    final short[] firsts = firsts(min, shift);
    for (int i = 0; i < numValues; i++) {
      final int value = values[i];
      final int place = (value - min) >>> shift;
      int start = firsts[place];
      int end = firsts[place + 1];
      while (start < end) {
        final int middle = (start + end + 1) >>> 1;
        if (starts[middle] <= value) {
          start = middle;
        } else {
          end = middle - 1;
        }
      }
      startOf[i] = (short) start;
      counts[start]++;
      least[start] = Math.min(least[start], value);
      greatest[start] = Math.max(greatest[start], value);
    }
    rangeOf = new int[starts.length];
    int used = 0;
    for (int start = 0; start < starts.length; start++) {
      rangeOf[start] = counts[start] == 0 ? -1 : used;
      if (counts[start] > 0) {
        least[used] = least[start];
        greatest[used] = greatest[start];
        counts[used++] = counts[start];
      }
    }
    size = used;
  }

  /** Returns, for each value of the highest bits, the start of the range of the least such value, and one more. */
  private short[] firsts(int min, int shift) {
    final short[] firsts = new short[(1 << LOG_FIRSTS) + 1];
    int start = 0;
    for (int i = 0; i < firsts.length; i++) {
      final long least = min + ((long) i << shift);
      while (start + 1 < starts.length && starts[start + 1] <= least) {
        start++;
      }
      firsts[i] = (short) start;
    }
    return firsts;
  }

  /** Base 2 logarithm of a number of values, at least 1. */
  static float log2(int count) {
    return LOG2[count];
  }

  private boolean isTooWide(int range) {
    return greatest[range] - least[range] >= 1 << Bins.MAX_OFFSET_BITS;
  }

  /** Returns whether an offset would have more than {@link Bins#MAX_OFFSET_BITS} bits. */
  boolean areTooWide() {
    return IntStream.range(0, size).anyMatch(this::isTooWide);
  }

  /** Returns starts of ranges none of which is too wide; none if that are too many, or if they have too many values. */
  int[] splitStarts(int[] values, int numValues) {
    final int[] wide = IntStream.range(0, size).filter(this::isTooWide).toArray();
    if (starts.length + wide.length > Bins.MAX
        || Arrays.stream(wide).map(range -> counts[range]).sum() > numValues / MOST_WIDE) {
      return new int[0];
    }
    final IntStream.Builder split = IntStream.builder();
    for (int range : wide) {
      long start = least[range];
      final int[] inRange = Arrays.stream(values, 0, numValues)
          .filter(value -> value >= least[range] && value <= greatest[range])
          .sorted()
          .toArray();
      for (int value : inRange) {
        if (value - start >= 1 << Bins.MAX_OFFSET_BITS) {
          start = value;
          split.add(value);
        }
      }
    }
    final int[] all = IntStream.concat(Arrays.stream(starts), split.build()).sorted().toArray();
    return all.length > Bins.MAX ? new int[0] : all;
  }

  /** Unites bins where that takes the fewest bits. */
  Bins united() {
    final int numValues = startOf.length;
    // The fewest bits of the first i bins, and where the last of those that they become starts.
    final double[] bits = new double[size + 1];
    final int[] lastStart = new int[size + 1];
    final double perBin =
        States.LOG_SIZE + TansForm.OFFSET_WIDTH + InterleavedPacking.width(least[size - 1] - least[0]);
    for (int end = 1; end <= size; end++) {
      bits[end] = Double.POSITIVE_INFINITY;
      int count = 0;
      for (int start = end - 1; start >= 0; start--) {
        count += counts[start];
        final int offset = InterleavedPacking.width(greatest[end - 1] - least[start]);
        if (offset > Bins.MAX_OFFSET_BITS) {
          break;
        }
        final double sum = bits[start] + perBin + count * (LOG2[numValues] - LOG2[count] + offset);
        if (sum < bits[end]) {
          bits[end] = sum;
          lastStart[end] = start;
        }
      }
    }
    int numBins = 0;
    for (int end = size; end > 0; end = lastStart[end]) {
      numBins++;
    }
    final int[] lowers = new int[numBins];
    final int[] offsetBits = new int[numBins];
    final int[] sums = new int[numBins];
    final short[] binOfRange = new short[size];
    for (int bin = numBins - 1, end = size; bin >= 0; end = lastStart[end], bin--) {
      final int start = lastStart[end];
      lowers[bin] = least[start];
      offsetBits[bin] = InterleavedPacking.width(greatest[end - 1] - least[start]);
      sums[bin] = Arrays.stream(counts, start, end).sum();
      Arrays.fill(binOfRange, start, end, (short) bin);
    }
    final short[] binOf = new short[numValues];
    for (int i = 0; i < numValues; i++) {
      binOf[i] = binOfRange[rangeOf[startOf[i]]];
    }
    return new Bins(lowers, offsetBits, Bins.weights(sums, numValues), binOf);
  }
}
