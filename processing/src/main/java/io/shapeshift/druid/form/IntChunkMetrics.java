// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.bits.TransposedPacking;
import java.util.IdentityHashMap;
import java.util.function.Supplier;

/**
 * What a chunk's values tell the forms. Runs, smallest and largest value come from one pass that is always made; what
 * only some forms want to know is computed when first asked for. A <em>run</em> is a value that stands at least
 * {@value RunLengthForm#SHORTEST_RUN} times in a row.
 */
public final class IntChunkMetrics {
  private final int[] values;
  private final int numValues;
  private int min;
  private int max;
  private int numRuns;
  private int longestRun;
  private int numRunValues;
  private int numChanges;
  private int wordsOfOne;
  private int rowWidth = -1;
  private int minDelta;
  private int deltaWidth = -1;
  private int numDistinct = -1;
  private int numDistinctForBytes = -1;
  private final IdentityHashMap<IntForm, Object> findings = new IdentityHashMap<>(2);

  private IntChunkMetrics(int[] values, int numValues) {
    this.values = values;
    this.numValues = numValues;
  }

  /**
   * Computes the metrics of the first {@code size} values.
   *
   * @param values not to be changed as long as the metrics are used
   * @param size   at least 1
   */
  public static IntChunkMetrics of(int[] values, int size) {
    final IntChunkMetrics metrics = new IntChunkMetrics(values, size);
    metrics.computeRuns();
    return metrics;
  }

  private void computeRuns() {
    min = values[0];
    max = values[0];
    int start = 0;
    for (int i = 1; i <= numValues; i++) {
      if (i < numValues && values[i] == values[start]) {
        continue;
      }
      final int length = i - start;
      if (length >= RunLengthForm.SHORTEST_RUN) {
        numRuns++;
        numRunValues += length;
        longestRun = Math.max(longestRun, length);
        wordsOfOne += RunLengthForm.words(length, 1);
      } else {
        wordsOfOne += length;
      }
      numChanges++;
      min = Math.min(min, values[start]);
      max = Math.max(max, values[start]);
      start = i;
    }
    numChanges--;
  }

  /** Values in the chunk, at least 1. */
  public int numValues() {
    return numValues;
  }

  /** The smallest value. */
  public int min() {
    return min;
  }

  /** The largest value. */
  public int max() {
    return max;
  }

  /** The number of runs. */
  public int numRuns() {
    return numRuns;
  }

  /** Values in the longest run; 0 without runs. */
  public int longestRun() {
    return longestRun;
  }

  /** Values that stand in runs. */
  public int numRunValues() {
    return numRunValues;
  }

  /** Values that differ from the one before. */
  public int numChanges() {
    return numChanges;
  }

  /** Words of one byte that run length takes, which has to split runs longer than 127 there. */
  public int wordsOfOne() {
    return wordsOfOne;
  }

  /** Whether all values are the same. */
  public boolean isConstant() {
    return min == max;
  }

  /** Whether all values are zero. */
  public boolean isZero() {
    return max == 0;
  }

  /** The bits that the largest value needs once the smallest is taken off: 0 to 31. */
  int width() {
    return TransposedPacking.width(max - min);
  }

  /** The smallest value but for the smallest of all; the same if there is no other. */
  int secondMin() {
    int second = max;
    for (int i = 0; i < numValues; i++) {
      second = values[i] != min && values[i] < second ? values[i] : second;
    }
    return second;
  }

  /** The bits that any value needs once the smallest of its row of lanes is taken off: 0 to 31. */
  int rowWidth() {
    if (rowWidth < 0) {
      final int lanes = 1 << TransposedPacking.logLanes(numValues);
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
      rowWidth = TransposedPacking.width(range);
    }
    return rowWidth;
  }

  /** The smallest difference of a value and the one before it, for values that {@link DeltaForm} has no base for. */
  int minDelta() {
    deltaWidth();
    return minDelta;
  }

  /** The bits that any such difference needs once the smallest is taken off: 0 to 32. */
  int deltaWidth() {
    if (deltaWidth < 0) {
      int smallest = Integer.MAX_VALUE;
      int largest = Integer.MIN_VALUE;
      for (int start = 0; start < numValues; start += DeltaForm.VALUES_PER_BASE) {
        final int end = Math.min(numValues, start + DeltaForm.VALUES_PER_BASE);
        for (int i = start + 1; i < end; i++) {
          final int delta = values[i] - values[i - 1];
          smallest = Math.min(smallest, delta);
          largest = Math.max(largest, delta);
        }
      }
      minDelta = smallest > largest ? 0 : smallest;
      deltaWidth = smallest > largest ? 0 : TransposedPacking.width(largest - smallest);
    }
    return deltaWidth;
  }

  /** The number of distinct values, or a number that is too large for a byte to count them. */
  int numDistinctForBytes() {
    if (numDistinctForBytes < 0) {
      numDistinctForBytes = DistinctInts.count(values, numValues, ByteDictionaryForm.MAX_ENTRIES);
    }
    return numDistinctForBytes;
  }

  /**
   * What a form found out about the chunk, which it finds out only once.
   *
   * @param form who asks
   * @param type of the finding, of which a form has one
   */
  <T> T once(IntForm form, Class<T> type, Supplier<T> finding) {
    return type.cast(findings.computeIfAbsent(form, asking -> finding.get()));
  }

  /**
   * The number of distinct values, or {@link Integer#MAX_VALUE} if they are too many for a dictionary of the chunk to
   * take less than values of {@link #width()} bits.
   */
  int numDistinct() {
    if (numDistinct < 0) {
      // A dictionary of so many entries takes as much as it saves.
      final int most = (int) Math.min(numValues, (long) numValues * (width() - 1) / Math.max(1, width()));
      numDistinct = numValues > Forms.MAX_DIRECT_INTS ? Integer.MAX_VALUE : DistinctInts.count(values, numValues, most);
      numDistinct = numDistinct > most ? Integer.MAX_VALUE : numDistinct;
    }
    return numDistinct;
  }
}
