// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

/**
 * Order of the states of tANS. There are 2^logStates states, and each bin has as many as its weight. They are spread as
 * in Zstandard's FSE: the states of the first bin, then of the next, at distances of (size / 2) + (size / 8) + 3.
 */
final class States {
  private States() {}

  /**
   * Puts the bin of each state into an array.
   *
   * @param weights of the bins; their sum is {@code 1 << logStates}
   */
  static void spread(int[] weights, int numBins, int logStates, short[] binOf) {
    final int mask = (1 << logStates) - 1;
    final int step = ((mask + 1) >> 1) + ((mask + 1) >> 3) + 3;
    int state = 0;
    for (int bin = 0; bin < numBins; bin++) {
      for (int i = 0; i < weights[bin]; i++) {
        binOf[state] = (short) bin;
        state = (state + step) & mask;
      }
    }
  }

  /**
   * Returns the bits that a coder reads to get from a state of a bin to the next state.
   *
   * @param x weight of the bin, plus the number of states of the bin before this one
   */
  static int bits(int x, int logStates) {
    return logStates - (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(x));
  }
}
