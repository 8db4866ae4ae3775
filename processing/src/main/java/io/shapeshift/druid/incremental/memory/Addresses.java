// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * List of ints in direct memory: the address in an {@link Arena} of each row or string, by its number. The first chunk
 * starts with 64 ints, because most dictionaries have few strings. It is copied to a chunk of twice the size until it
 * has the size of the others. A reader that still has the smaller chunk finds all entries of which it knows the number.
 *
 * <p>One thread writes. Other threads read what was written before a volatile write that they have seen.
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

  /** Allocates space for the next number, so that it can be {@link #set}. */
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
