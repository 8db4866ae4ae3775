// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.testing.NumberArrays;
import io.shapeshift.druid.testing.RandomData;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** All the ways to read a chunk of numbers, against the bits that it should have. */
final class NumberReads {
  private NumberReads() {}

  /** Checks that every way of reading gives these numbers, at their places, and touches nothing else. */
  static void assertAll(long[] bits, NumberChunkReader reader, RandomData random, Supplier<String> message) {
    final int size = bits.length;
    assertSingle(bits, reader, () -> "singly: " + message.get());
    assertRange(bits, 0, size, reader, random.nextInt(9), message);
    assertPositions(bits, IntStream.range(0, size).toArray(), reader, random, message);

    final int start = random.nextInt(size);
    assertRange(bits, start, random.between(0, size - start), reader, random.nextInt(9), message);
    final int vector = random.nextInt(size) / 512 * 512;
    assertRange(bits, vector, Math.min(512, size - vector), reader, 0, message);
    // Ascending, from nearly all to hardly any: what reads whole vectors, and what reads each number alone.
    final int most = 1 << random.between(1, 8);
    final int[] ascending = IntStream.range(0, size).filter(i -> random.nextInt(most) == 0 || i == start).toArray();
    assertPositions(bits, ascending, reader, random, message);
    final int[] unordered = IntStream.generate(() -> random.nextInt(size)).limit(100).toArray();
    assertPositions(bits, unordered, reader, random, message);
  }

  private static void assertSingle(long[] bits, NumberChunkReader reader, Supplier<String> message) {
    for (int i = 0; i < bits.length; i++) {
      final long actual = get(reader, i);
      if (bits[i] != actual) {
        assertEquals(Long.toHexString(bits[i]), Long.toHexString(actual), "at " + i + " " + message.get());
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
    final int[] indexes = Arrays.stream(positions).map(position -> base + position).toArray();
    final long[] expected = Arrays.stream(positions, from, to).mapToLong(position -> bits[position]).toArray();
    final Object actual = NumberArrays.untouched(reader.type(), positions.length);
    get(reader, actual, indexes, from, to, base);
    NumberArrays.assertWritten(
        expected, from, actual, () -> "by positions from " + from + " to " + to + ": " + message.get());
  }
}
