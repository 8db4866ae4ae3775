// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Limits;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntChunkTest {
  @Test
  void fillsUpAndCanBeFilledAgain() {
    final IntChunk chunk = new IntChunk(2);
    chunk.add(0);
    assertFalse(chunk.isFull());
    chunk.add(Integer.MAX_VALUE);
    assertTrue(chunk.isFull());
    assertThrows(IllegalStateException.class, () -> chunk.add(1));
    assertEquals(2, chunk.size());

    assertEquals(Integer.MAX_VALUE, chunk.statistics().max());
    chunk.clear();
    assertEquals(0, chunk.size());
    chunk.add(3);
    assertEquals(3, chunk.statistics().max());
    assertEquals(1, chunk.statistics().numValues());
    assertSame(chunk.statistics(), chunk.statistics(), "computed once");
    chunk.add(5);
    assertEquals(5, chunk.statistics().max());
    assertEquals(3, chunk.statistics().min());
    assertEquals(2, chunk.statistics().numValues());
  }

  @Test
  void isFilledByOthers() {
    final IntChunk chunk = new IntChunk(5000);
    chunk.add(9);
    assertEquals(9, chunk.statistics().max());
    for (int length : new int[] {2, 5000, 1}) {
      final int[] values = chunk.startFilling(length);
      Arrays.fill(values, 0, length, length);
      assertSame(values, chunk.values());
      assertEquals(length, chunk.size());
      assertEquals(length == 5000, chunk.isFull());
      assertEquals(length, chunk.statistics().numValues());
      assertEquals(length, chunk.statistics().min());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  void refusesNegativeValues(int value) {
    final IntChunk chunk = new IntChunk(2);
    final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> chunk.add(value));
    assertEquals("value[" + value + "] must not be negative", e.getMessage());
    assertEquals(0, chunk.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, Limits.MAX_INTS_PER_CHUNK + 1})
  void refusesCapacitiesOutOfBounds(int capacity) {
    assertThrows(IllegalArgumentException.class, () -> new IntChunk(capacity));
  }
}
