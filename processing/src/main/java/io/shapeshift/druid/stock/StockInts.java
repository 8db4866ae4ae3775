// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.form.ints.IntChunk;
import java.nio.ByteBuffer;

/**
 * Druid's own column of ints, {@code CompressedVSizeColumnarInts}: each value of the column takes as many bytes as the
 * largest needs, also where a chunk of ours has smaller ones only.
 */
public final class StockInts implements StockColumn<IntChunk> {
  /** Version, bytes of a value, values, values of a block, codec; and what there is around the blocks. */
  private static final int HEAD_BYTES = 11 + 10;

  private final int numBytes;
  private final int valuesPerBlock;

  /**
   * Makes a description of the column.
   *
   * @param maxValue what Druid is told of the largest value, which is at least that: it takes the number of a
   *                 dictionary's entries
   * @param maxBytes bytes of the largest chunk of ours, a power of 2: Druid's own blocks have up to 64 KiB, and smaller
   *                 chunks are compared with blocks of their size
   */
  public StockInts(int maxValue, int maxBytes) {
    this.numBytes = BytePacking.numBytes(maxValue);
    this.valuesPerBlock = Integer.highestOneBit(maxBytes / numBytes);
  }

  @Override
  public int headBytes() {
    return HEAD_BYTES;
  }

  @Override
  public int valuesPerBlock() {
    return valuesPerBlock;
  }

  @Override
  public void putBlock(IntChunk chunk, int start, int length, ByteBuffer out) {
    if (BytePacking.numBytes(chunk.statistics().max()) > numBytes) {
      throw new IllegalArgumentException(
          "value[" + chunk.statistics().max() + "] must not take more than " + numBytes + " bytes, as it was said");
    }
    BytePacking.pack(chunk.values(), start, length, numBytes, out);
  }

  @Override
  public boolean isPlain(IntChunk chunk) {
    return chunk.size() <= valuesPerBlock && BytePacking.numBytes(chunk.statistics().max()) == numBytes;
  }
}
