// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reads;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RadixFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new RadixForm();
  }

  /** Whether it saves enough depends on the number of values: see {@link #takesSoManyBytes}. */
  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    final var summary = IntStream.of(values).summaryStatistics();
    final long radix = (long) summary.getMax() - summary.getMin() + 1;
    return values.length > 16_384 || radix > 1448 || Long.bitCount(radix) == 1 ? Estimate.Kind.SKIP : null;
  }

  /** The number that a fraction was made of, by division, and then its digits. */
  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final int numDigits = chunk.get();
    final int width = chunk.get();
    final int radix = Reference.word(chunk, 2);
    final int lanes = Reference.word(chunk, 2);
    final int base = Reference.word(chunk, 4);
    final int rows = (numValues + lanes - 1) / lanes;
    final int[] fractions =
        Reference.interleaved(chunk, lanes, (rows + numDigits - 1) / numDigits * lanes, width);
    final int[] values = new int[numValues];
    for (int i = 0; i < numValues; i++) {
      final int row = i / lanes;
      final long fraction = fractions[row / numDigits * lanes + i % lanes];
      final long number = (fraction * power(radix, numDigits)) >> width;
      values[i] = base + (int) (number / power(radix, numDigits - 1 - row % numDigits) % radix);
    }
    return values;
  }

  private static long power(int radix, int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= radix;
    }
    return power;
  }

  /** The last words of all lanes are filled up. */
  @Override
  public boolean tellsNumValues(ByteBuffer chunk) {
    return false;
  }

  @Override
  public List<Sample> hardSamples(RandomData random) {
    final List<Sample> samples = new ArrayList<>();
    for (int length : Sample.LENGTHS) {
      for (int radix : new int[] {3, 5, 7, 50, 1025}) {
        samples.add(new Sample(length + " of radix " + radix, RandomData.above(1000, digits(random, length, radix))));
      }
    }
    for (int radix = 3; radix < 70; radix++) {
      samples.add(new Sample("radix " + radix, digits(random, 16_384, radix)));
      samples.add(new Sample("up to the largest int, radix " + radix,
          RandomData.above(Integer.MAX_VALUE - radix + 1, digits(random, 10_000, radix))));
    }
    return samples;
  }

  private static int[] digits(RandomData random, int length, int radix) {
    return IntStream.range(0, length).map(i -> i < 2 ? i * (radix - 1) : random.nextInt(radix)).toArray();
  }

  /** All numbers of some digits there are, and those at both ends where they are too many. */
  @Test
  void readsAllNumbersOfEachRadix(RandomData random) {
    for (int radix = 3; radix <= 1448; radix += radix < 108 ? 1 : 67) {
      final int[] values = new int[16_384];
      for (int i = 0; i < values.length; i++) {
        // Of the first rows all digits are the largest or the smallest, then they count up from lane to lane.
        values[i] = i < 4096 ? i % 2 * (radix - 1) : i < 8192 ? i / 64 % radix : random.nextInt(radix);
      }
      final Sample sample = new Sample("radix " + radix, values);
      final ByteBuffer chunk = sample.encode(form(), ByteOrder.LITTLE_ENDIAN);
      chunk.get();
      assertArrayEquals(values, readByTheBook(chunk, values.length), sample.name());
      try (IntChunkReader reader = new IntChunkReader()) {
        reader.startChunk(values.length);
        form().transform(chunk, 0, chunk.limit(), reader);
        Reads.assertAll(values, reader, random, sample::name);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    // The whole bits that bitpack takes would be 4096, 6144, 8192, 10240 and 12288 bytes.
    "16384, 3, 3291", "16384, 4, 0", "16384, 5, 4867", "16384, 6, 5475", "16384, 7, 5871", "16384, 8, 0",
    "16384, 9, 6567", "16384, 10, 6851", "16384, 11, 7299", "16384, 15, 0", "16384, 17, 8755", "16384, 50, 11691",
    "16384, 60, 0", "16384, 1025, 21859", "16384, 1448, 21859", "16384, 1449, 0",
    "4096, 3, 831", "4096, 5, 1227", "4096, 9, 1651", "4096, 50, 0", "700, 3, 151", "3, 3, 0"
  })
  void takesSoManyBytes(int length, int radix, int bytes, RandomData random) {
    final Estimate estimate = form().estimate(new Sample("", digits(random, length, radix)).chunk());
    assertEquals(bytes == 0 ? Estimate.SKIP : Estimate.exact(bytes), estimate);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "10                               | 3 | radix has 1 bytes, expected at least 11",
    "10                               | 16385 | 'radix has 16385 values, but can have at most 16384'",
    "10 02 04 03 00 10 00 07 00 00    | 3 | radix has 10 bytes, expected at least 11",
    "10 02 04 03 00 00 00 07 00 00 00 | 3 | radix has no lanes",
    "10 02 04 02 00 10 00 07 00 00 00 | 3 | 'radix has digits of radix 2, expected 3 to 1448'",
    "10 02 04 a9 05 10 00 07 00 00 00 | 3 | 'radix has digits of radix 1449, expected 3 to 1448'",
    "10 02 04 ff ff 10 00 07 00 00 00 | 3 | 'radix has digits of radix -1, expected 3 to 1448'",
    "10 02 00 03 00 10 00 07 00 00 00 | 3 | 'radix has values of 0 bits, expected 1 to 30'",
    "10 02 1f 03 00 10 00 07 00 00 00 | 3 | 'radix has values of 31 bits, expected 1 to 30'",
    "10 02 1d 09 00 10 00 07 00 00 00 | 3 | 'radix has values of 29 bits, expected 1 to 28'",
    "10 01 04 03 00 10 00 07 00 00 00 | 3 | radix has 1 digits of radix 3 in 4 bits",
    "10 ff 04 03 00 10 00 07 00 00 00 | 3 | radix has -1 digits of radix 3 in 4 bits",
    "10 03 04 03 00 10 00 07 00 00 00 | 3 | radix has 3 digits of radix 3 in 4 bits",
    "10 7f 15 a8 05 10 00 07 00 00 00 | 3 | radix has 127 digits of radix 1448 in 21 bits",
    "10 02 04 03 00 10 00 07 00 00 00 | 3 | '3 values of radix 3 take 0 bytes, expected 64'",
    "10 02 04 03 00 ff ff 07 00 00 00 | 3 | '3 values of radix 3 take 0 bytes, expected 262140'"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }
}
