// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the positions in an array. */
@ExtendWith(RandomData.Seeded.class)
class SortedPositionsTest {
  private static final int[] LENGTHS =
      {1, 2, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1000, 1024, 4095, 4096, 16_383, 16_384};

  @ParameterizedTest
  @CsvSource({
    // of 256 values: two bytes each, or two and one each, or 34; of equal ones the first.
    "256, 1, 0, 2", "256, 2, 0, 4", "256, 3, 1, 5", "256, 32, 1, 34", "256, 33, 2, 34", "256, 256, 2, 34",
    "16384, 128, 0, 256", "16384, 129, 1, 257", "16384, 2048, 1, 2176", "16384, 2049, 2, 2176",
    "1, 1, 0, 2", "257, 4, 0, 8", "257, 5, 1, 9"
  })
  void theLayoutIsTheOneThatTakesTheLeastBytes(int numValues, int count, int layout, int size) {
    assertEquals(layout, SortedPositions.layout(numValues, count));
    assertEquals(size, SortedPositions.size(layout, numValues, count));
  }

  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.form.ints.FormContract#orders")
  void findsRanksAndListsPositions(ByteOrder order, RandomData random) {
    final Set<Integer> layouts = new TreeSet<>();
    for (int numValues : LENGTHS) {
      for (int rarity : new int[] {1, 2, 5, 9, 30, 100, 1000}) {
        final int only = random.nextInt(numValues);
        final int[] positions = IntStream.range(0, numValues)
            .filter(i -> i == only || random.nextInt(rarity) == 0)
            .toArray();
        layouts.add(assertReads(positions, numValues, order, random));
      }
      // All in one segment, and the first and the last.
      final int segment = random.nextInt((numValues + 255) / 256) * 256;
      final int[] inOneSegment = IntStream.range(segment, Math.min(numValues, segment + 256))
          .filter(i -> i % 3 == 0 || i == segment)
          .toArray();
      layouts.add(assertReads(inOneSegment, numValues, order, random));
      layouts.add(assertReads(IntStream.of(0, numValues - 1).distinct().toArray(), numValues, order, random));
    }
    assertEquals(Set.of(0, 1, 2), layouts);
  }

  /** Returns the layout. */
  private static int assertReads(int[] positions, int numValues, ByteOrder order, RandomData random) {
    final int count = positions.length;
    final int layout = SortedPositions.layout(numValues, count);
    final int offset = random.nextInt(9);
    final ByteBuffer bytes =
        ByteBuffer.allocate(offset + SortedPositions.size(layout, numValues, count)).order(order).position(offset);
    SortedPositions.encode(positions, count, numValues, bytes);
    assertEquals(bytes.limit(), bytes.position(), "size of layout " + layout);
    assertArrayEquals(
        positions,
        Reference.positions(bytes.duplicate().order(order).position(offset), layout, numValues, count),
        "by the book");

    final SortedPositions read = new SortedPositions();
    read.read(bytes, offset, layout, numValues, count);
    final String message = count + " of " + numValues + ", layout " + layout;
    int rank = 0;
    for (int i = 0; i < numValues; i++) {
      final boolean isOne = rank < count && positions[rank] == i;
      assertEquals(isOne ? rank : -1, read.find(i), message);
      rank += isOne ? 1 : 0;
      assertEquals(rank, read.rank(i), message);
    }
    for (int attempt = 0; attempt < 20; attempt++) {
      final int start = attempt == 0 ? 0 : random.nextInt(numValues);
      final int end = attempt == 1 ? numValues : random.between(start, numValues);
      final int[] room = new int[random.between(1, numValues)];
      final int[] expected =
          Arrays.stream(positions).filter(i -> i >= start && i < end).limit(room.length).toArray();
      final int before = (int) Arrays.stream(positions).filter(i -> i < start).count();
      final int found = read.list(start, end, before, room);
      assertArrayEquals(expected, Arrays.copyOf(room, found), () -> message + ", from " + start + " to " + end);
    }
    return layout;
  }

  /** Positions up to 65,535, of the longest chunk there is. */
  @Test
  void readsPositionsOfTheLongestChunk(RandomData random) {
    final int numValues = Limits.MAX_INTS_PER_CHUNK;
    assertReads(IntStream.of(5, 70, numValues - 1).toArray(), numValues, ByteOrder.LITTLE_ENDIAN, random);
    assertReads(
        IntStream.range(0, numValues).filter(i -> i % 7 == 1).toArray(), numValues, ByteOrder.LITTLE_ENDIAN, random);
  }

  @Test
  void refusesAnIndexThatFalls() {
    final ByteBuffer bytes = ByteBuffer.wrap(new byte[] {0, 0, 0, 2, 0, 1, 7, 8});
    final MalformedChunkException e = assertThrows(
        MalformedChunkException.class, () -> new SortedPositions().read(bytes, 0, 1, 600, 2));
    assertEquals("segment 2 comes behind 1 positions, expected 2 to 2", e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {-128, -1, 3, 127})
  void refusesOtherLayouts(int layout) {
    final MalformedChunkException e =
        assertThrows(MalformedChunkException.class, () -> SortedPositions.checkLayout(layout));
    assertEquals("positions are in the layout " + layout + ", expected 0 to 2", e.getMessage());
  }

  /** Whatever the bytes are: nothing is read that is not there, and nothing is found that cannot be. */
  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.form.ints.FormContract#orders")
  void staysWithinItsBoundsWhateverTheBytes(ByteOrder order, RandomData random) {
    for (int attempt = 0; attempt < 3_000; attempt++) {
      final int numValues = random.between(1, 1200);
      final int count = random.between(1, numValues);
      final int layout = random.nextInt(3);
      // Exactly the bytes there should be: what is read behind them is seen here.
      final ByteBuffer bytes =
          ByteBuffer.wrap(random.bytes(SortedPositions.size(layout, numValues, count))).order(order);
      for (int segment = 0, before = 0; layout != 0 && segment < (numValues + 255) / 256; segment++) {
        before = random.between(before, count);
        bytes.putShort(2 * segment, (short) before);
      }
      final SortedPositions read = new SortedPositions();
      read.read(bytes, 0, layout, numValues, count);
      final int[] room = new int[512];
      for (int i = 0; i < 100; i++) {
        final int position = random.nextInt(numValues);
        assertWithin(0, count, read.rank(position));
        assertWithin(-1, count - 1, read.find(position));
        final int end = random.between(position, Math.min(numValues, position + 512));
        final int found = read.list(position, end, read.rank(position), room);
        for (int j = 0; j < found; j++) {
          assertWithin(position, end - 1, room[j]);
        }
      }
    }
  }

  private static void assertWithin(int least, int most, int value) {
    if (value < least || value > most) {
      throw new AssertionError(value + ", expected " + least + " to " + most);
    }
  }
}
