// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.form.Chunk;
import java.nio.ByteBuffer;

/**
 * How Druid's own column would store the same values: a head, and blocks of values in as many bytes each, of which each
 * is compressed alone.
 *
 * @param <C> the chunks of values
 */
public interface StockColumn<C extends Chunk> {
  /** What a block takes besides its compressed bytes: its offset and its length. */
  int BYTES_PER_BLOCK = 2 * Integer.BYTES;

  /** Bytes of the column without its blocks. */
  int headBytes();

  /** Values of each block but the last, a power of 2. */
  int valuesPerBlock();

  /**
   * Appends what a block is before it is compressed.
   *
   * @param chunk  values of the column, from the border of a block on
   * @param start  where in the chunk the block starts
   * @param length its values
   * @param out    in the column's byte order
   */
  void putBlock(C chunk, int start, int length, ByteBuffer out);

  /** Whether the chunk is one block, and its plain form has the bytes of this block. */
  boolean isPlain(C chunk);
}
