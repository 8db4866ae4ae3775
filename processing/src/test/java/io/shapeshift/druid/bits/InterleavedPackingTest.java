// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

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
class InterleavedPackingTest {
  private static final int UNTOUCHED = -6016;
  private static final ByteOrder[] ORDERS = {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN};

  @ParameterizedTest
  @CsvSource({
    "1, 16, 1", "15, 16, 1", "16, 16, 1", "17, 16, 2", "512, 16, 32", "1000, 16, 63", "1023, 16, 64", "1024, 32, 32",
    "1025, 16, 65", "2048, 64, 32", "4096, 128, 32", "8192, 256, 32", "16383, 16, 1024", "16384, 512, 32"
  })
  void lanesAreA32ndOfFullChunksAnd16OfOthers(int numValues, int lanes, int rows) {
    assertEquals(lanes, 1 << InterleavedPacking.logLanes(numValues));
    assertEquals(rows, InterleavedPacking.numRows(numValues));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 0", "1, 1, 16", "1, 32, 16", "17, 16, 16", "17, 17, 32", "512, 1, 16", "512, 9, 144", "513, 1, 32",
    "1024, 1, 32", "16384, 1, 512", "16384, 31, 15872", "16383, 31, 15872", "16384, 32, 16384"
  })
  void lanesEndWithWholeWords(int numValues, int width, int words) {
    assertEquals(words, InterleavedPacking.numWords(numValues, width));
  }

  @Test
  void widthsAndMasksAreOfUnsignedValues() {
    assertEquals(0, InterleavedPacking.width(0));
    assertEquals(1, InterleavedPacking.width(1));
    assertEquals(8, InterleavedPacking.width(255));
    assertEquals(9, InterleavedPacking.width(256));
    assertEquals(31, InterleavedPacking.width(Integer.MAX_VALUE));
    assertEquals(32, InterleavedPacking.width(-1));
    assertEquals(0, InterleavedPacking.mask(0));
    assertEquals(1, InterleavedPacking.mask(1));
    assertEquals(255, InterleavedPacking.mask(8));
    assertEquals(Integer.MAX_VALUE, InterleavedPacking.mask(31));
    assertEquals(-1, InterleavedPacking.mask(32));
  }

  /** Row r of a lane takes the bits from r * width on. */
  @Test
  void neighboursLieInDifferentWords() {
    final ByteBuffer packed = pack(RandomData.sequence(48, 0), 12, ByteOrder.BIG_ENDIAN, 0);
    assertEquals(2 * 16 * 4, packed.position());
    for (int lane = 0; lane < 16; lane++) {
      assertEquals(lane | (16 + lane) << 12 | (32 + lane) << 24, packed.getInt(4 * lane));
      assertEquals((32 + lane) >> 8, packed.getInt(4 * (16 + lane)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {
    1, 2, 15, 16, 17, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2048, 4095, 4096, 4097, 8192,
    16_383, 16_384
  })
  void readsEveryWidthFromAnyOffset(int numValues, RandomData random) {
    for (int width = 0; width <= 32; width++) {
      final int[] values = values(numValues, width, random);
      for (ByteOrder order : ORDERS) {
        final int offset = random.nextInt(9);
        final ByteBuffer packed = pack(values, width, order, offset);
        assertEquals(4 * InterleavedPacking.numWords(numValues, width), packed.position() - offset);
        final String message = width + " bits, " + order;
        // One at a time, of which there are none without bits.
        for (int i = 0; i < numValues && width > 0; i += random.between(1, 1 + numValues / 500)) {
          assertEquals(values[i], get(packed, offset, numValues, width, i), message);
        }
        final int base = random.nextInt(1000);
        final int[] all = new int[numValues];
        unpack(packed, offset, numValues, width, base, all, 0, 0, numValues);
        assertArrayEquals(RandomData.above(base, values), all, message);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 17, 300, 512, 1024, 1025, 4096, 16_384})
  void readsPartsOfRowsAndTouchesNothingElse(int numValues, RandomData random) {
    for (int width = 0; width <= 32; width++) {
      final int[] values = values(numValues, width, random);
      final ByteOrder order = ORDERS[random.nextInt(2)];
      final ByteBuffer packed = pack(values, width, order, 3);
      for (int attempt = 0; attempt < 20; attempt++) {
        final int start = random.nextInt(numValues);
        final int length = random.between(0, numValues - start);
        final int offset = random.nextInt(5);
        final int[] expected = RandomData.constant(offset + length + 1, UNTOUCHED);
        System.arraycopy(values, start, expected, offset, length);
        final int[] actual = RandomData.constant(offset + length + 1, UNTOUCHED);
        unpack(packed, 3, numValues, width, 0, actual, offset, start, length);
        assertArrayEquals(expected, actual, () -> length + " from " + start);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 17, 300, 512, 1024, 1025, 4096, 16_384})
  void readsAnyPositionsAndTouchesNothingElse(int numValues, RandomData random) {
    final int logLanes = InterleavedPacking.logLanes(numValues);
    for (int width = 1; width <= 32; width++) {
      final int[] values = values(numValues, width, random);
      final RawBytes packed = bytes(pack(values, width, ORDERS[random.nextInt(2)], 3));
      for (int most : new int[] {1, 2, 10, 200}) {
        final int less = random.nextInt(1000);
        final int[] indexes = random.nextInt(3) == 0
                              ? IntStream.generate(() -> random.nextInt(numValues)).limit(50).toArray()
                              : IntStream.range(0, numValues).filter(i -> random.nextInt(most) == 0).toArray();
        final int from = random.between(0, indexes.length);
        final int to = random.between(from, indexes.length);
        final int[] expected = RandomData.constant(indexes.length, UNTOUCHED);
        for (int i = from; i < to; i++) {
          expected[i] = values[indexes[i]] + 70;
        }
        final int[] moved = RandomData.above(less, indexes);
        final int[] actual = RandomData.constant(indexes.length, UNTOUCHED);
        InterleavedPacking.gather(packed, 3, logLanes, width, 70, actual, moved, from, to, less);
        assertArrayEquals(expected, actual, "one by one, " + width + " bits");
        final int[] byRow = RandomData.constant(indexes.length, UNTOUCHED);
        InterleavedPacking.gatherByRow(packed, 3, logLanes, width, 70, byRow, moved, from, to, less);
        assertArrayEquals(expected, byRow, "by row, " + width + " bits");
      }
    }
  }

  /** What an array held before must not be seen. */
  @Test
  void wordsAreClearedBeforeTheyArePacked() {
    final int[] words = RandomData.constant(1024, -1);
    final ByteBuffer out = ByteBuffer.allocate(4096);
    InterleavedPacking.pack(new int[100], 20, 20, words, out);
    for (int i = 0; i < out.position(); i++) {
      assertEquals(0, out.get(i));
    }
  }

  private static int[] values(int numValues, int width, RandomData random) {
    final int[] values = new int[numValues];
    Arrays.setAll(values, i -> random.uniform(width));
    // The highest and the lowest bits, at both ends.
    values[0] = InterleavedPacking.mask(width);
    values[numValues - 1] = InterleavedPacking.mask(width);
    return values;
  }

  private static ByteBuffer pack(int[] values, int width, ByteOrder order, int offset) {
    final int numWords = InterleavedPacking.numWords(values.length, width);
    final ByteBuffer out = ByteBuffer.allocate(offset + 4 * numWords).order(order).position(offset);
    InterleavedPacking.pack(values, values.length, width, new int[numWords], out);
    return out;
  }

  private static RawBytes bytes(ByteBuffer packed) {
    final RawBytes bytes = new RawBytes();
    bytes.wrap(packed);
    return bytes;
  }

  private static int get(ByteBuffer packed, int offset, int numValues, int width, int index) {
    return InterleavedPacking.get(
        bytes(packed),
        offset,
        InterleavedPacking.logLanes(numValues),
        width,
        InterleavedPacking.mask(width),
        index
    );
  }

  /** Row by row. */
  private static void unpack(
      ByteBuffer packed,
      int offset,
      int numValues,
      int width,
      int base,
      int[] out,
      int outOffset,
      int start,
      int length
  ) {
    final int logLanes = InterleavedPacking.logLanes(numValues);
    final int lanes = 1 << logLanes;
    int done = 0;
    while (done < length) {
      final int lane = (start + done) % lanes;
      final int count = Math.min(length - done, lanes - lane);
      if (width == 0) {
        Arrays.fill(out, outOffset + done, outOffset + done + count, base);
      } else {
        InterleavedPacking.unpack(
            bytes(packed), offset, logLanes, width, (start + done) / lanes, lane, base, out, outOffset + done, count,
            new int[count]);
      }
      done += count;
    }
  }
}
