// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import javax.annotation.Nullable;

/**
 * Linear mapping of integers: a base plus an int times a common divisor.
 *
 * @param base       integer for int 0
 * @param multiplier difference for each int step, at least 1
 */
record Linear(long base, long multiplier) {
  /**
   * Returns the base and the greatest common divisor of some values; null if their ints need more than 31 bits.
   *
   * @param size number of valid values, at least 1
   */
  @Nullable
  static Linear of(long[] values, int size) {
    long min = values[0];
    long max = values[0];
    for (int i = 1; i < size; i++) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
    }
    final long range = max - min;
    // A negative range means overflow.
    if (range < 0) {
      return null;
    }
    final long divisor = divisor(values, size, range);
    if (range / divisor > Integer.MAX_VALUE) {
      return null;
    }
    // No base if the ints may start at 0, because forms of ints have their own base.
    final boolean fromZero = min >= 0 && min % divisor == 0 && max / divisor <= Integer.MAX_VALUE;
    return new Linear(fromZero ? 0 : min, divisor);
  }

  /** Returns the greatest number that divides all differences; 1 if there are none. */
  private static long divisor(long[] values, int size, long range) {
    long divisor = Math.max(1, range);
    int i = 1;
    while (i < size && divisor > 1) {
      // The divisor is an odd number times a power of 2. A multiple of the odd number becomes small when multiplied by
      // the inverse of the odd number modulo 2^64. A division would take ten times as long.
      final int shift = Long.numberOfTrailingZeros(divisor);
      final long odd = divisor >>> shift;
      final long inverse = inverse(odd);
      final long most = Long.divideUnsigned(-1, odd);
      final long lowerBits = (1L << shift) - 1;
      long difference = 0;
      for (; i < size; i++) {
        difference = Math.abs(values[i] - values[i - 1]);
        if ((difference & lowerBits) != 0 || Long.compareUnsigned((difference >>> shift) * inverse, most) > 0) {
          break;
        }
      }
      if (i < size) {
        divisor = gcd(divisor, difference);
        i++;
      }
    }
    return divisor;
  }

  /**
   * Returns the inverse by Newton's iteration, which doubles the number of correct bits; an odd number is its own
   * inverse in three bits.
   */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  private static long gcd(long a, long b) {
    long larger = a;
    long smaller = b;
    while (smaller != 0) {
      final long rest = larger % smaller;
      larger = smaller;
      smaller = rest;
    }
    return larger;
  }

  /** Writes the int of each value to {@code out}. */
  void toInts(long[] values, int size, int[] out) {
    if (multiplier == 1) {
      for (int i = 0; i < size; i++) {
        out[i] = (int) (values[i] - base);
      }
    } else {
      // The division has no remainder, so multiplication by the inverse is exact.
      final int shift = Long.numberOfTrailingZeros(multiplier);
      final long inverse = inverse(multiplier >>> shift);
      for (int i = 0; i < size; i++) {
        out[i] = (int) (((values[i] - base) >>> shift) * inverse);
      }
    }
  }

  // Each loop is a method of its own, so that C2 compiles it alone.

  /** Maps ints to integers, in place. */
  static void scale(long[] inOut, int at, int length, long base, long multiplier) {
    for (int i = at; i < at + length; i++) {
      inOut[i] = base + multiplier * inOut[i];
    }
  }

  /** Maps ints to integers. */
  static void scale(int[] in, int from, long[] out, int at, int length, long base, long multiplier) {
    for (int i = 0; i < length; i++) {
      out[at + i] = base + multiplier * in[from + i];
    }
  }

  /** Maps ints to the lower bits of integers, in place. */
  static void scale(int[] inOut, int from, int length, int base, int multiplier) {
    for (int i = from; i < from + length; i++) {
      inOut[i] = base + multiplier * inOut[i];
    }
  }
}
