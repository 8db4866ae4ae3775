// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.bits.RawBytes;
import javax.annotation.Nullable;

/**
 * Division of integers of up to 25 bits to floats. C2 of Java 17 vectorises no conversion from int to float, but does
 * vectorise loops over arrays of one type with the same index. Integers are therefore added to the bits of a power of
 * two, which is then subtracted from the floats.
 */
final class FloatDecimals {
  /** Bits of 2^23. Adding an integer from 0 to 2^23 to the bits adds it to the float. */
  private static final int FLOAT_BITS = 0x4B00_0000;
  private static final float FLOAT_OF_BITS = 0x1p23f;
  /** Bits of 2^23 + 2^22, for integers from -2^22 to less than 2^22. */
  private static final int SIGNED_FLOAT_BITS = 0x4B40_0000;
  private static final float SIGNED_FLOAT_OF_BITS = 0x1.8p23f;
  private static final int MOST_SIGNED = 1 << 22;
  /** Width of the lower part of an integer that is too wide for one addition. */
  private static final int LOWER_BITS = 12;

  @Nullable
  private int[] upperInts;
  @Nullable
  private float[] upperFloats;
  @Nullable
  private float[] lowerFloats;

  /**
   * Computes the floats of ints in a linear frame.
   *
   * @param in       ints from index 0; overwritten
   * @param greatest upper bound of the chunk's ints
   * @param out      receives the quotients, from {@code at}
   */
  void divide(int[] in, long base, long multiplier, int greatest, float divisor, float[] out, int at, int length) {
    if (base >= -MOST_SIGNED
        && base + multiplier * greatest < MOST_SIGNED
        && multiplier > 0
        && multiplier < MOST_SIGNED) {
      Linear.scale(in, 0, length, SIGNED_FLOAT_BITS + (int) base, (int) multiplier);
      RawBytes.toFloats(in, 0, out, at, length);
      subtractAndDivide(out, at, length, divisor);
    } else {
      if (multiplier != 1) {
        Linear.scale(in, 0, length, 0, (int) multiplier);
      }
      divideInParts(in, base, divisor, out, at, length);
    }
  }

  private static void subtractAndDivide(float[] inOut, int at, int length, float divisor) {
    for (int i = at; i < at + length; i++) {
      inOut[i] = (inOut[i] - SIGNED_FLOAT_OF_BITS) / divisor;
    }
  }

  /** Divides integers in two parts, each of which can be added to the bits of 2^23. */
  private void divideInParts(int[] in, long base, float divisor, float[] out, int at, int length) {
    if (upperInts == null || upperInts.length < length) {
      upperInts = new int[in.length];
      upperFloats = new float[in.length];
      lowerFloats = new float[in.length];
    }
    System.arraycopy(in, 0, upperInts, 0, length);
    upper(upperInts, length);
    lower(in, length);
    RawBytes.toFloats(upperInts, 0, upperFloats, 0, length);
    RawBytes.toFloats(in, 0, lowerFloats, 0, length);
    combine(upperFloats, lowerFloats, length, (float) base, divisor);
    System.arraycopy(upperFloats, 0, out, at, length);
  }

  private static void upper(int[] inOut, int length) {
    for (int i = 0; i < length; i++) {
      inOut[i] = FLOAT_BITS | inOut[i] >>> LOWER_BITS;
    }
  }

  private static void lower(int[] inOut, int length) {
    for (int i = 0; i < length; i++) {
      inOut[i] = FLOAT_BITS | (inOut[i] & ((1 << LOWER_BITS) - 1));
    }
  }

  private static void combine(float[] upper, float[] lower, int length, float base, float divisor) {
    for (int i = 0; i < length; i++) {
      upper[i] = ((upper[i] - FLOAT_OF_BITS) * (1 << LOWER_BITS) + (lower[i] - FLOAT_OF_BITS) + base) / divisor;
    }
  }
}
