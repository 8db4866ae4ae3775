// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.raw.RawForm;
import java.nio.ByteBuffer;

/** Stock column of numbers: the bits of each number. Longs are in the default encoding, {@code longs}. */
public final class StockNumbers implements StockColumn<NumberChunk> {
  /** Version, number of values, values per block, codec; then the bytes around the blocks. */
  private static final int HEAD_BYTES = 10 + 10;

  private final int valuesPerBlock;

  /**
   * Creates a description of the column.
   *
   * @param valuesPerBlock number of values in the longest shape-shifting chunk. Stock blocks have 64 KiB; smaller
   *     chunks are compared with stock blocks of their size
   */
  public StockNumbers(int valuesPerBlock) {
    this.valuesPerBlock = valuesPerBlock;
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
  public void putBlock(NumberChunk chunk, int start, int length, ByteBuffer out) {
    RawForm.put(chunk, start, length, out);
  }

  @Override
  public boolean isPlain(NumberChunk chunk) {
    return chunk.size() <= valuesPerBlock;
  }
}
