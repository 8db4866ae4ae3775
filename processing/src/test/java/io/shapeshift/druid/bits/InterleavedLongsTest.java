// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(RandomData.Seeded.class)
class InterleavedLongsTest {
  private static final long UNTOUCHED = -6016;
  private static final ByteOrder[] ORDERS = {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN};

  @ParameterizedTest
  @CsvSource({
    // of other numbers of values one lane for each 64, a power of two up to 16
    "1, 1, 1", "63, 32, 1", "64, 32, 1", "127, 63, 1", "128, 4, 2", "512, 32, 8", "1000, 8, 8", "1023, 63, 8",
    "1025, 32, 16", "2047, 1, 16", "16383, 32, 16",
    // of powers of two as many as leave no bit unused, up to 512
    "1024, 1, 16", "1024, 63, 16", "1024, 2, 32", "1024, 32, 512", "2048, 1, 32", "2048, 24, 256", "2048, 48, 512",
    "4096, 12, 256", "8192, 7, 128", "16384, 1, 256", "16384, 6, 512", "16384, 32, 512", "65536, 1, 512"
  })
  void lanesFillUpTheirWords(int numValues, int width, int lanes) {
    assertEquals(lanes, 1 << InterleavedLongs.logLanes(numValues, width));
    assertEquals(lanes, Reference.lanesOfLongs(numValues, width), "by the book");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 0", "1, 1, 1", "1, 63, 1", "2, 32, 1", "2, 33, 2", "65, 1, 2", "65, 63, 64", "16384, 0, 0",
    // 1,023 values are 128 rows of 8 lanes, 1,025 are 65 of 16
    "1023, 1, 16", "1023, 63, 1008", "1025, 1, 32", "1025, 63, 1024"
  })
  void lanesEndWithWholeWords(int numValues, int width, int words) {
    assertEquals(words, InterleavedLongs.numWords(numValues, width));
  }

  @ParameterizedTest
  @ValueSource(ints = {1024, 2048, 4096, 8192, 16_384, 32_768, 65_536})
  void powersOfTwoLeaveNoBitUnused(int numValues) {
    for (int width = 1; width <= InterleavedLongs.MAX_WIDTH; width++) {
      assertEquals(numValues * width / Long.SIZE, InterleavedLongs.numWords(numValues, width), width + " bits");
    }
  }

  @Test
  void masksHaveAsManyBits() {
    for (int width = 1; width <= InterleavedLongs.MAX_WIDTH; width++) {
      assertEquals((1L << width) - 1, InterleavedLongs.mask(width));
    }
  }

  /** Row r of a lane takes the bits from r * width on. */
  @Test
  void neighboursLieInDifferentWords() {
    final long[] values = LongStream.range(0, 192).toArray();
    final ByteBuffer packed = pack(values, 24, ByteOrder.BIG_ENDIAN, 0, false);
    assertEquals(2 * 36 * Long.BYTES, packed.limit());
    for (int lane = 0; lane < 2; lane++) {
      assertEquals(lane | (2L + lane) << 24 | (4L + lane) << 48, packed.getLong(Long.BYTES * lane));
      assertEquals((6L + lane) << 8 | (8L + lane) << 32 | (10L + lane) << 56, packed.getLong(Long.BYTES * (2 + lane)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {
    1, 2, 3, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 4096, 8191, 8192, 8193, 16_384
  })
  void readsEveryWidthFromAnyOffset(int numValues, RandomData random) {
    for (int width = 1; width <= InterleavedLongs.MAX_WIDTH; width++) {
      final long[] values = values(numValues, width, random);
      int combination = width;
      for (ByteOrder order : ORDERS) {
        if (!Tier.tries(combination++, 2)) {
          continue;
        }
        final int offset = random.nextInt(9);
        final ByteBuffer packed = pack(values, width, order, offset, random.nextInt(2) == 0);
        final String message = width + " bits, " + order;
        assertArrayEquals(
            values,
            Reference.interleavedLongs(packed.duplicate().order(order).position(offset), numValues, width),
            () -> "by the book: " + message);
        final RawBytes bytes = bytes(packed);
        final int logLanes = InterleavedLongs.logLanes(numValues, width);
        final long mask = InterleavedLongs.mask(width);
        for (int i = 0; i < numValues; i += random.between(1, 1 + numValues / 500)) {
          assertEquals(values[i], InterleavedLongs.get(bytes, offset, logLanes, width, mask, i), message);
        }
        final long base = random.nextLong();
        final long[] all = new long[numValues];
        unpack(bytes, offset, numValues, width, base, all, 0, 0, numValues, random);
        assertArrayEquals(above(base, values), all, message);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 65, 1000, 1024, 1025, 4096, 16_384})
  void readsPartsOfRowsAndTouchesNothingElse(int numValues, RandomData random) {
    for (int width = 1; width <= InterleavedLongs.MAX_WIDTH; width++) {
      final long[] values = values(numValues, width, random);
      final RawBytes packed = bytes(pack(values, width, ORDERS[random.nextInt(2)], 3, random.nextInt(2) == 0));
      for (int attempt = 0; attempt < 20; attempt++) {
        final int start = random.nextInt(numValues);
        final int length = random.between(0, numValues - start);
        final int offset = random.nextInt(5);
        final long base = random.nextLong();
        final long[] expected = untouched(offset + length + 1);
        System.arraycopy(above(base, values), start, expected, offset, length);
        final long[] actual = untouched(offset + length + 1);
        unpack(packed, 3, numValues, width, base, actual, offset, start, length, random);
        assertArrayEquals(expected, actual, () -> length + " from " + start);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 65, 1000, 1024, 1025, 4096, 16_384})
  void readsAnyPositionsAndTouchesNothingElse(int numValues, RandomData random) {
    for (int width = 1; width <= InterleavedLongs.MAX_WIDTH; width++) {
      final int logLanes = InterleavedLongs.logLanes(numValues, width);
      final long[] values = values(numValues, width, random);
      final RawBytes packed = bytes(pack(values, width, ORDERS[random.nextInt(2)], 3, random.nextInt(2) == 0));
      for (int most : new int[] {1, 2, 10, 200}) {
        final int less = random.nextInt(1000);
        final int[] indexes = random.nextInt(3) == 0
                              ? IntStream.generate(() -> random.nextInt(numValues)).limit(50).toArray()
                              : IntStream.range(0, numValues).filter(i -> random.nextInt(most) == 0).toArray();
        final int from = random.between(0, indexes.length);
        final int to = random.between(from, indexes.length);
        final long base = random.nextLong();
        final long[] expected = untouched(indexes.length);
        for (int i = from; i < to; i++) {
          expected[i] = values[indexes[i]] + base;
        }
        final long[] actual = untouched(indexes.length);
        InterleavedLongs.gather(
            packed, 3, logLanes, width, base, actual, RandomData.above(less, indexes), from, to, less);
        assertArrayEquals(expected, actual, width + " bits");
      }
    }
  }

  /** What an array held before must not be seen. */
  @Test
  void wordsAreClearedBeforeTheyArePacked() {
    final long[] words = new long[2000];
    Arrays.fill(words, -1);
    final ByteBuffer out = ByteBuffer.allocate(Long.BYTES * words.length);
    InterleavedLongs.pack(new long[1000], 1000, 20, words, out);
    assertEquals(Long.BYTES * InterleavedLongs.numWords(1000, 20), out.position());
    for (int i = 0; i < out.position(); i++) {
      assertEquals(0, out.get(i));
    }
    InterleavedLongs.pack(new long[1000], 1000, 0, words, out.clear());
    assertEquals(0, out.position());
  }

  private static long[] values(int numValues, int width, RandomData random) {
    final long[] values = new long[numValues];
    Arrays.setAll(values, i -> random.nextLong() & InterleavedLongs.mask(width));
    // The highest and the lowest bits, at both ends.
    values[0] = InterleavedLongs.mask(width);
    values[numValues - 1] = InterleavedLongs.mask(width);
    return values;
  }

  private static long[] above(long base, long[] values) {
    return Arrays.stream(values).map(value -> base + value).toArray();
  }

  private static long[] untouched(int length) {
    final long[] array = new long[length];
    Arrays.fill(array, UNTOUCHED);
    return array;
  }

  /** Exactly the bytes that there should be, so that assertions see what is read behind them. */
  private static ByteBuffer pack(long[] values, int width, ByteOrder order, int offset, boolean isDirect) {
    final int numWords = InterleavedLongs.numWords(values.length, width);
    final int size = offset + Long.BYTES * numWords;
    final ByteBuffer out =
        (isDirect ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size)).order(order).position(offset);
    InterleavedLongs.pack(values, values.length, width, new long[numWords], out);
    assertEquals(size, out.position(), "size of " + values.length + " values of " + width + " bits");
    return out;
  }

  private static RawBytes bytes(ByteBuffer packed) {
    assertTrue(RawBytes.class.desiredAssertionStatus(), "reads behind the buffer are found by assertions");
    final RawBytes bytes = new RawBytes();
    bytes.wrap(packed);
    return bytes;
  }

  /** Row by row, with just enough room for second words or with as much as the output has. */
  private static void unpack(
      RawBytes packed,
      int offset,
      int numValues,
      int width,
      long base,
      long[] out,
      int outOffset,
      int start,
      int length,
      RandomData random
  ) {
    final int logLanes = InterleavedLongs.logLanes(numValues, width);
    final int lanes = 1 << logLanes;
    int done = 0;
    while (done < length) {
      final int lane = (start + done) % lanes;
      final int count = Math.min(length - done, lanes - lane);
      final long[] scratch = new long[random.nextInt(2) == 0 ? count : outOffset + done + count];
      InterleavedLongs.unpack(
          packed, offset, logLanes, width, (start + done) / lanes, lane, base, out, outOffset + done, count, scratch);
      done += count;
    }
  }
}
