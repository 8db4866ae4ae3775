// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reciprocal gives the bits that a division gives. */
class ExactDivisionTest {
  private static final double ADDED = 0x1.8p52;
  private static final int COUNT = 200_000;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18})
  void isAsExactAsDivision(int exponent) {
    final double divisor = Double.parseDouble("1e" + exponent);
    final double[] integers = integers(exponent);
    final double[] expected = integers.clone();
    ExactDivision.byDivision(expected, 0, COUNT, ADDED, divisor);
    final double[] actual = integers.clone();
    ExactDivision.byReciprocal(actual, 0, COUNT, ADDED, divisor, 1 / divisor);
    assertArrayEquals(bits(expected), bits(actual));

    final double[] chosen = integers.clone();
    ExactDivision.subtractAndDivide(chosen, 0, COUNT, ADDED, divisor);
    assertArrayEquals(bits(expected), bits(chosen));
  }

  /** Of all lengths, the smallest and largest among them, and some next to multiples of the divisor. */
  private static double[] integers(int exponent) {
    final Random random = new Random(exponent);
    final long largest = 1L << 51;
    final double[] integers = new double[COUNT];
    for (int i = 0; i < COUNT; i++) {
      long integer = random.nextLong() >> (12 + random.nextInt(52));
      if (i % 3 == 0) {
        final long divisor = (long) Math.pow(10, Math.min(exponent, 15));
        integer = integer / divisor * divisor + random.nextInt(3) - 1;
      }
      integers[i] = ADDED + Math.max(-largest, Math.min(largest - 1, integer));
    }
    integers[0] = ADDED;
    integers[1] = ADDED - largest;
    integers[2] = ADDED + largest - 1;
    integers[4] = ADDED + 1;
    integers[5] = ADDED - 1;
    return integers;
  }

  private static long[] bits(double[] values) {
    return LongStream.range(0, values.length).map(i -> Double.doubleToRawLongBits(values[(int) i])).toArray();
  }
}
