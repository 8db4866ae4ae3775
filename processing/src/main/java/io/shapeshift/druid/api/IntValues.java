// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/**
 * Ints of a chunk, 0 to 2^31-1, and statistics about them. Statistics are computed once for all encodings that ask.
 * Implemented by the extension; valid only during the call that receives it.
 */
public interface IntValues {
  /** Most ints in a chunk. */
  int MAX_SIZE = 1 << 14;

  /** Returns the number of ints, 1 to {@link #MAX_SIZE}. */
  int size();

  /** Returns one int. */
  int get(int index);

  /** Copies consecutive ints to an array. */
  void copy(int start, int[] out, int offset, int length);

  /** Returns the smallest int. */
  int min();

  /** Returns the largest int. */
  int max();

  /** Returns the number of runs of equal neighbours, at least 1. */
  int numRuns();

  /**
   * Returns the number of distinct ints, or some number greater than {@code most} if there are more. The time is
   * proportional to the number of ints.
   */
  int numDistinct(int most);
}
