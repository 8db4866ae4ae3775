// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.testing.NumberArrays;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** All the ways to read a chunk of numbers, against the bits that it should have. */
final class NumberReads {
  private NumberReads() {}

  /** Checks that every way of reading gives these numbers, at their places, and touches nothing else. */
  static void assertAll(long[] bits, NumberChunkReader reader, RandomData random, Supplier<String> message) {
    final int size = bits.length;
    final int[] all = RandomData.sequence(size, 0);
    assertSingle(bits, all, reader, () -> "singly: " + message.get());
    assertSingle(bits, random.anySinglePositions(size), reader, () -> "singly: " + message.get());
    assertRange(bits, 0, size, reader, random.nextInt(9), message);
    assertPositions(bits, all, reader, random, message);

    final int start = random.nextInt(size);
    assertRange(bits, start, random.between(0, size - start), reader, random.nextInt(9), message);
    final int vector = random.nextInt(size) / 512 * 512;
    assertRange(bits, vector, Math.min(512, size - vector), reader, 0, message);
    // Ascending, from nearly all to hardly any: what reads whole vectors, and what reads each number alone.
    final int most = 1 << random.between(1, 8);
    final int[] ascending = random.ascending(size, most, start);
    assertPositions(bits, ascending, reader, random, message);
    final int[] unordered = IntStream.generate(() -> random.nextInt(size)).limit(100).toArray();
    assertPositions(bits, unordered, reader, random, message);
    assertFinds(bits, reader, random, message);
  }

  /** Filters of every kind find what a test of each number finds. */
  private static void assertFinds(
      long[] bits,
      NumberChunkReader reader,
      RandomData random,
      Supplier<String> message
  ) {
    final NumberType type = reader.type();
    final long one = nearKey(bits, type, random);
    final long other = nearKey(bits, type, random);
    final long from = Math.min(one, other);
    final long to = Math.max(one, other);
    final long[] list = LongStream
        .generate(() -> nearKey(bits, type, random))
        .limit(random.nextInt(2) == 0 ? random.nextInt(5) : random.nextInt(200))
        .toArray();
    final LongOpenHashSet set = new LongOpenHashSet(list);
    final LongPredicate test = sortable -> (canonical(type, sortable) * 0x9E37_79B9_7F4A_7C15L & 3) == 0;
    final List<Filter> filters = List.of(
        new Filter(WantedNumbers.between(type, from, to), sortable -> sortable >= from && sortable <= to),
        new Filter(WantedNumbers.between(type, one, one), sortable -> sortable == one),
        new Filter(WantedNumbers.between(type, Long.MIN_VALUE, one), sortable -> sortable <= one),
        new Filter(WantedNumbers.between(type, one, Long.MAX_VALUE), sortable -> sortable >= one),
        new Filter(WantedNumbers.of(type, list), set::contains),
        new Filter(WantedNumbers.matching(test), test),
        new Filter(WantedNumbers.matching(sortable -> true), sortable -> true)
    );
    int combination = random.nextInt(3);
    for (Filter filter : filters) {
      if (Tier.tries(combination++, 3)) {
        assertFound(bits, reader, filter.wanted, filter.expected, message);
      }
    }
  }

  private record Filter(WantedNumbers wanted, LongPredicate expected) {}

  /** Filters a chunk that may be damaged, in which anything may be found. */
  static void findAnything(NumberChunkReader reader, int numValues) {
    final NumberType type = reader.type();
    for (WantedNumbers wanted : List.of(
        WantedNumbers.between(type, 0, 1000),
        WantedNumbers.between(type, type.leastSortable(), 5),
        WantedNumbers.of(type, LongStream.range(0, 50).map(i -> i * i).toArray()),
        WantedNumbers.matching(sortable -> sortable % 3 == 0)
    )) {
      final long[] found = new long[(numValues + Long.SIZE - 1) / Long.SIZE];
      reader.find(wanted, found);
      assertTrue(BitSet.valueOf(found).length() <= numValues);
    }
  }

  /** The sortable bits of one of the numbers, or the one next to it. */
  private static long nearKey(long[] bits, NumberType type, RandomData random) {
    final long sortable = canonical(type, type.sortable(bits[random.nextInt(bits.length)])) + random.between(-1, 1);
    return Math.max(type.leastSortable(), type == NumberType.LONG || sortable == type.nanSortable()
        ? sortable
        : Math.min(sortable, type.greatestSortable()));
  }

  /** Druid takes all bits that are not a number for the same. */
  private static long canonical(NumberType type, long sortable) {
    final boolean isNan =
        type != NumberType.LONG && (sortable < type.leastSortable() || sortable > type.greatestSortable());
    return isNan ? type.nanSortable() : sortable;
  }

  private static void assertFound(
      long[] bits,
      NumberChunkReader reader,
      WantedNumbers wanted,
      LongPredicate expected,
      Supplier<String> message
  ) {
    final long[] found = new long[(bits.length + Long.SIZE - 1) / Long.SIZE];
    final Found which = reader.find(wanted, found);
    final BitSet actual = BitSet.valueOf(found);
    // Others would be taken for the next chunk's, which come to the same array.
    assertTrue(which == Found.SOME || actual.isEmpty(), message);
    if (which == Found.ALL) {
      actual.set(0, bits.length);
    } else if (which == Found.NONE) {
      actual.clear();
    }
    for (int i = 0; i < bits.length; i++) {
      final int at = i;
      final long sortable = canonical(reader.type(), reader.type().sortable(bits[i]));
      if (actual.get(i) != expected.test(sortable)) {
        assertEquals(expected.test(sortable), actual.get(i), () -> "found at " + at + " " + message.get());
      }
    }
    assertTrue(actual.length() <= bits.length, message);
  }

  private static void assertSingle(
      long[] bits,
      int[] positions,
      NumberChunkReader reader,
      Supplier<String> message
  ) {
    for (int position : positions) {
      final long actual = get(reader, position);
      if (bits[position] != actual) {
        assertEquals(
            Long.toHexString(bits[position]), Long.toHexString(actual), "at " + position + " " + message.get());
      }
    }
  }

  /** The bits of one number. */
  static long get(NumberChunkReader reader, int index) {
    return switch (reader.type()) {
      case LONG -> ((LongChunkReader) reader).get(index);
      case DOUBLE -> Double.doubleToRawLongBits(((DoubleChunkReader) reader).get(index));
      case FLOAT -> NumberArrays.bits(((FloatChunkReader) reader).get(index));
    };
  }

  /** Reads to an array of the reader's type. */
  static void get(NumberChunkReader reader, Object out, int at, int start, int length) {
    switch (reader.type()) {
      case LONG -> ((LongChunkReader) reader).get((long[]) out, at, start, length);
      case DOUBLE -> ((DoubleChunkReader) reader).get((double[]) out, at, start, length);
      case FLOAT -> ((FloatChunkReader) reader).get((float[]) out, at, start, length);
    }
  }

  /** Reads some positions to an array of the reader's type. */
  static void get(NumberChunkReader reader, Object out, int[] indexes, int from, int to, int chunk) {
    switch (reader.type()) {
      case LONG -> ((LongChunkReader) reader).get((long[]) out, indexes, from, to, chunk);
      case DOUBLE -> ((DoubleChunkReader) reader).get((double[]) out, indexes, from, to, chunk);
      case FLOAT -> ((FloatChunkReader) reader).get((float[]) out, indexes, from, to, chunk);
    }
  }

  private static void assertRange(
      long[] bits,
      int start,
      int length,
      NumberChunkReader reader,
      int offset,
      Supplier<String> message
  ) {
    final Object actual = NumberArrays.untouched(reader.type(), offset + length + 1);
    get(reader, actual, offset, start, length);
    NumberArrays.assertWritten(
        Arrays.copyOfRange(bits, start, start + length), offset, actual,
        () -> length + " from " + start + ": " + message.get());
  }

  private static void assertPositions(
      long[] bits,
      int[] positions,
      NumberChunkReader reader,
      RandomData random,
      Supplier<String> message
  ) {
    final int base = random.nextInt(1_000_000);
    final int from = random.nextInt(positions.length);
    final int to = random.between(from + 1, positions.length);
    final int[] indexes = RandomData.above(base, positions);
    final long[] expected = new long[to - from];
    Arrays.setAll(expected, i -> bits[positions[from + i]]);
    final Object actual = NumberArrays.untouched(reader.type(), positions.length);
    get(reader, actual, indexes, from, to, base);
    NumberArrays.assertWritten(
        expected, from, actual, () -> "by positions from " + from + " to " + to + ": " + message.get());
  }
}
