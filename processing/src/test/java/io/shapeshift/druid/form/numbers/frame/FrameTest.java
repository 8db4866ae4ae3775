// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.NumberArrays;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which numbers fit into which frame, and with what around the ints. */
@ExtendWith(RandomData.Seeded.class)
class FrameTest {
  /** What a frame makes of numbers: the exponent, if it is one of decimals, base, multiplier, and the exceptions. */
  private static String describe(Frame frame, NumberType type, long... bits) {
    final NumberChunk chunk = new NumberChunk(type);
    Arrays.stream(bits).forEach(chunk::add);
    final Framed framed = frame.framed(chunk);
    if (framed == null) {
      return "none";
    }
    final ByteBuffer header = ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES);
    framed.header().accept(header);
    assertEquals(framed.headerSize(), header.position());
    header.flip();
    final int flags = header.get();
    final String exponent = frame == NumberForms.DECIMAL ? "e" + header.get() + " " : "";
    final long base = (flags & 1) == 0 ? 0 : header.getLong();
    final long multiplier = (flags & 2) == 0 ? 1 : header.getLong();
    final int exceptions = (flags & 4) == 0 ? 0 : header.getShort();
    return exponent + base + " + " + multiplier + "n" + (exceptions == 0 ? "" : ", " + exceptions + " exceptions");
  }

  private static String decimals(NumberType type, String numbers) {
    return describe(NumberForms.DECIMAL, type, Arrays.stream(numbers.split(" "))
        .mapToLong(number -> type == NumberType.DOUBLE
            ? Double.doubleToRawLongBits(Double.parseDouble(number))
            : NumberArrays.bits(Float.parseFloat(number)))
        .toArray());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "DOUBLE | 1 2 3                                   | e0 0 + 1n",
    "DOUBLE | 0.1 0.2 0.4                             | e1 0 + 1n",
    "DOUBLE | 1.05 1.10 1.20                          | e2 0 + 5n",
    "DOUBLE | -0.5 0.5                                | e1 -5 + 10n",
    "DOUBLE | 1e-18 7e-18                             | e18 1 + 6n",
    "DOUBLE | 1e-19 7e-19                             | none",
    "DOUBLE | 0.1 -0.0                                | none",
    "DOUBLE | NaN 1                                   | none",
    "DOUBLE | Infinity 1                              | none",
    "DOUBLE | 3.141592653589793 2.718281828459045     | none",
    "DOUBLE | 2251799813685248 2251799813685247       | e0 2251799813685247 + 1n",
    "DOUBLE | -2251799813685248 -2251799813685247     | e0 -2251799813685248 + 1n",
    "DOUBLE | 2251799813685249 2251799813685250       | none",
    "DOUBLE | 0 2147483647                            | e0 0 + 2147483647n",
    "DOUBLE | 0 1 2147483647                          | e0 0 + 1n",
    "DOUBLE | 0 1 2147483648                          | none",
    "FLOAT  | 0.1 0.2 0.4                             | e1 0 + 1n",
    "FLOAT  | 1e-10 7e-10                             | e10 1 + 6n",
    "FLOAT  | 1e-11 7e-11                             | none",
    "FLOAT  | 16777216 16777215                       | e0 0 + 1n",
    "FLOAT  | -16777216 0                             | e0 -16777216 + 16777216n",
    "FLOAT  | -16777216 16777216                      | none",
    "FLOAT  | -8388608 8388608                        | e0 -8388608 + 16777216n",
    "FLOAT  | 16777218 16777220                       | none",
    "FLOAT  | 0.1 -0.0                                | none"
  })
  void decimalsAreQuotientsOfExactIntegers(NumberType type, String numbers, String expected) {
    assertEquals(expected, decimals(type, numbers));
  }

  /** One of sixteen at the most. */
  @ParameterizedTest
  @ValueSource(strings = {"NaN", "-0.0", "Infinity", "3.141592653589793", "1e30", "1e-30"})
  void whatIsNoDecimalIsAnException(String exception) {
    for (NumberType type : List.of(NumberType.DOUBLE, NumberType.FLOAT)) {
      assertEquals("e1 0 + 1n, 1 exceptions", decimals(type, "0.1 0.2 ".repeat(8) + exception));
      assertEquals("e1 0 + 1n, 2 exceptions",
          decimals(type, exception + " " + "0.1 0.2 ".repeat(16) + exception));
      assertEquals("none", decimals(type, "0.1 0.2 ".repeat(7) + exception));
      assertEquals("none", decimals(type, "0.1 0.2 ".repeat(14) + exception + " " + exception));
    }
  }

  @Test
  void outliersAreExceptionsWhereTheyAreFew() {
    final long[] bits = IntStream.range(0, 32).mapToLong(i -> i % 5 * 3 - 1).toArray();
    assertEquals("-1 + 3n", describe(NumberForms.LINEAR, NumberType.LONG, bits));
    bits[31] = Long.MIN_VALUE;
    assertEquals("-1 + 3n, 1 exceptions", describe(NumberForms.LINEAR, NumberType.LONG, bits));
    bits[0] = Long.MAX_VALUE;
    assertEquals("-1 + 3n, 2 exceptions", describe(NumberForms.LINEAR, NumberType.LONG, bits));
    bits[17] = 1L << 40;
    assertEquals("none", describe(NumberForms.LINEAR, NumberType.LONG, bits));
  }

  /** Only longs are put into frames of differences, and none of which a difference overflows. */
  @Test
  void differencesDoNotOverflow() {
    for (long[] bits : new long[][] {
        {Long.MIN_VALUE, Long.MAX_VALUE}, {Long.MAX_VALUE, Long.MIN_VALUE}, {-2, Long.MAX_VALUE}, {1},
        {1L << 62, -(1L << 62) - 1}}) {
      final NumberChunk chunk = new NumberChunk(NumberType.LONG);
      Arrays.stream(bits).forEach(chunk::add);
      assertNull(NumberForms.DELTA.framed(chunk), () -> Arrays.toString(bits));
    }
    final NumberChunk chunk = new NumberChunk(NumberType.LONG);
    chunk.add(Long.MIN_VALUE);
    chunk.add(-1);
    assertNotNull(NumberForms.DELTA.framed(chunk), "the largest difference");
  }

  /** Lists of numbers are for those that no other frame takes, of at least four to an entry. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void listsAreForFewNumbersThatFitInNowhereElse(NumberType type, RandomData random) {
    final long[] entries = IntStream.range(0, 4)
        .mapToLong(i -> type == NumberType.FLOAT ? random.nextLong() & 0xFFFF_FFFFL : random.nextLong()).toArray();
    entries[0] = type == NumberType.FLOAT ? 1 : Long.MIN_VALUE + 1;
    entries[1] = type == NumberType.FLOAT ? 0xFFFF_FFFEL : Long.MAX_VALUE - 1;
    for (int size : new int[] {15, 16, 17}) {
      final NumberChunk chunk = new NumberChunk(type);
      IntStream.range(0, size).forEach(i -> chunk.add(entries[i % 4]));
      assertEquals(size < 16, NumberForms.DICTIONARY.framed(chunk) == null, size + " numbers");
    }
    final NumberChunk linear = new NumberChunk(type);
    IntStream.range(0, 16).forEach(i -> linear.add(i % 4));
    assertNull(NumberForms.DICTIONARY.framed(linear));
  }
}
