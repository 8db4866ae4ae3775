// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.patched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.form.ints.Sample;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@link PatchedForm}. */
public class PatchedFormTest extends FormContract {
  @Override
  public IntForm form() {
    return new PatchedForm();
  }

  /** Whether some width is worth it is a guess, from a sample of the values. */
  @Override
  public Estimate.Kind expectedEstimate(int[] values) {
    return values.length > 16_384 || Arrays.stream(values).distinct().count() == 1 ? Estimate.Kind.SKIP : null;
  }

  @Override
  public int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final int flags = chunk.get();
    final int width = flags % 64;
    final int exceptionWidth = chunk.get();
    final int layout = chunk.get();
    final int numExceptions = Reference.word(chunk, 2);
    final int base = Reference.word(chunk, 4);
    final int exceptionBase = Reference.word(chunk, 4);
    final int[] positions = Reference.positions(chunk, layout, numValues, numExceptions);
    final int[] exceptions = Reference.bitStream(chunk, numExceptions, exceptionWidth);
    for (int i = 0; i < 7; i++) {
      assertEquals(0, chunk.get());
    }
    final int[] values = Reference.codes(chunk, numValues, width, flags >= 64);
    for (int i = 0; i < numValues; i++) {
      values[i] += base;
    }
    for (int i = 0; i < numExceptions; i++) {
      if (width > 0) {
        assertEquals((1 << width) - 1 + base, values[positions[i]], "escape");
      }
      values[positions[i]] = exceptionBase + exceptions[i];
    }
    return values;
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
      for (int rarity : new int[] {3, 7, 10, 40, 1000}) {
        final String rare = length + ", one in " + rarity;
        samples.add(new Sample(rare + " null far from a cluster", some(length, rarity, random, 0, 1 << 30, 4)));
        samples.add(new Sample(rare + " of another value", some(length, rarity, random, 70_000, 5, 0)));
        samples.add(new Sample(rare + " the largest value", some(length, rarity, random, Integer.MAX_VALUE, 0, 3)));
        samples.add(new Sample(rare + " of 31 bits", random.exceptions(length, 2, 31, rarity)));
        samples.add(new Sample(rare + " not 7", IntStream.range(0, length)
            .map(i -> random.nextInt(rarity) == 0 ? random.uniform(20) : 7).toArray()));
      }
      samples.add(new Sample(length + " with the first and last", firstAndLast(random, length)));
    }
    for (int width = 1; width <= 30; width++) {
      final int escape = (1 << width) - 1;
      for (int base : new int[] {0, 1, Integer.MAX_VALUE - escape}) {
        final int[] borders = new int[600];
        for (int i = 0; i < borders.length; i++) {
          borders[i] = base + (random.nextInt(50) == 0 ? escape : random.nextInt(escape));
        }
        borders[0] = base;
        borders[1] = base + escape - 1;
        borders[2] = base + escape;
        samples.add(new Sample("up to the escape of " + width + " bits from " + base, borders));
      }
    }
    return samples;
  }

  /** Values of some bits above a base, but for about one in {@code rarity} that is another. */
  private static int[] some(int length, int rarity, RandomData random, int other, int base, int width) {
    return IntStream.range(0, length)
        .map(i -> random.nextInt(rarity) == 0 ? other : base + random.uniform(width))
        .toArray();
  }

  private static int[] firstAndLast(RandomData random, int length) {
    final int[] values = random.uniform(length, 4);
    values[0] = 1_000_000;
    values[length - 1] = 1_000_000;
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 10, 16, 20, 28})
  void storesChunksWithFewExceptions(int width, RandomData random) {
    // None of them is the escape code.
    final int[] values = IntStream.generate(() -> random.nextInt((1 << width) - 1)).limit(4096).toArray();
    for (int base : new int[] {0, 7, 1 << 29}) {
      final int[] exceptions = RandomData.above(base, values);
      Arrays.setAll(exceptions, i -> i % 50 == 0 ? (1 << 30) + i : exceptions[i]);
      assertWidth(width, exceptions, width + " bits above " + base);
    }
    final int[] sparse = RandomData.constant(4096, 5);
    Arrays.setAll(sparse, i -> i % 50 == 0 ? random.ofWidth(width) + 6 : 5);
    assertWidth(0, sparse, "one value, and others of " + width + " bits");
  }

  private void assertWidth(int width, int[] values, String message) {
    final Sample sample = new Sample("", values);
    assertTrue(sample.suits(form()), message);
    assertEquals(width, sample.encode(form(), ByteOrder.LITTLE_ENDIAN).get(1), message);
  }

  @Test
  void skipsChunksWithoutRareValues(RandomData random) {
    for (int width : new int[] {2, 9, 31}) {
      assertFalse(new Sample("", random.uniform(4096, width)).suits(form()), width + " bits");
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, 0", "20, 1", "4, 2"})
  void positionsAreInTheLayoutThatTakesTheLeastBytes(int every, int layout) {
    final int[] values = IntStream.range(0, 4096).map(i -> i % every == 0 ? 1000 + i : i / 8 % 3).toArray();
    assertEquals(layout, new Sample("exceptions", values).encode(form(), ByteOrder.LITTLE_ENDIAN).get(3));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "09 00 00 00 01 00 05 00 00 00 06 00 00 | 3 | patched has 13 bytes, expected at least 14",
    "09 1f 00 00 01 00 05 00 00 00 06 00 00 00 | 3 | patched has values of 31 bits, expected 0 to 30",
    "09 ff 00 00 01 00 05 00 00 00 06 00 00 00 | 3 | patched has values of -1 bits, expected 0 to 94",
    "09 00 20 00 01 00 05 00 00 00 06 00 00 00 | 3 | patched has values of 32 bits, expected 0 to 31",
    "09 00 ff 00 01 00 05 00 00 00 06 00 00 00 | 3 | patched has values of -1 bits, expected 0 to 31",
    "09 00 00 03 01 00 05 00 00 00 06 00 00 00 | 3 | positions are in the layout 3, expected 0 to 2",
    "09 00 00 ff 01 00 05 00 00 00 06 00 00 00 | 3 | positions are in the layout -1, expected 0 to 2",
    "09 00 00 00 00 00 05 00 00 00 06 00 00 00 | 3 | patched has 0 exceptions among 3 values",
    "09 00 00 00 04 00 05 00 00 00 06 00 00 00 | 3 | patched has 4 exceptions among 3 values",
    "09 00 00 00 ff ff 05 00 00 00 06 00 00 00 | 3 | patched has 65535 exceptions among 3 values",
    "09 00 00 00 01 00 05 00 00 00 06 00 00 00 02 00 00 00 00 00 00 00 | 3 "
        + "| patched has 22 bytes, expected at least 23",
    "09 00 01 00 01 00 05 00 00 00 06 00 00 00 02 00 00 00 00 00 00 00 00 | 3 "
        + "| patched has 23 bytes, expected at least 24",
    "09 00 00 00 01 00 05 00 00 00 06 00 00 00 02 00 00 00 00 00 00 00 00 00 | 3 "
        + "| 3 values of 0 bits take 1 bytes, expected 0",
    "09 01 00 00 01 00 05 00 00 00 06 00 00 00 02 00 00 00 00 00 00 00 00 | 3 "
        + "| 3 values of 1 bits take 0 bytes, expected 64",
    "09 00 00 01 01 00 05 00 00 00 06 00 00 00 02 00 02 00 00 00 00 00 00 00 | 3 "
        + "| segment 0 follows 2 positions, expected 0 to 1",
    "09 00 00 01 02 00 05 00 00 00 06 00 00 00 02 00 01 00 02 00 00 00 00 00 00 00 00 | 300 "
        + "| segment 1 follows 1 positions, expected 2 to 2"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }
}
