// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatchedFormTest extends FormContract {
  @Override
  IntForm form() {
    return new PatchedForm();
  }

  /**
   * There must be a width, or a single value, that at least half of the values have, with which the chunk takes no more
   * than any may.
   */
  @Override
  Estimate.Kind expectedEstimate(int[] values) {
    final int[] distinct = Arrays.stream(values).distinct().sorted().toArray();
    if (values.length > 16_384 || distinct.length == 1) {
      return Estimate.Kind.SKIP;
    }
    final int min = distinct[0];
    final int second = distinct[1];
    final int max = distinct[distinct.length - 1];
    boolean suits = false;
    for (int width = 1; width < Reference.width(max - min); width++) {
      final int escape = min + (1 << width) - 1;
      suits |= suits(values, width, value -> value >= escape, Reference.width(max - escape));
    }
    final int widthWithoutMin = Reference.width(max - second);
    if (widthWithoutMin < Reference.width(max - min)) {
      for (int width = 1; width <= Math.min(30, widthWithoutMin + 1); width++) {
        final long escape = second + (1L << width) - 1;
        suits |= suits(values, width, value -> value == min || value >= escape, Reference.width(max - min));
      }
    }
    final int majority = distinct[mostFrequent(values, distinct)];
    final int[] others = Arrays.stream(distinct).filter(value -> value != majority).toArray();
    if (2 * Arrays.stream(values).filter(value -> value == majority).count() > values.length) {
      suits |= suits(
          values, 0, value -> value != majority, Reference.width(others[others.length - 1] - others[0]));
    }
    return suits ? Estimate.Kind.EXACT : Estimate.Kind.SKIP;
  }

  private static boolean suits(int[] values, int width, IntPredicate exceptional, int exceptionWidth) {
    final int numExceptions = (int) Arrays.stream(values).filter(exceptional).count();
    final int numSegments = (values.length + 255) / 256;
    final int positions =
        Math.min(2 * numExceptions, Math.min(2 * numSegments + numExceptions, 34 * numSegments));
    final int size = 14 + positions + (numExceptions * exceptionWidth + 7) / 8 + 7
        + 4 * Reference.transposedWords(values.length, width);
    return numExceptions <= values.length / 2 && size <= Forms.MAX_CHUNK_BYTES;
  }

  /** The place of the most frequent value among all distinct ones. */
  private static int mostFrequent(int[] values, int[] distinct) {
    final int[] counts = new int[distinct.length];
    int most = 0;
    for (int value : values) {
      final int place = Arrays.binarySearch(distinct, value);
      counts[place]++;
      most = counts[place] > counts[most] ? place : most;
    }
    return most;
  }

  @Override
  int[] readByTheBook(ByteBuffer chunk, int numValues) {
    final int width = chunk.get();
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
    final int[] values = Reference.transposed(chunk, numValues, width);
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
  boolean tellsNumValues(ByteBuffer chunk) {
    return false;
  }

  @Override
  List<Sample> hardSamples(RandomData random) {
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
  @CsvSource({"1000, 0", "20, 1", "3, 2"})
  void positionsAreInTheLayoutThatTakesTheLeastBytes(int every, int layout) {
    final int[] values = IntStream.range(0, 4096).map(i -> i % every == 0 ? 1000 + i : i % 3).toArray();
    assertEquals(layout, new Sample("exceptions", values).encode(form(), ByteOrder.LITTLE_ENDIAN).get(3));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "09 00 00 00 01 00 05 00 00 00 06 00 00 | 3 | patched has 13 bytes, expected at least 14",
    "09 1f 00 00 01 00 05 00 00 00 06 00 00 00 | 3 | patched has values of 31 bits, expected 0 to 30",
    "09 ff 00 00 01 00 05 00 00 00 06 00 00 00 | 3 | patched has values of -1 bits, expected 0 to 30",
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
        + "| segment 0 comes behind 2 positions, expected 0 to 1",
    "09 00 00 01 02 00 05 00 00 00 06 00 00 00 02 00 01 00 02 00 00 00 00 00 00 00 00 | 300 "
        + "| segment 1 comes behind 1 positions, expected 2 to 2"
  })
  void saysWhatIsWrongWithAChunk(String hex, int numValues, String message) {
    assertRefused(hex, numValues, message);
  }
}
