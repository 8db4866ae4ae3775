// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where in an {@link Arena} each row, or each string, is: ints in direct memory, by its number. The first chunk begins
 * small, as most dictionaries have few strings, and is copied to one twice as large until it is as large as the others;
 * whoever still has the smaller one finds all there that he knows of.
 *
 * <p>One thread writes. Others read what was written before something volatile that they have read.
 */
public final class Addresses {
  private static final int FIRST = 1 << 6;
  private static final int CHUNK_BITS = 12;
  private static final int CHUNK = 1 << CHUNK_BITS;

  private final DirectMemory memory;
  private volatile ByteBuffer[] chunks = {};

  public Addresses(DirectMemory memory) {
    this.memory = memory;
  }

  public int get(int number) {
    return chunks[number >>> CHUNK_BITS].getInt((number & CHUNK - 1) << 2);
  }

  /** Sees to it that the next number can be {@link #set}. */
  public void reserve(int number) {
    final int chunk = number >>> CHUNK_BITS;
    if (chunk == chunks.length) {
      final ByteBuffer[] more = Arrays.copyOf(chunks, chunk + 1);
      more[chunk] = memory.allocate((chunk == 0 ? FIRST : CHUNK) * Integer.BYTES);
      chunks = more;
    } else if (chunk == 0 && number * Integer.BYTES == chunks[0].capacity()) {
      final ByteBuffer larger = memory.allocate(2 * chunks[0].capacity());
      larger.put(0, chunks[0], 0, chunks[0].capacity());
      chunks = new ByteBuffer[] {larger};
    }
  }

  public void set(int number, int address) {
    chunks[number >>> CHUNK_BITS].putInt((number & CHUNK - 1) << 2, address);
  }
}
