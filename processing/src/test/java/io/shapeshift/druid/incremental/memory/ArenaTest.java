// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every row has bytes of its own. */
class ArenaTest {
  private static final int ROW = 1 << 10;
  /** Bytes of a row that is larger than addresses can reach within a chunk. */
  private static final int LARGE_ROW = 5 << 20;

  /** The chunk of a large row that failed has space that no address can reach. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64, 65})
  void aLargeRowThatFailsLeavesARoomForOthers(int before) {
    final DirectMemory memory = new DirectMemory();
    final Arena arena = new Arena(memory);
    final IntSet addresses = new IntOpenHashSet();
    for (int i = 0; i < before; i++) {
      addRow(arena, addresses);
    }
    arena.reserve(LARGE_ROW);
    for (int i = 0; i < 20_000; i++) {
      addRow(arena, addresses);
    }
    memory.freeAll();
  }

  private static void addRow(Arena arena, IntSet addresses) {
    final int address = arena.reserve(ROW);
    arena.take(ROW);
    assertTrue(addresses.add(address), () -> "address " + address + " twice");
    assertTrue(arena.chunk(address).capacity() - Arena.offset(address) >= ROW);
  }

  @Test
  void aLargeRowHasAChunkOfItsOwn() {
    final DirectMemory memory = new DirectMemory();
    final Arena arena = new Arena(memory);
    final int address = arena.reserve(LARGE_ROW);
    arena.take(LARGE_ROW);
    assertEquals(LARGE_ROW, arena.chunk(address).capacity());
    assertTrue(arena.reserve(ROW) != address);
    memory.freeAll();
  }
}
