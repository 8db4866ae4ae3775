// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.runs;

/**
 * Statistics of the runs of a chunk. A run is at least {@link #SHORTEST_RUN} equal values in a row.
 *
 * @param numRuns    number of runs
 * @param numValues  number of values in runs
 * @param wordsOfOne number of one-byte words in run length encoding, which splits runs longer than 127
 */
record RunStatistics(int numRuns, int numValues, int wordsOfOne) {
  static final int SHORTEST_RUN = 3;

  /** Computes the statistics of the first {@code size} values. */
  static RunStatistics of(int[] values, int size) {
    int numRuns = 0;
    int numValues = 0;
    int wordsOfOne = 0;
    int start = 0;
    for (int i = 1; i <= size; i++) {
      if (i < size && values[i] == values[start]) {
        continue;
      }
      final int length = i - start;
      if (length >= SHORTEST_RUN) {
        numRuns++;
        numValues += length;
        wordsOfOne += words(length, 1);
      } else {
        wordsOfOne += length;
      }
      start = i;
    }
    return new RunStatistics(numRuns, numValues, wordsOfOne);
  }

  /** Returns how many words of {@code numBytes} bytes are needed for {@code length} equal values. */
  static int words(int length, int numBytes) {
    final int longest = longestRun(numBytes);
    return 2 * (length / longest) + Math.min(length % longest, 2);
  }

  /** Returns the length of the longest run that a word of {@code numBytes} bytes holds. */
  static int longestRun(int numBytes) {
    return (1 << (8 * numBytes - 1)) - 1;
  }
}
