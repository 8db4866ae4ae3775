// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.shapeshift.druid.testing.RandomData;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** All the ways to read a chunk, against the values that it should have. */
public final class Reads {
  private static final int UNTOUCHED = -6016;

  private Reads() {}

  /** Checks that every way of reading gives these values, at their places, and touches nothing else. */
  static void assertAll(int[] values, IntChunkReader reader, RandomData random, Supplier<String> message) {
    final int size = values.length;
    assertArrayEquals(values, IntStream.range(0, size).map(reader::get).toArray(), () -> "singly: " + message.get());
    assertRange(values, 0, size, reader, random.nextInt(9), message);
    assertPositions(values, IntStream.range(0, size).toArray(), reader, random, message);

    final int start = random.nextInt(size);
    assertRange(values, start, random.between(0, size - start), reader, random.nextInt(9), message);
    final int vector = random.nextInt(size) / 512 * 512;
    assertRange(values, vector, Math.min(512, size - vector), reader, 0, message);
    // Ascending, from nearly all to hardly any: what reads whole vectors, and what reads each value alone.
    final int most = 1 << random.between(1, 8);
    final int[] ascending = IntStream.range(0, size).filter(i -> random.nextInt(most) == 0 || i == start).toArray();
    assertPositions(values, ascending, reader, random, message);
    final int[] unordered = IntStream.generate(() -> random.nextInt(size)).limit(100).toArray();
    assertPositions(values, unordered, reader, random, message);
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
    final int[] indexes = Arrays.stream(positions).map(position -> base + position).toArray();
    final int[] expected = RandomData.constant(positions.length, UNTOUCHED);
    for (int i = from; i < to; i++) {
      expected[i] = values[positions[i]];
    }
    final int[] actual = RandomData.constant(positions.length, UNTOUCHED);
    reader.get(actual, indexes, from, to, base);
    assertArrayEquals(expected, actual, () -> "by positions from " + from + ": " + message.get());
  }
}
