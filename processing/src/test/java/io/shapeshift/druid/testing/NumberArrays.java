// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.form.numbers.NumberType;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.function.Supplier;

/** Arrays of longs, doubles or floats, for tests that are the same for all three: they compare bits. */
public final class NumberArrays {
  /** What reads must not change: the bits of no number that any test reads by intention. */
  private static final long UNTOUCHED = 0x7FF8_6016L;

  private NumberArrays() {}

  /** A {@code long[]}, {@code double[]} or {@code float[]}, in which each element says that nothing was written. */
  public static Object untouched(NumberType type, int length) {
    switch (type) {
      case LONG -> {
        final long[] array = new long[length];
        Arrays.fill(array, UNTOUCHED);
        return array;
      }
      case DOUBLE -> {
        final double[] array = new double[length];
        Arrays.fill(array, Double.longBitsToDouble(UNTOUCHED));
        return array;
      }
      default -> {
        final float[] array = new float[length];
        Arrays.fill(array, Float.intBitsToFloat((int) UNTOUCHED));
        return array;
      }
    }
  }

  /** The bits of an array's elements. */
  public static long[] bits(Object array) {
    if (array instanceof long[] longs) {
      return longs.clone();
    }
    final long[] bits = new long[Array.getLength(array)];
    if (array instanceof double[] doubles) {
      Arrays.setAll(bits, i -> Double.doubleToRawLongBits(doubles[i]));
    } else {
      final float[] floats = (float[]) array;
      Arrays.setAll(bits, i -> bits(floats[i]));
    }
    return bits;
  }

  /** The bits of a float, without a sign. */
  public static long bits(float value) {
    return Float.floatToRawIntBits(value) & 0xFFFF_FFFFL;
  }

  /** Checks that an array has these numbers from {@code offset} on, and is untouched elsewhere. */
  public static void assertWritten(long[] expected, int offset, Object array, Supplier<String> message) {
    final long[] actual = bits(array);
    for (int i = 0; i < actual.length; i++) {
      final long bits = i < offset || i >= offset + expected.length ? UNTOUCHED : expected[i - offset];
      if (actual[i] != bits) {
        assertEquals(Long.toHexString(bits), Long.toHexString(actual[i]), "at " + (i - offset) + ": " + message.get());
      }
    }
  }
}
