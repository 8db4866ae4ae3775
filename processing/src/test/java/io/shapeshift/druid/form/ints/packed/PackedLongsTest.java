// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.bits.InterleavedLongs;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(RandomData.Seeded.class)
class PackedLongsTest {
  private static final long UNTOUCHED = -6016;

  private final PackedLongs longs = new PackedLongs();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 17, 63, 64, 65, 700, 1023, 1024, 1025, 2048, 4096, 8191, 16_384})
  void readsEveryWidthAboveOneBase(int numValues, RandomData random) {
    for (int width = 0; width <= InterleavedLongs.MAX_WIDTH; width++) {
      final long base = random.nextLong();
      final long[] values = differences(numValues, width, random);
      final int offset = random.nextInt(9);
      final ByteBuffer words = pack(values, width, offset, random);
      Arrays.setAll(values, i -> base + values[i]);
      longs.read(words, offset, words.limit() - offset, numValues, width, base);
      assertReads(values, random, width + " bits");
    }
  }

  /** The rows are those of words of 32 bits, which have other lanes than the words of 64 bits. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16, 17, 63, 64, 65, 700, 1023, 1024, 1025, 2048, 4096, 8191, 16_384})
  void readsEveryWidthAboveBasesOfRows(int numValues, RandomData random) {
    final int baseLength = Reference.lanes(numValues);
    for (int width = 0; width <= 31; width++) {
      final int[] bases = IntStream.range(0, (numValues + baseLength - 1) / baseLength)
          .map(i -> random.uniform(31))
          .toArray();
      final long[] values = differences(numValues, width, random);
      final int start = Integer.BYTES * bases.length;
      final ByteBuffer words = pack(values, width, start, random);
      for (int i = 0; i < bases.length; i++) {
        words.putInt(Integer.BYTES * i, bases[i]);
      }
      Arrays.setAll(values, i -> bases[i / baseLength] + values[i]);
      longs.readRows(words, 0, start, words.limit() - start, numValues, width);
      assertReads(values, random, width + " bits in rows");
    }
  }

  @Test
  void forgetsTheBasesOfRows(RandomData random) {
    final ByteBuffer bases = ByteBuffer.allocate(Integer.BYTES * 2);
    longs.readRows(bases, 0, bases.limit(), 0, 17, 0);
    longs.read(bases, 0, 0, 17, 0, 1L << 40);
    final long[] expected = new long[17];
    Arrays.fill(expected, 1L << 40);
    assertReads(expected, random, "a constant behind rows");
  }

  @ParameterizedTest
  @CsvSource({
    "3, 0, 1, '3 longs of 0 bits take 1 bytes, expected 0'",
    "3, 63, 16, '3 longs of 63 bits take 16 bytes, expected 24'",
    "1025, 1, 264, '1025 longs of 1 bits take 264 bytes, expected 256'"
  })
  void refusesOtherLengths(int numValues, int width, int length, String message) {
    final ByteBuffer words = ByteBuffer.allocate(length);
    final MalformedChunkException e = assertThrows(
        MalformedChunkException.class, () -> longs.read(words, 0, length, numValues, width, 0));
    assertEquals(message, e.getMessage());
  }

  private static long[] differences(int numValues, int width, RandomData random) {
    final long mask = width == 0 ? 0 : InterleavedLongs.mask(width);
    final long[] values = new long[numValues];
    Arrays.setAll(values, i -> random.nextLong() & mask);
    values[numValues - 1] = mask;
    return values;
  }

  private static ByteBuffer pack(long[] values, int width, int offset, RandomData random) {
    final int numWords = InterleavedLongs.numWords(values.length, width);
    final int size = offset + Long.BYTES * numWords;
    final ByteBuffer out = random.nextInt(2) == 0 ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
    out.order(random.nextInt(2) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN).position(offset);
    InterleavedLongs.pack(values, values.length, width, new long[numWords], out);
    return out;
  }

  private void assertReads(long[] values, RandomData random, String message) {
    final int size = values.length;
    for (int i = 0; i < size; i += random.between(1, 1 + size / 500)) {
      assertEquals(values[i], longs.get(i), message);
    }
    for (int attempt = 0; attempt < 10; attempt++) {
      final int start = attempt == 0 ? 0 : random.nextInt(size);
      final int length = attempt == 0 ? size : random.between(0, size - start);
      final long added = attempt == 0 ? 0 : random.nextLong();
      final int offset = random.nextInt(7);
      final long[] expected = untouched(offset + length + 1);
      Arrays.setAll(expected, i -> i >= offset && i < offset + length ? values[start + i - offset] + added : UNTOUCHED);
      final long[] actual = untouched(expected.length);
      longs.get(actual, offset, start, length, added);
      assertArrayEquals(expected, actual, () -> length + " from " + start + ": " + message);
    }
    for (int most : new int[] {1, 3, 50, 1000}) {
      final int first = random.nextInt(size);
      assertPositions(
          values, IntStream.range(0, size).filter(i -> i == first || random.nextInt(most) == 0).toArray(), random,
          message);
    }
    assertPositions(values, IntStream.generate(() -> random.nextInt(size)).limit(100).toArray(), random, message);
  }

  private void assertPositions(long[] values, int[] positions, RandomData random, String message) {
    final int start = random.nextInt(1_000_000);
    final int from = random.nextInt(positions.length);
    final int to = random.between(from + 1, positions.length);
    final long added = random.nextLong();
    final long[] expected = untouched(positions.length);
    for (int i = from; i < to; i++) {
      expected[i] = values[positions[i]] + added;
    }
    final long[] actual = untouched(positions.length);
    longs.get(actual, RandomData.above(start, positions), from, to, start, added);
    assertArrayEquals(expected, actual, () -> to - from + " positions: " + message);
  }

  private static long[] untouched(int length) {
    final long[] array = new long[length];
    Arrays.fill(array, UNTOUCHED);
    return array;
  }
}
