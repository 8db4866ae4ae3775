// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.delta;

import io.shapeshift.druid.bits.InterleavedPacking;

/**
 * Statistics of the differences between neighbouring values, except where {@link DeltaForm} stores a base.
 *
 * @param minDelta smallest difference; 0 if there is none
 * @param width    width in bits of the differences above the smallest: 0 to 32
 * @param ascends  whether no value, bases included, is less than the one before it
 */
record DeltaStatistics(int minDelta, int width, boolean ascends) {
  /** Computes the statistics of the first {@code size} values. */
  static DeltaStatistics of(int[] values, int size) {
    int smallest = Integer.MAX_VALUE;
    int largest = Integer.MIN_VALUE;
    for (int start = 0; start < size; start += DeltaInts.VALUES_PER_BASE) {
      final int end = Math.min(size, start + DeltaInts.VALUES_PER_BASE);
      for (int i = start + 1; i < end; i++) {
        final int delta = values[i] - values[i - 1];
        smallest = Math.min(smallest, delta);
        largest = Math.max(largest, delta);
      }
    }
    final boolean ascends = smallest >= 0 && !hasFall(values, size);
    return smallest > largest
           ? new DeltaStatistics(0, 0, ascends)
           : new DeltaStatistics(smallest, InterleavedPacking.width(largest - smallest), ascends);
  }

  /** Returns whether a base is less than the value before it. */
  private static boolean hasFall(int[] values, int size) {
    for (int i = DeltaInts.VALUES_PER_BASE; i < size; i += DeltaInts.VALUES_PER_BASE) {
      if (values[i] < values[i - 1]) {
        return true;
      }
    }
    return false;
  }
}
