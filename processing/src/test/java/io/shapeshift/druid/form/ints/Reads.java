// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.testing.RandomData;
import java.util.Arrays;
import java.util.BitSet;
import java.util.IntSummaryStatistics;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** All the ways to read a chunk, against the values that it should have. */
public final class Reads {
  private static final int UNTOUCHED = -6016;
  private static final int MOST_IN_SET = 1 << 20;

  private Reads() {}

  /** Checks that every way of reading gives these values, at their places, and touches nothing else. */
  public static void assertAll(int[] values, IntChunkReader reader, RandomData random, Supplier<String> message) {
    final int size = values.length;
    final int[] all = RandomData.sequence(size, 0);
    assertSingle(values, all, reader, message);
    assertSingle(values, random.anySinglePositions(size), reader, message);
    assertRange(values, 0, size, reader, random.nextInt(9), message);
    assertPositions(values, all, reader, random, message);

    final int start = random.nextInt(size);
    assertRange(values, start, random.between(0, size - start), reader, random.nextInt(9), message);
    final int vector = random.nextInt(size) / 512 * 512;
    assertRange(values, vector, Math.min(512, size - vector), reader, 0, message);
    // Ascending, from nearly all to hardly any: what reads whole vectors, and what reads each value alone.
    final int most = 1 << random.between(1, 8);
    final int[] ascending = random.ascending(size, most, start);
    assertPositions(values, ascending, reader, random, message);
    final int[] unordered = IntStream.generate(() -> random.nextInt(size)).limit(100).toArray();
    assertPositions(values, unordered, reader, random, message);
    assertFinds(values, reader, random, message);
  }

  private static void assertSingle(int[] values, int[] positions, IntChunkReader reader, Supplier<String> message) {
    for (int position : positions) {
      final int actual = reader.get(position);
      if (values[position] != actual) {
        assertEquals(
            values[position], actual,
            "at " + position + ", singly at " + Arrays.toString(positions) + ": " + message.get());
      }
    }
  }

  /** Bounds hold, and filters of every kind find what a test of each value finds. */
  private static void assertFinds(int[] values, IntChunkReader reader, RandomData random, Supplier<String> message) {
    final int least = reader.least();
    final int greatest = reader.greatest();
    final IntSummaryStatistics bounds = Arrays.stream(values).summaryStatistics();
    assertTrue(least <= bounds.getMin(), message);
    assertTrue(greatest >= bounds.getMax(), message);
    final int one = near(values, random);
    final int other = near(values, random);
    assertFindsRange(values, Math.min(one, other), Math.max(one, other), reader, message);
    assertFindsRange(values, one, one, reader, message);
    assertFindsRange(values, 0, one, reader, message);
    assertFindsRange(values, one, Integer.MAX_VALUE, reader, message);
    assertFindsRange(values, 0, Integer.MAX_VALUE, reader, message);

    final int[] list = IntStream.generate(() -> near(values, random)).limit(random.nextInt(50)).sorted().distinct()
        .toArray();
    final BitSet listed = new BitSet();
    final long[] found = bits(values);
    reader.in(list, list.length, found);
    final IntPredicate isInList = value -> Arrays.binarySearch(list, value) >= 0;
    assertFound(values, isInList, found, () -> "in a list: " + message.get());
    if (greatest - least < MOST_IN_SET) {
      Arrays.stream(list).filter(value -> value >= least && value <= greatest).forEach(v -> listed.set(v - least));
      final long[] set = Arrays.copyOf(listed.toLongArray(), (greatest - least) / Long.SIZE + 1);
      Arrays.fill(found, 0);
      reader.in(set, least, greatest, found);
      assertFound(values, isInList, found, () -> "in a set: " + message.get());
    }
    if (one >= least && one <= greatest) {
      Arrays.fill(found, 0);
      final boolean maybe = reader.equal(one, found);
      assertFound(values, value -> value == one, found, () -> "equal to " + one + ": " + message.get());
      assertTrue(maybe || Arrays.stream(values).noneMatch(value -> value == one), message);
    }
  }

  private static void assertFindsRange(
      int[] values,
      int from,
      int to,
      IntChunkReader reader,
      Supplier<String> message
  ) {
    final IntPredicate expected = value -> value >= from && value <= to;
    final Supplier<String> range = () -> "from " + from + " to " + to + ": " + message.get();
    final long[] found = bits(values);
    reader.between(from, to, found);
    assertFound(values, expected, found, range);

    Arrays.fill(found, 0);
    final Found which = reader.find(from, to, found);
    final BitSet actual = BitSet.valueOf(found);
    assertTrue(which == Found.SOME || actual.isEmpty(), range);
    if (which == Found.ALL) {
      actual.set(0, values.length);
    }
    assertFound(values, expected, Arrays.copyOf(actual.toLongArray(), found.length), range);
  }

  private static void assertFound(int[] values, IntPredicate expected, long[] found, Supplier<String> message) {
    final long[] wanted = bits(values);
    for (int i = 0; i < values.length; i++) {
      if (expected.test(values[i])) {
        wanted[i / Long.SIZE] |= 1L << i;
      }
    }
    if (!Arrays.equals(wanted, found)) {
      assertEquals(BitSet.valueOf(wanted), BitSet.valueOf(found), message);
    }
  }

  private static long[] bits(int[] values) {
    return new long[(values.length + Long.SIZE - 1) / Long.SIZE];
  }

  /** One of the values, or the one next to it. */
  private static int near(int[] values, RandomData random) {
    final long near = values[random.nextInt(values.length)] + (long) random.between(-1, 1);
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, near));
  }

  private static void assertRange(
      int[] values,
      int start,
      int length,
      IntChunkReader reader,
      int offset,
      Supplier<String> message
  ) {
    final int[] expected = RandomData.constant(offset + length + 1, UNTOUCHED);
    System.arraycopy(values, start, expected, offset, length);
    final int[] actual = RandomData.constant(offset + length + 1, UNTOUCHED);
    reader.get(actual, offset, start, length);
    assertArrayEquals(expected, actual, () -> length + " from " + start + ": " + message.get());
  }

  private static void assertPositions(
      int[] values,
      int[] positions,
      IntChunkReader reader,
      RandomData random,
      Supplier<String> message
  ) {
    final int base = random.nextInt(1_000_000);
    final int from = random.nextInt(positions.length);
    final int to = random.between(from, positions.length);
    final int[] indexes = RandomData.above(base, positions);
    final int[] expected = RandomData.constant(positions.length, UNTOUCHED);
    for (int i = from; i < to; i++) {
      expected[i] = values[positions[i]];
    }
    final int[] actual = RandomData.constant(positions.length, UNTOUCHED);
    reader.get(actual, indexes, from, to, base);
    assertArrayEquals(expected, actual, () -> "by positions from " + from + ": " + message.get());
  }
}
