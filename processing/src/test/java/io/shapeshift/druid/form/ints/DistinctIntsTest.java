// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.testing.RandomData;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RandomData.Seeded.class)
class DistinctIntsTest {
  private static final int MAX = Limits.MAX_DIRECT_INTS;

  /** One set for all, as the pool lends it. */
  @Test
  void tellsTheOrderOfDistinctValues(RandomData random) {
    final DistinctInts distinct = new DistinctInts();
    for (int[] values : new int[][] {
        {0}, {5, 5, 5}, {3, 1, 2}, {Integer.MAX_VALUE, 0}, RandomData.sequence(MAX, 0), random.uniform(MAX, 31),
        random.uniform(MAX, 8), {7}, RandomData.sequence(300, Integer.MAX_VALUE - 300), colliding()
    }) {
      final int[] expected = Arrays.stream(values).distinct().sorted().toArray();
      assertArrayEquals(expected, distinct.collect(values, values.length));
      for (int value : values) {
        assertEquals(value, expected[distinct.code(value)]);
      }
    }
  }

  /** Values that differ in their highest bits alone, so that many fall on the same slot. */
  private static int[] colliding() {
    return IntStream.range(0, 128).map(i -> i << 24).toArray();
  }

  @Test
  void looksAtTheFirstValuesOnly() {
    assertArrayEquals(new int[] {2, 4}, new DistinctInts().collect(new int[] {4, 2, 4, 3, 0}, 3));
    assertEquals(2, DistinctInts.count(new int[] {4, 2, 4, 3, 0}, 3, 10));
  }

  @Test
  void countsAsFarAsItIsOfInterest(RandomData random) {
    for (int[] values : new int[][] {{0}, {5, 5, 5}, {3, 1, 2}, random.uniform(MAX, 31), random.uniform(MAX, 8)}) {
      final int expected = (int) Arrays.stream(values).distinct().count();
      assertEquals(expected, DistinctInts.count(values, values.length, expected));
      assertEquals(expected, DistinctInts.count(values, values.length, MAX));
      assertTrue(DistinctInts.count(values, values.length, expected - 1) > expected - 1);
    }
    assertTrue(DistinctInts.count(RandomData.sequence(Limits.MAX_INTS_PER_CHUNK, 0), 65_536, 256) > 256);
    assertEquals(256, DistinctInts.count(IntStream.range(0, 65_536).map(i -> i % 256).toArray(), 65_536, 256));
  }
}
