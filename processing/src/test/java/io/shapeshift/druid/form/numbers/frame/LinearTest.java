// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(RandomData.Seeded.class)
class LinearTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "7                                        | 0                    | 1",
    "-7                                       | -7                   | 1",
    "-7 -7                                    | -7                   | 1",
    "0 0 0                                    | 0                    | 1",
    "2147483647                               | 0                    | 1",
    "2147483648                               | 2147483648           | 1",
    "0 2147483647                             | 0                    | 2147483647",
    "5 6 5                                    | 0                    | 1",
    "10 20 30                                 | 0                    | 10",
    "11 21 41                                 | 11                   | 10",
    "-10 20 0                                 | -10                  | 10",
    "0 4294967296 -4294967296                 | -4294967296          | 4294967296",
    "1 4611686018427387905 9223372036854775807 | 1                   | 2",
    "9223372036854775806 9223372036854775807  | 9223372036854775806  | 1",
    "-9223372036854775808 -9223372036854775806 | -9223372036854775808 | 2"
  })
  void hasTheLargestDivisorAndABaseWhereItNeedsOne(String values, long base, long multiplier) {
    final long[] longs = Arrays.stream(values.split(" ")).mapToLong(Long::parseLong).toArray();
    if (range(longs).divide(BigInteger.valueOf(multiplier)).bitLength() > 31) {
      assertNull(Linear.of(longs, longs.length));
    } else {
      assertEquals(new Linear(base, multiplier), Linear.of(longs, longs.length));
    }
  }

  private static BigInteger range(long[] values) {
    return BigInteger.valueOf(LongStream.of(values).max().orElseThrow())
        .subtract(BigInteger.valueOf(LongStream.of(values).min().orElseThrow()));
  }

  @Test
  void isWhatExactArithmeticSays(RandomData random) {
    for (int length : new int[] {1, 2, 3, 10, 500}) {
      for (Map.Entry<String, long[]> shape : NumberData.shapes(NumberType.LONG, length, random).entrySet()) {
        assertExact(shape.getValue(), shape.getKey());
      }
    }
    for (int i = 0; i < 5000; i++) {
      final long multiplier = random.nextLong() >>> random.nextInt(64);
      final long base = random.nextLong() >> random.nextInt(64);
      final int width = random.nextInt(32);
      final long[] values =
          LongStream.generate(() -> base + multiplier * random.uniform(width)).limit(random.between(1, 20)).toArray();
      assertExact(values, base + " and multiples of " + multiplier);
    }
  }

  private static void assertExact(long[] values, String what) {
    final BigInteger range = range(values);
    BigInteger divisor = BigInteger.ZERO;
    for (int i = 1; i < values.length; i++) {
      divisor = divisor.gcd(BigInteger.valueOf(values[i]).subtract(BigInteger.valueOf(values[i - 1])));
    }
    divisor = divisor.max(BigInteger.ONE);
    // Differences of 2^63 and more are not looked at.
    if (range.bitLength() > 63 || range.divide(divisor).bitLength() > 31) {
      assertNull(Linear.of(values, values.length), what);
      return;
    }
    final Linear linear = Linear.of(values, values.length);
    assertEquals(divisor.longValueExact(), linear.multiplier(), what);
    final int[] ints = new int[values.length];
    linear.toInts(values, values.length, ints);
    for (int i = 0; i < values.length; i++) {
      assertTrue(ints[i] >= 0, what);
      assertEquals(values[i], linear.base() + linear.multiplier() * ints[i], what);
    }
  }
}
