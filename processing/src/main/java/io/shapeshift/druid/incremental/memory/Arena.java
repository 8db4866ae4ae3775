// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.druid.error.DruidException;

/**
 * Rows, or strings, one behind the other, in chunks of direct memory that do not move. The first chunks are of 16 KB,
 * since an ingestion has many indexes of few rows, and then each is a quarter of all before it, up to 4 MB. What has an
 * address is never changed by the arena.
 *
 * <p>An address is an int: the chunk in the upper 13 bits, the place in it in words of 8 bytes in the lower 19. So
 * there may be some 32 GB. Only a row that is larger than a chunk has one of its own.
 *
 * <p>One thread writes. Others read what was written before something volatile that they have read.
 */
public final class Arena {
  static final int SMALLEST_CHUNK = 1 << 14;
  private static final int LARGEST_CHUNK = 1 << 22;
  /** A chunk is at most such a share of those before it, so that little is allocated that no row needs. */
  private static final int GROWTH = 4;
  private static final int PLACE_BITS = 19;
  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;
  /** One less than the upper bits can tell, so that no address is -1. */
  private static final int MAX_CHUNKS = (1 << (Integer.SIZE - PLACE_BITS)) - 1;

  private final DirectMemory memory;
  private volatile ByteBuffer[] chunks = {};
  private long allocated;
  /** Where the next row starts in the last chunk. */
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
   * Sees to it that so many bytes follow each other, and tells where. They are free until they are {@link #take}n.
   *
   * @param bytes a multiple of 8
   * @throws DruidException if there is no memory for them
   */
  public int reserve(int bytes) {
    // The chunk of a row that was larger than others, and then failed, has more places than an address can tell.
    if (chunks.length == 0 || chunks[chunks.length - 1].capacity() - end < bytes || end >>> 3 > PLACE_MASK) {
      addChunk(bytes);
    }
    return (chunks.length - 1) << PLACE_BITS | end >>> 3;
  }

  /** Takes bytes that were reserved last. */
  public void take(int bytes) {
    end += bytes;
  }

  /** Whether rows can be added without end in sight: some chunks can. */
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
