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
    final BufferedInts buffered = new BufferedInts(16);
    fill(buffered, value);
    assertEquals(room, buffered.size());
  }

  @Test
  void aWiderValueHasRoomIfAllHaveThatAreThere() {
    final BufferedInts buffered = new BufferedInts(16);
    addAll(buffered, 1, 2, 3, 4, 5, 6, 7);
    assertFalse(buffered.add(65_536), "eight of four bytes");
    assertTrue(buffered.add(256));
    assertFalse(buffered.add(1), "nine of two bytes");
    assertValues(buffered, 1, 2, 3, 4, 5, 6, 7, 256);

    final BufferedInts narrow = new BufferedInts(16);
    addAll(narrow, 1, 2, 3, 4, 5, 6, 7, 8);
    assertFalse(narrow.add(256), "nine of two bytes");
    assertTrue(narrow.add(255));
    assertValues(narrow, 1, 2, 3, 4, 5, 6, 7, 8, 255);
  }

  @Test
  void narrowValuesTakeAsMuchAsTheWidestSoFar() {
    final BufferedInts buffered = new BufferedInts(16);
    addAll(buffered, 70_000, 1, 2);
    assertTrue(buffered.add(3));
    assertFalse(buffered.add(0));
    // Also when the widest is gone.
    buffered.removeFirst(1, 4);
    assertTrue(buffered.add(4));
    assertFalse(buffered.add(0));
    assertValues(buffered, 1, 2, 3, 4);
  }

  @ParameterizedTest
  @CsvSource({
    // position of the first, value, room: up to the next multiple of 16, 8 or 4
    "0, 1, 16", "16, 1, 16", "4, 1, 12", "15, 1, 1", "4, 300, 4", "8, 300, 8", "13, 300, 3", "4, 70000, 4",
    "7, 70000, 1", "2147483644, 1, 4", "2147483644, 70000, 4"
  })
  void takesValuesUpToTheBorderOfTheLargestChunk(int position, int value, int room) {
    final BufferedInts buffered = new BufferedInts(16);
    buffered.removeFirst(0, position);
    fill(buffered, value);
    assertEquals(room, buffered.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  void refusesNegativeValues(int value) {
    final BufferedInts buffered = new BufferedInts(16);
    final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> buffered.add(value));
    assertEquals("value[" + value + "] must not be negative", e.getMessage());
    assertEquals(0, buffered.size());
  }

  /** Against a list, with values that become wider at any size, among them where the arrays grow. */
  @Test
  void holdsWhatWasAddedAndNotRemoved(RandomData random) {
    for (int attempt = 0; attempt < 200; attempt++) {
      final BufferedInts buffered = new BufferedInts(1 << 14);
      final List<Integer> expected = new ArrayList<>();
      int position = 0;
      int width = 1;
      for (int step = 0; step < 6; step++) {
        width = Math.min(31, width + random.nextInt(9));
        final int add = random.nextInt(3) == 0 ? random.between(1020, 1030) : random.nextInt(3000);
        for (int i = 0; i < add; i++) {
          final int value = random.uniform(width);
          if (buffered.add(value)) {
            expected.add(value);
          }
        }
        assertEquals(expected.size(), buffered.size());
        assertValues(buffered, expected.stream().mapToInt(Integer::intValue).toArray());
        final int remove = random.nextInt(3) == 0 ? expected.size() : random.between(0, expected.size());
        position += remove;
        buffered.removeFirst(remove, position);
        expected.subList(0, remove).clear();
        assertValues(buffered, expected.stream().mapToInt(Integer::intValue).toArray());
      }
    }
  }

  @Test
  void copiesPartsInsteadOfWhatAChunkHolds() {
    final BufferedInts buffered = new BufferedInts(1 << 16);
    addAll(buffered, IntStream.range(0, 30_000).toArray());
    final IntChunk chunk = buffered.chunk(29_000, 1000);
    assertEquals(1000, chunk.size());
    assertArrayEquals(RandomData.sequence(1000, 29_000), Arrays.copyOf(chunk.values(), 1000));
    assertEquals(29_999, chunk.statistics().max());
    final IntChunk other = buffered.chunk(3, 2);
    assertEquals(2, other.size());
    assertEquals(4, other.statistics().max());
    assertSame(other.statistics(), buffered.chunk(3, 2).statistics(), "filled again");
    buffered.release();
  }

  private static void fill(BufferedInts buffered, int value) {
    int size = buffered.size();
    while (buffered.add(value)) {
      assertEquals(++size, buffered.size());
    }
    assertEquals(size, buffered.size());
  }

  private static void addAll(BufferedInts buffered, int... values) {
    for (int value : values) {
      assertTrue(buffered.add(value), () -> value + " behind " + buffered.size());
    }
  }

  private static void assertValues(BufferedInts buffered, int... values) {
    assertEquals(values.length, buffered.size());
    final IntChunk chunk = buffered.chunk(0, values.length);
    assertArrayEquals(values, Arrays.copyOf(chunk.values(), chunk.size()));
    buffered.release();
  }
}
