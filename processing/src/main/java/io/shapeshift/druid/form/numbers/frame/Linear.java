// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import javax.annotation.Nullable;

/**
 * Integers as a base and multiples of a common divisor.
 *
 * @param base       what the int 0 stands for
 * @param multiplier what is added for each 1, at least 1
 */
record Linear(long base, long multiplier) {
  /**
   * The base and the largest divisor of some values; null if they need more than 31 bits.
   *
   * @param size how many of them count, at least 1
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
    // A negative one has overflown.
    if (range < 0) {
      return null;
    }
    final long divisor = divisor(values, size, range);
    if (range / divisor > Integer.MAX_VALUE) {
      return null;
    }
    // Without a base of its own, if the ints may start there: forms of ints have theirs.
    final boolean fromZero = min >= 0 && min % divisor == 0 && max / divisor <= Integer.MAX_VALUE;
    return new Linear(fromZero ? 0 : min, divisor);
  }

  /** The largest number that divides all differences; 1 if there are none. */
  private static long divisor(long[] values, int size, long range) {
    long divisor = Math.max(1, range);
    int i = 1;
    while (i < size && divisor > 1) {
      // The divisor is an odd number times a power of 2; what the odd number divides becomes small when it is
      // multiplied by the inverse of the odd number modulo 2^64. A division would take ten times as long.
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

  /** By Newton's iteration, which doubles the bits that are right: three of an odd number itself. */
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
      // Nothing is left over, so that a multiplication by the inverse divides, too.
      final int shift = Long.numberOfTrailingZeros(multiplier);
      final long inverse = inverse(multiplier >>> shift);
      for (int i = 0; i < size; i++) {
        out[i] = (int) (((values[i] - base) >>> shift) * inverse);
      }
    }
  }

  // Each loop is a method of its own, so that C2 sees nothing but the loop.

  /** Makes integers of ints, in place. */
  static void scale(long[] inOut, int at, int length, long base, long multiplier) {
    for (int i = at; i < at + length; i++) {
      inOut[i] = base + multiplier * inOut[i];
    }
  }

  /** Makes integers of ints. */
  static void scale(int[] in, int from, long[] out, int at, int length, long base, long multiplier) {
    for (int i = 0; i < length; i++) {
      out[at + i] = base + multiplier * in[from + i];
    }
  }

  /** Makes the lower bits of integers of ints, in place. */
  static void scale(int[] inOut, int from, int length, int base, int multiplier) {
    for (int i = from; i < from + length; i++) {
      inOut[i] = base + multiplier * inOut[i];
    }
  }
}
