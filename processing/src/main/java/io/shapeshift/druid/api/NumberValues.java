// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/**
 * Numbers of a chunk as bits, and statistics about them. Statistics are computed once for all encodings that ask.
 * Implemented by the extension; valid only during the call that receives it.
 */
public interface NumberValues {
  /** Most numbers in a chunk. */
  int MAX_SIZE = 1 << 14;

  /** Returns the type of the numbers. */
  NumberKind kind();

  /** Returns the number of numbers, 1 to {@link #MAX_SIZE}. */
  int size();

  /** Returns the bits of one number: see {@link NumberKind}. */
  long bits(int index);

  /** Copies the bits of consecutive numbers to an array. */
  void copy(int start, long[] out, int offset, int length);

  /** Returns the bits of the smallest number. The order is {@link Double#compare}'s, with -0.0 below 0.0, NaN last. */
  long min();

  /** Returns the bits of the largest number: see {@link #min}. */
  long max();

  /** Returns the number of runs of neighbours with equal bits, at least 1. */
  int numRuns();
}
