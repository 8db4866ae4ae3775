// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.RandomData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(RandomData.Seeded.class)
class BufferedIntsTest {
  @ParameterizedTest
  @CsvSource({"0, 16", "255, 16", "256, 8", "65535, 8", "65536, 4", "2147483647, 4"})
  void takesAsManyValuesAsFitIntoItsBytes(int value, int room) {
    final BufferedInts pending = new BufferedInts(16);
    fill(pending, value);
    assertEquals(room, pending.size());
  }

  @Test
  void aWiderValueHasRoomIfAllHaveThatAreThere() {
    final BufferedInts pending = new BufferedInts(16);
    addAll(pending, 1, 2, 3, 4, 5, 6, 7);
    assertFalse(pending.add(65_536), "eight of four bytes");
    assertTrue(pending.add(256));
    assertFalse(pending.add(1), "nine of two bytes");
    assertValues(pending, 1, 2, 3, 4, 5, 6, 7, 256);

    final BufferedInts narrow = new BufferedInts(16);
    addAll(narrow, 1, 2, 3, 4, 5, 6, 7, 8);
    assertFalse(narrow.add(256), "nine of two bytes");
    assertTrue(narrow.add(255));
    assertValues(narrow, 1, 2, 3, 4, 5, 6, 7, 8, 255);
  }

  @Test
  void narrowValuesTakeAsMuchAsTheWidestSoFar() {
    final BufferedInts pending = new BufferedInts(16);
    addAll(pending, 70_000, 1, 2);
    assertTrue(pending.add(3));
    assertFalse(pending.add(0));
    // Also when the widest is gone.
    pending.removeFirst(1, 4);
    assertTrue(pending.add(4));
    assertFalse(pending.add(0));
    assertValues(pending, 1, 2, 3, 4);
  }

  @ParameterizedTest
  @CsvSource({
    // position of the first, value, room: up to the next multiple of 16, 8 or 4
    "0, 1, 16", "16, 1, 16", "4, 1, 12", "15, 1, 1", "4, 300, 4", "8, 300, 8", "13, 300, 3", "4, 70000, 4",
    "7, 70000, 1", "2147483644, 1, 4", "2147483644, 70000, 4"
  })
  void takesValuesUpToTheBorderOfTheLargestChunk(int position, int value, int room) {
    final BufferedInts pending = new BufferedInts(16);
    pending.removeFirst(0, position);
    fill(pending, value);
    assertEquals(room, pending.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  void refusesNegativeValues(int value) {
    final BufferedInts pending = new BufferedInts(16);
    final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> pending.add(value));
    assertEquals("value[" + value + "] must not be negative", e.getMessage());
    assertEquals(0, pending.size());
  }

  /** Against a list, with values that become wider at any size, among them where the arrays grow. */
  @Test
  void holdsWhatWasAddedAndNotRemoved(RandomData random) {
    for (int attempt = 0; attempt < 200; attempt++) {
      final BufferedInts pending = new BufferedInts(1 << 14);
      final List<Integer> expected = new ArrayList<>();
      int position = 0;
      int width = 1;
      for (int step = 0; step < 6; step++) {
        width = Math.min(31, width + random.nextInt(9));
        final int add = random.nextInt(3) == 0 ? random.between(1020, 1030) : random.nextInt(3000);
        for (int i = 0; i < add; i++) {
          final int value = random.uniform(width);
          if (pending.add(value)) {
            expected.add(value);
          }
        }
        assertEquals(expected.size(), pending.size());
        assertValues(pending, expected.stream().mapToInt(Integer::intValue).toArray());
        final int remove = random.nextInt(3) == 0 ? expected.size() : random.between(0, expected.size());
        position += remove;
        pending.removeFirst(remove, position);
        expected.subList(0, remove).clear();
        assertValues(pending, expected.stream().mapToInt(Integer::intValue).toArray());
      }
    }
  }

  @Test
  void copiesPartsInsteadOfWhatAChunkHolds() {
    final BufferedInts pending = new BufferedInts(1 << 16);
    addAll(pending, IntStream.range(0, 30_000).toArray());
    final IntChunk chunk = pending.chunk(29_000, 1000);
    assertEquals(1000, chunk.size());
    assertArrayEquals(RandomData.sequence(1000, 29_000), Arrays.copyOf(chunk.values(), 1000));
    assertEquals(29_999, chunk.metrics().max());
    final IntChunk other = pending.chunk(3, 2);
    assertEquals(2, other.size());
    assertEquals(4, other.metrics().max());
    assertSame(other.metrics(), pending.chunk(3, 2).metrics(), "filled again");
    pending.release();
  }

  private static void fill(BufferedInts pending, int value) {
    int size = pending.size();
    while (pending.add(value)) {
      assertEquals(++size, pending.size());
    }
    assertEquals(size, pending.size());
  }

  private static void addAll(BufferedInts pending, int... values) {
    for (int value : values) {
      assertTrue(pending.add(value), () -> value + " behind " + pending.size());
    }
  }

  private static void assertValues(BufferedInts pending, int... values) {
    assertEquals(values.length, pending.size());
    final IntChunk chunk = pending.chunk(0, values.length);
    assertArrayEquals(values, Arrays.copyOf(chunk.values(), chunk.size()));
    pending.release();
  }
}
