// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Findings;
import io.shapeshift.druid.form.Limits;

/**
 * Statistics of a chunk's values, from which forms estimate their size. The minimum, the maximum and the number of
 * changes are computed at once, the others at first use.
 */
public final class IntStatistics {
  /** Greatest number of distinct values that a one-byte code can distinguish. */
  private static final int MOST_BYTE_CODES = 256;

  private final int[] values;
  private final int numValues;
  private final int min;
  private final int max;
  private final int numChanges;
  private int rowWidth = -1;
  private int numDistinct = -1;
  private int numDistinctForBytes = -1;
  private final Findings findings = new Findings();

  private IntStatistics(int[] values, int numValues) {
    this.values = values;
    this.numValues = numValues;
    final Extremes extremes = Extremes.of(values, 0, numValues);
    this.min = extremes.min;
    this.max = extremes.max;
    this.numChanges = extremes.numChanges;
  }

  /** Minimum, maximum, and number of values that differ from the one before. */
  private record Extremes(int min, int max, int numChanges) {
    /** Computes all three in one pass: C2 vectorises neither this loop nor one for each of them. */
    static Extremes of(int[] values, int start, int end) {
      int previous = values[start];
      int min = previous;
      int max = previous;
      int numChanges = 0;
      for (int i = start + 1; i < end; i++) {
        final int value = values[i];
        min = Math.min(min, value);
        max = Math.max(max, value);
        numChanges += value == previous ? 0 : 1;
        previous = value;
      }
      return new Extremes(min, max, numChanges);
    }
  }

  /**
   * Computes the statistics of the first {@code size} values.
   *
   * @param values must not be changed while the statistics are used
   * @param size   number of values, at least 1
   */
  public static IntStatistics of(int[] values, int size) {
    return new IntStatistics(values, size);
  }

  /**
   * Returns whether parts of {@code length} values need fewer bits, or change more or less often, than the whole chunk.
   */
  boolean varies(int length) {
    long bits = 0;
    int parts = 0;
    int leastChanges = Integer.MAX_VALUE;
    int mostChanges = 0;
    for (int start = 0; start + length <= numValues; start += length) {
      final Extremes part = Extremes.of(values, start, start + length);
      bits += InterleavedPacking.width(part.max - part.min);
      parts++;
      leastChanges = Math.min(leastChanges, part.numChanges);
      mostChanges = Math.max(mostChanges, part.numChanges);
    }
    return bits < (long) parts * width() || mostChanges - leastChanges > length / CostModel.Chunks.VALUES_PER_CHANGE;
  }

  /** Returns the number of values, at least 1. */
  public int numValues() {
    return numValues;
  }

  /** Returns the smallest value. */
  public int min() {
    return min;
  }

  /** Returns the largest value. */
  public int max() {
    return max;
  }

  /** Returns the number of values that differ from the one before. */
  public int numChanges() {
    return numChanges;
  }

  /** Returns whether all values are equal. */
  public boolean isConstant() {
    return min == max;
  }

  /** Returns whether all values are zero. */
  public boolean isZero() {
    return max == 0;
  }

  /** Returns the width in bits, 0 to 31, of the differences from the smallest value. */
  public int width() {
    return InterleavedPacking.width(max - min);
  }

  /** Returns the width in bits, 0 to 31, of the differences from the smallest value in the same row of lanes. */
  public int rowWidth() {
    if (rowWidth < 0) {
      final int lanes = 1 << InterleavedPacking.logLanes(numValues);
      int range = 0;
      for (int start = 0; start < numValues; start += lanes) {
        final int end = Math.min(numValues, start + lanes);
        int rowMin = values[start];
        int rowMax = rowMin;
        for (int i = start + 1; i < end; i++) {
          rowMin = Math.min(rowMin, values[i]);
          rowMax = Math.max(rowMax, values[i]);
        }
        range |= rowMax - rowMin;
      }
      rowWidth = InterleavedPacking.width(range);
    }
    return rowWidth;
  }

  /**
   * Returns the greatest number of entries with which a dictionary and its codes can be smaller than the packed values.
   */
  private int mostEntries() {
    int most = 0;
    for (int codeWidth = 1; codeWidth < width(); codeWidth++) {
      final long entries = (long) numValues * (width() - codeWidth) / width();
      most = (int) Math.max(most, Math.min(1 << Math.min(codeWidth, 30), entries));
    }
    return most;
  }

  /** Returns the share, 0 to 1, of values greater than a number, estimated from a sample spread over the chunk. */
  public double shareAbove(int number) {
    final int step = Math.max(1, numValues / CostModel.Chunks.SAMPLE);
    int above = 0;
    int asked = 0;
    for (int i = 0; i < numValues; i += step) {
      above += values[i] > number ? 1 : 0;
      asked++;
    }
    return (double) above / asked;
  }

  /** Returns the number of distinct values, or some number greater than a byte can distinguish. */
  public int numDistinctForBytes() {
    if (numDistinctForBytes < 0) {
      numDistinctForBytes = DistinctInts.count(values, numValues, MOST_BYTE_CODES);
    }
    return numDistinctForBytes;
  }

  /** Returns the number of distinct values, or some number greater than {@code most} if there are more. */
  public int countDistinct(int most) {
    return DistinctInts.count(values, numValues, Math.min(most, Limits.MAX_DIRECT_INTS));
  }

  /** Returns the results that forms have cached for the chunk. */
  public Findings findings() {
    return findings;
  }

  /** Returns the values; the first {@link #numValues} are valid and must not be changed. */
  public int[] values() {
    return values;
  }

  /**
   * Returns the number of distinct values, or {@link Integer#MAX_VALUE} if a dictionary cannot be smaller than values
   * packed in {@link #width()} bits.
   */
  public int numDistinct() {
    if (numDistinct < 0) {
      final int most = mostEntries();
      numDistinct = numValues > Limits.MAX_DIRECT_INTS
                    ? Integer.MAX_VALUE
                    : DistinctInts.count(values, numValues, most);
      numDistinct = numDistinct > most ? Integer.MAX_VALUE : numDistinct;
    }
    return numDistinct;
  }
}
