// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.raw.RawForm;
import java.nio.ByteBuffer;

/** Druid's own column of numbers: the bits of each, of longs in the encoding {@code longs}, which is the default. */
public final class StockNumbers implements StockColumn<NumberChunk> {
  /** Version, values, values of a block, codec; and what there is around the blocks. */
  private static final int HEAD_BYTES = 10 + 10;

  private final int valuesPerBlock;

  /**
   * Makes a description of the column.
   *
   * @param valuesPerBlock as many as our longest chunk has: Druid's own blocks have 64 KiB, and smaller chunks are
   *                       compared with blocks of their size
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
