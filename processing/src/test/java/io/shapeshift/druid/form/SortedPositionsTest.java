// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.ints.Reference;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.NavigableSet;
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
    assertEquals(layout, PositionsWriter.layout(numValues, count));
    assertEquals(size, PositionsWriter.size(layout, numValues, count));
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

  /** The directory gives what the layouts give, and is what counts from then on. */
  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.form.ints.FormContract#orders")
  void theDirectoryFindsTheSame(ByteOrder order, RandomData random) {
    final Set<Integer> layouts = new TreeSet<>();
    // One object for all, as readers have it: what is left of an earlier directory must not be seen.
    final SortedPositions read = new SortedPositions();
    for (int attempt = 0; attempt < 300; attempt++) {
      final int numValues = attempt % 3 == 0 ? LENGTHS[random.nextInt(LENGTHS.length)] : random.between(1, 3000);
      final int rarity = 1 << random.nextInt(11);
      final NavigableSet<Integer> positions = new TreeSet<>();
      positions.add(random.nextInt(numValues));
      IntStream.range(0, numValues).filter(i -> random.nextInt(rarity) == 0).forEach(positions::add);
      final int layout = PositionsWriter.layout(numValues, positions.size());
      layouts.add(layout);
      final int offset = random.nextInt(9);
      read.read(encode(positions, numValues, order, offset), offset, layout, numValues, positions.size());
      assertFalse(read.hasDirectory());
      read.index();
      assertTrue(read.hasDirectory());
      assertDirectory(positions, numValues, read, random);
      // Again, which changes nothing.
      read.index();
      read.expect(1_000_000, 8);
      assertDirectory(positions, numValues, read, random);
    }
    assertEquals(Set.of(0, 1, 2), layouts);
  }

  /** Values around a position that have its rank, and no others; in shorts all of them. */
  @ParameterizedTest
  @MethodSource("io.shapeshift.druid.form.ints.FormContract#orders")
  void valuesOfARankAreBounded(ByteOrder order, RandomData random) {
    final SortedPositions read = new SortedPositions();
    final Set<Integer> layouts = new TreeSet<>();
    for (int numValues : LENGTHS) {
      for (int rarity : new int[] {1, 5, 100, 1000}) {
        final NavigableSet<Integer> positions = new TreeSet<>(Set.of(random.nextInt(numValues)));
        IntStream.range(0, numValues).filter(i -> random.nextInt(rarity) == 0).forEach(positions::add);
        final int layout = PositionsWriter.layout(numValues, positions.size());
        layouts.add(layout);
        read.read(encode(positions, numValues, order, 8), 8, layout, numValues, positions.size());
        for (int i = 0; i < numValues; i++) {
          final int rank = read.rank(i);
          final int start = read.startOfRank(rank, i);
          final int end = read.endOfRank(rank, i);
          assertTrue(start <= i && i < end && end <= numValues, i + " in " + start + " to " + end);
          assertEquals(rank, read.rank(start), "start of " + i);
          assertEquals(rank, read.rank(end - 1), "end of " + i);
          if (layout == 0) {
            final Integer before = positions.floor(i);
            final Integer behind = positions.higher(i);
            assertEquals(before == null ? 0 : before, start);
            assertEquals(behind == null ? numValues : behind, end);
          }
        }
      }
    }
    assertEquals(Set.of(0, 1, 2), layouts);
  }

  private static ByteBuffer encode(NavigableSet<Integer> positions, int numValues, ByteOrder order, int offset) {
    final int count = positions.size();
    final int size = PositionsWriter.size(PositionsWriter.layout(numValues, count), numValues, count);
    final ByteBuffer bytes = ByteBuffer.allocate(offset + size).order(order).position(offset);
    PositionsWriter.encode(
        positions.stream().mapToInt(Integer::intValue).toArray(), count, numValues, bytes);
    return bytes;
  }

  private static void assertDirectory(
      NavigableSet<Integer> positions,
      int numValues,
      SortedPositions read,
      RandomData random
  ) {
    final String message = positions.size() + " of " + numValues;
    int rank = 0;
    for (int i = 0; i < numValues; i++) {
      final boolean isOne = positions.contains(i);
      assertEquals(isOne, (read.word(i >> 6) >>> i & 1) == 1, message);
      assertEquals(isOne ? rank : -1, read.find(i), message);
      rank += isOne ? 1 : 0;
      assertEquals(rank, read.rank(i), message);
    }
    for (int attempt = 0; attempt < 10; attempt++) {
      final int start = attempt == 0 ? 0 : random.nextInt(numValues);
      final int end = attempt == 1 ? numValues : random.between(start, numValues);
      final int[] room = new int[random.between(1, numValues)];
      final int found = read.list(start, end, positions.headSet(start).size(), room);
      assertArrayEquals(
          positions.subSet(start, end).stream().mapToInt(Integer::intValue).limit(room.length).toArray(),
          Arrays.copyOf(room, found),
          () -> message + ", from " + start + " to " + end);

      final int less = random.nextInt(1000);
      final int[] indexes = IntStream.range(start, end)
          .filter(i -> random.nextInt(3) == 0)
          .map(i -> i + less)
          .toArray();
      final int from = random.between(0, indexes.length);
      final int to = random.between(from, indexes.length);
      final int[] places = new int[to - from];
      final int among = read.among(indexes, from, to, less, places);
      assertArrayEquals(
          IntStream.range(from, to).filter(i -> positions.contains(indexes[i] - less)).toArray(),
          Arrays.copyOf(places, among),
          () -> message + ", among some from " + start + " to " + end);
    }
  }

  /** As many searches as a directory has words and positions, divided by eight, are not yet enough. */
  @ParameterizedTest
  @CsvSource({
    // positions, layout, the most searches without a directory: of 16,384 values, which are 256 words
    "100, 0, 44", "1000, 1, 157", "9000, 2, 32"
  })
  void fewSearchesAreNotWorthADirectory(int count, int layout, int most, RandomData random) {
    final int numValues = 16_384;
    final NavigableSet<Integer> positions = new TreeSet<>();
    while (positions.size() < count) {
      positions.add(random.nextInt(numValues));
    }
    assertEquals(layout, PositionsWriter.layout(numValues, count));
    final SortedPositions read = new SortedPositions();
    read.read(encode(positions, numValues, ByteOrder.LITTLE_ENDIAN, 0), 0, layout, numValues, count);
    read.expect(0, 8);
    read.expect(most, 8);
    assertFalse(read.hasDirectory());
    read.expect(most + 1, 8);
    assertTrue(read.hasDirectory());
    // Other positions have none yet.
    read.read(encode(positions, numValues, ByteOrder.LITTLE_ENDIAN, 0), 0, layout, numValues, count);
    assertFalse(read.hasDirectory());
  }

  /** What no search notices is found where the directory is built, after which reads rely on it. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    // layout 0
    "0 | 600 | 3 | 00 05 00 05 00 07", "0 | 600 | 3 | 00 05 00 03 00 07", "0 | 600 | 3 | 00 05 00 07 02 58",
    "0 | 600 | 3 | 00 05 00 07 ff ff", "0 | 600 | 2 | 02 ff 00 07",
    // layout 1, of three segments, before which are 0, 1 and 2 positions
    "1 | 600 | 3 | 00 00 00 01 00 02 05 05 58", "1 | 600 | 3 | 00 00 00 02 00 02 05 05 07",
    "1 | 600 | 3 | 00 00 00 02 00 02 07 05 08", "1 | 600 | 3 | 00 01 00 02 00 02 07 05 08",
    // layout 2, of one segment of 200 values: fewer, more, and behind the last value
    "2 | 200 | 2 | 00 00 00 00 00 00 00 00 00 01", "2 | 200 | 2 | 00 00 00 00 00 00 00 00 00 07",
    "2 | 200 | 1 | 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80"
  })
  void theDirectoryRefusesDamagedPositions(int layout, int numValues, int count, String hex) {
    final byte[] start = HexFormat.ofDelimiter(" ").parseHex(hex);
    final ByteBuffer bytes =
        ByteBuffer.wrap(Arrays.copyOf(start, PositionsWriter.size(layout, numValues, count)));
    final SortedPositions read = new SortedPositions();
    for (int attempt = 0; attempt < 2; attempt++) {
      read.read(bytes, 0, layout, numValues, count);
      final MalformedChunkException e = assertThrows(MalformedChunkException.class, read::index);
      assertFalse(e.getMessage().isBlank());
      assertFalse(read.hasDirectory());
    }
    // What was left by the failure is not seen in others.
    final NavigableSet<Integer> others = new TreeSet<>(Set.of(1, 77, 250, 400, 511));
    read.read(
        encode(others, 512, ByteOrder.BIG_ENDIAN, 0), 0, PositionsWriter.layout(512, others.size()), 512,
        others.size());
    read.index();
    assertDirectory(others, 512, read, new RandomData(1));
  }

  /** Returns the layout. */
  private static int assertReads(int[] positions, int numValues, ByteOrder order, RandomData random) {
    final int count = positions.length;
    final int layout = PositionsWriter.layout(numValues, count);
    final int offset = SortedPositions.LEAST_OFFSET + random.nextInt(9);
    final ByteBuffer bytes =
        ByteBuffer.allocate(offset + PositionsWriter.size(layout, numValues, count)).order(order).position(offset);
    PositionsWriter.encode(positions, count, numValues, bytes);
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
    assertEquals("segment 2 follows 1 positions, expected 2 to 2", e.getMessage());
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
      final ByteBuffer bytes = ByteBuffer
          .wrap(random.bytes(SortedPositions.LEAST_OFFSET + PositionsWriter.size(layout, numValues, count)))
          .order(order);
      for (int segment = 0, before = 0; layout != 0 && segment < (numValues + 255) / 256; segment++) {
        before = random.between(before, count);
        bytes.putShort(SortedPositions.LEAST_OFFSET + 2 * segment, (short) before);
      }
      final SortedPositions read = new SortedPositions();
      read.read(bytes, SortedPositions.LEAST_OFFSET, layout, numValues, count);
      final int[] room = new int[512];
      for (int i = 0; i < 100; i++) {
        final int position = random.nextInt(numValues);
        assertReadWithin(position, numValues, count, read, room, random);
      }
      try {
        read.index();
        for (int i = 0; i < 30; i++) {
          assertReadWithin(random.nextInt(numValues), numValues, count, read, room, random);
        }
        assertEquals(count, read.rank(numValues - 1), "all positions are those of values");
      } catch (MalformedChunkException refused) {
        assertFalse(read.hasDirectory());
      }
    }
  }

  private static void assertReadWithin(
      int position,
      int numValues,
      int count,
      SortedPositions read,
      int[] room,
      RandomData random
  ) {
    assertWithin(0, count, read.rank(position));
    assertWithin(-1, count - 1, read.find(position));
    final int end = random.between(position, Math.min(numValues, position + 512));
    final int found = read.list(position, end, read.rank(position), room);
    for (int j = 0; j < found; j++) {
      assertWithin(position, end - 1, room[j]);
    }
  }

  private static void assertWithin(int least, int most, int value) {
    if (value < least || value > most) {
      throw new AssertionError(value + ", expected " + least + " to " + most);
    }
  }
}
