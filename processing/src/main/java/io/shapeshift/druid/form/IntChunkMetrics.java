// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/**
 * What one pass over a chunk tells the forms. A <em>run</em> is a value that stands at least
 * {@value RunLengthForm#SHORTEST_RUN} times in a row.
 *
 * @param numValues    values in the chunk, at least 1
 * @param min          smallest value
 * @param max          largest value
 * @param numRuns      number of runs
 * @param longestRun   values in the longest run; 0 without runs
 * @param numRunValues values that stand in runs
 * @param wordsOfOne   words of one byte that run length takes, which has to split runs longer than 127 there
 */
public record IntChunkMetrics(
    int numValues,
    int min,
    int max,
    int numRuns,
    int longestRun,
    int numRunValues,
    int wordsOfOne
) {
  /**
   * Computes the metrics of the first {@code size} values.
   *
   * @param size at least 1
   */
  public static IntChunkMetrics of(int[] values, int size) {
    int min = values[0];
    int max = values[0];
    int numRuns = 0;
    int longestRun = 0;
    int numRunValues = 0;
    int wordsOfOne = 0;
    int start = 0;
    for (int i = 1; i <= size; i++) {
      if (i < size && values[i] == values[start]) {
        continue;
      }
      final int length = i - start;
      if (length >= RunLengthForm.SHORTEST_RUN) {
        numRuns++;
        numRunValues += length;
        longestRun = Math.max(longestRun, length);
      }
      wordsOfOne += RunLengthForm.words(length, 1);
      min = Math.min(min, values[start]);
      max = Math.max(max, values[start]);
      start = i;
    }
    return new IntChunkMetrics(size, min, max, numRuns, longestRun, numRunValues, wordsOfOne);
  }

  /** Whether all values are the same. */
  public boolean isConstant() {
    return min == max;
  }

  /** Whether all values are zero. */
  public boolean isZero() {
    return max == 0;
  }
}
