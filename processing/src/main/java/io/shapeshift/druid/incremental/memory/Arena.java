// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.druid.error.DruidException;

/**
 * Append-only store of rows or strings, in chunks of direct memory that do not move. The first chunks have 16 KB each,
 * because an ingestion has many indexes of few rows. A later chunk has a quarter of the total size of all earlier ones,
 * at most 4 MB. The arena never changes bytes that have an address.
 *
 * <p>An address is an int: the chunk in the upper 13 bits, and the offset in words of 8 bytes in the lower 19 bits. The
 * limit is therefore about 32 GB. A row larger than a chunk gets a chunk of its own.
 *
 * <p>One thread writes. Other threads read what was written before a volatile write that they have seen.
 */
public final class Arena {
  static final int SMALLEST_CHUNK = 1 << 14;
  private static final int LARGEST_CHUNK = 1 << 22;
  /**
   * Divisor for the size of a new chunk: the number of all earlier bytes is divided by this. It bounds the unused
   * memory.
   */
  private static final int GROWTH = 4;
  private static final int PLACE_BITS = 19;
  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;
  /** Maximum number of chunks, one less than the upper bits can count, so that no address is -1. */
  private static final int MAX_CHUNKS = (1 << (Integer.SIZE - PLACE_BITS)) - 1;

  private final DirectMemory memory;
  private volatile ByteBuffer[] chunks = {};
  private long allocated;
  /** Offset of the next row in the last chunk. */
  private int end;

  public Arena(DirectMemory memory) {
    this.memory = memory;
  }

  public ByteBuffer chunk(int address) {
    return chunks[address >>> PLACE_BITS];
  }

  public static int offset(int address) {
    return (address & PLACE_MASK) << 3;
  }

  /**
   * Finds space for contiguous bytes. The space stays free until {@link #take} takes it.
   *
   * @param bytes a multiple of 8
   * @return the address of the space
   * @throws DruidException if there is no memory for them
   */
  public int reserve(int bytes) {
    // After a large row failed, its chunk has more words than an address can count.
    if (chunks.length == 0 || chunks[chunks.length - 1].capacity() - end < bytes || end >>> 3 > PLACE_MASK) {
      addChunk(bytes);
    }
    return (chunks.length - 1) << PLACE_BITS | end >>> 3;
  }

  /** Takes the bytes that were reserved last. */
  public void take(int bytes) {
    end += bytes;
  }

  /** Whether at least two more chunks can be allocated. */
  public boolean hasSpace() {
    return chunks.length < MAX_CHUNKS - 1;
  }

  private void addChunk(int bytes) {
    if (chunks.length == MAX_CHUNKS) {
      throw DruidException.forPersona(DruidException.Persona.OPERATOR)
          .ofCategory(DruidException.Category.CAPACITY_EXCEEDED)
          .build("An index in memory has at most [%,d] chunks of rows: lower maxBytesInMemory", MAX_CHUNKS);
    }
    final long share = allocated / GROWTH / SMALLEST_CHUNK * SMALLEST_CHUNK;
    final int usual = (int) Math.max(SMALLEST_CHUNK, Math.min(LARGEST_CHUNK, share));
    final ByteBuffer chunk = memory.allocate(Math.max(usual, bytes));
    final ByteBuffer[] more = Arrays.copyOf(chunks, chunks.length + 1);
    more[chunks.length] = chunk;
    chunks = more;
    allocated += chunk.capacity();
    end = 0;
  }
}
