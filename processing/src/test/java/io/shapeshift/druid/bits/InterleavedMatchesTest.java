// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Single values among packed ones; ranges of them are tested where columns are filtered. */
@ExtendWith(RandomData.Seeded.class)
class InterleavedMatchesTest {
  private static final int NUM_VALUES = 1 << 12;

  private final InterleavedMatches matches = new InterleavedMatches();

  static IntStream widths() {
    return IntStream.rangeClosed(1, 31);
  }

  private static RawBytes pack(long[] values, int width) {
    final long[] words = new long[InterleavedLongs.numWords(values.length, width)];
    final ByteBuffer out = ByteBuffer.allocate(Long.BYTES * words.length).order(ByteOrder.LITTLE_ENDIAN);
    InterleavedLongs.pack(values, values.length, width, words, out);
    final RawBytes bytes = new RawBytes();
    bytes.wrap(out.flip());
    return bytes;
  }

  /** Finds a value, and compares: whether it was said that there may be some. */
  private boolean find(long[] values, int width, long value) {
    final long[] found = new long[values.length / Long.SIZE];
    final boolean mayBe = matches.findLong(pack(values, width), 0, values.length, width, value, found);
    final long[] expected = new long[found.length];
    for (int i = 0; i < values.length; i++) {
      expected[i >>> 6] |= values[i] == value ? 1L << i : 0;
    }
    assertArrayEquals(expected, found, () -> values.length + " of width " + width);
    return mayBe;
  }

  @ParameterizedTest
  @MethodSource("widths")
  void aValueIsFoundWhereverItIs(int width, RandomData random) {
    final long mask = InterleavedLongs.mask(width);
    final long value = random.nextLong() & mask;
    final long other = value ^ 1;
    for (int numValues = InterleavedMatches.LEAST_VALUES; numValues <= NUM_VALUES; numValues *= 2) {
      final long[] values = new long[numValues];
      for (int i = 0; i < 300; i++) {
        Arrays.fill(values, other);
        values[i < 64 ? i * numValues / 64 : random.nextInt(numValues)] = value;
        assertTrue(find(values, width, value));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("widths")
  void manyOfAValueAreFound(int width, RandomData random) {
    final long mask = InterleavedLongs.mask(width);
    final long value = random.nextLong() & mask;
    for (int share : new int[] {1, 2, 10, 100}) {
      final long[] values = new long[NUM_VALUES];
      Arrays.setAll(values, i -> random.nextInt(share) == 0 ? value : random.nextLong() & mask);
      assertTrue(find(values, width, value));
    }
  }

  @ParameterizedTest
  @MethodSource("widths")
  void whatIsNotThereIsSeldomSeen(int width, RandomData random) {
    final long mask = InterleavedLongs.mask(width);
    int seen = 0;
    for (int i = 0; i < 100; i++) {
      final long value = random.nextLong() & mask;
      final long[] values = new long[NUM_VALUES];
      Arrays.setAll(values, j -> {
        final long drawn = random.nextLong() & mask;
        return drawn == value ? value ^ mask : drawn;
      });
      seen += find(values, width, value) ? 1 : 0;
    }
    // Of fewer bits there are as many values as there can be, and it does not matter.
    assertFalse(width >= 16 && seen > 10, "seen " + seen + " times of 100");
  }
}
