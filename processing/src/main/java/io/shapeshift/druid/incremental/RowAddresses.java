// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where in the {@link Arena} each row is: ints in direct memory, by the number of the row.
 *
 * <p>One thread writes. Others read what was written before something volatile that they have read.
 */
final class RowAddresses {
  private static final int CHUNK_BITS = 12;
  private static final int CHUNK = 1 << CHUNK_BITS;

  private final DirectMemory memory;
  private volatile ByteBuffer[] chunks = {};

  RowAddresses(DirectMemory memory) {
    this.memory = memory;
  }

  int get(int row) {
    return chunks[row >>> CHUNK_BITS].getInt((row & CHUNK - 1) << 2);
  }

  /** Sees to it that the next row can be {@link #set}. */
  void reserve(int row) {
    if (row >>> CHUNK_BITS == chunks.length) {
      ByteBuffer chunk = memory.allocate(CHUNK * Integer.BYTES);
      ByteBuffer[] more = Arrays.copyOf(chunks, chunks.length + 1);
      more[chunks.length] = chunk;
      chunks = more;
    }
  }

  void set(int row, int address) {
    chunks[row >>> CHUNK_BITS].putInt((row & CHUNK - 1) << 2, address);
  }
}
