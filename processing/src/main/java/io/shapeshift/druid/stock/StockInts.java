// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.form.ints.IntChunk;
import java.nio.ByteBuffer;

/**
 * Stock column of ints, {@code CompressedVSizeColumnarInts}. All its values have the width of the largest value, even
 * if a chunk has only smaller ones.
 */
public final class StockInts implements StockColumn<IntChunk> {
  /** Version, width, number of values, values per block, codec; then the bytes around the blocks. */
  private static final int HEAD_BYTES = 11 + 10;

  private final int numBytes;
  private final int valuesPerBlock;

  /**
   * Creates a description of the column.
   *
   * @param maxValue maximum value that Druid assumes, which may exceed the largest value: Druid uses the cardinality of
   *     the dictionary
   * @param maxBytes size of the largest shape-shifting chunk in bytes, a power of 2. Stock blocks have up to 64 KiB;
   *     smaller chunks are compared with stock blocks of their size
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
