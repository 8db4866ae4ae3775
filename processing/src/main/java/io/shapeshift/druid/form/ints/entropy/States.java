// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

import java.util.Arrays;

/**
 * States of tANS: {@link #SIZE}, of which each bin has as many as its weight, the first bin from 0 on, the next bin
 * behind it. With their bits reversed, the states of all bins are spread over each other (the sequence of van der
 * Corput), as tANS needs it; states are in order, a state after another, if their reversed bits are.
 *
 * <p>So the bits that a coder reads are the highest of its next state, and one rotation puts them there.
 */
final class States {
  /** Base 2 logarithm of the number of states. */
  static final int LOG_SIZE = 10;
  static final int SIZE = 1 << LOG_SIZE;
  private static final short[] REVERSED = new short[SIZE];

  static {
    for (int i = 0; i < SIZE; i++) {
      REVERSED[i] = (short) reverse(i, LOG_SIZE);
    }
  }

  private States() {}

  /**
   * Puts the bin of each state into an array.
   *
   * @param weights of the bins; their sum is {@link #SIZE}
   */
  static void assign(int[] weights, int numBins, short[] binOf) {
    int state = 0;
    for (int bin = 0; bin < numBins; bin++) {
      Arrays.fill(binOf, state, state + weights[bin], (short) bin);
      state += weights[bin];
    }
  }

  /** Returns a state by its place in the order of states, or the place of a state. */
  static int reverse(int state) {
    return REVERSED[state];
  }

  /** Reverses the lowest bits of a number. */
  static int reverse(int value, int numBits) {
    // In two steps, as none of 32 bits may be left.
    return Integer.reverse(value) >>> 1 >>> (Integer.SIZE - 1 - numBits);
  }

  /**
   * Returns the bits that a coder reads to get from a state of a bin to the next state.
   *
   * @param x weight of the bin, plus the number of states of the bin before this one
   */
  static int bits(int x) {
    return LOG_SIZE - (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(x));
  }
}
