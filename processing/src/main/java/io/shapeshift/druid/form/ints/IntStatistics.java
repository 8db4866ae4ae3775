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
    this.min = min(values, numValues);
    this.max = max(values, numValues);
    this.numChanges = changes(values, numValues);
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

  // Separate loops without branches, because C2 vectorises no others.

  private static int min(int[] values, int size) {
    int min = values[0];
    for (int i = 1; i < size; i++) {
      min = Math.min(min, values[i]);
    }
    return min;
  }

  private static int max(int[] values, int size) {
    int max = values[0];
    for (int i = 1; i < size; i++) {
      max = Math.max(max, values[i]);
    }
    return max;
  }

  private static int changes(int[] values, int size) {
    int changes = 0;
    for (int i = 1; i < size; i++) {
      final int difference = values[i] ^ values[i - 1];
      // The sign bit is set unless the difference is 0.
      changes += (difference | -difference) >>> (Integer.SIZE - 1);
    }
    return changes;
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
      int partMin = values[start];
      int partMax = partMin;
      for (int i = start + 1; i < start + length; i++) {
        partMin = Math.min(partMin, values[i]);
        partMax = Math.max(partMax, values[i]);
      }
      int changes = 0;
      for (int i = start + 1; i < start + length; i++) {
        final int difference = values[i] ^ values[i - 1];
        changes += (difference | -difference) >>> (Integer.SIZE - 1);
      }
      bits += InterleavedPacking.width(partMax - partMin);
      parts++;
      leastChanges = Math.min(leastChanges, changes);
      mostChanges = Math.max(mostChanges, changes);
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
