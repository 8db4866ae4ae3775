// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.form.Chunk;
import java.nio.ByteBuffer;

/**
 * Layout of the stock column of the same values: a head, and separately compressed blocks of fixed-width values.
 *
 * @param <C> type of the chunks
 */
public interface StockColumn<C extends Chunk> {
  /** Overhead of a block in bytes: its offset and its length. */
  int BYTES_PER_BLOCK = 2 * Integer.BYTES;

  /** Size in bytes of the column without its blocks. */
  int headBytes();

  /** Number of values in each block except the last, a power of 2. */
  int valuesPerBlock();

  /**
   * Appends the uncompressed payload of a block.
   *
   * @param chunk  values of the column, starting at a block border
   * @param start  position in the chunk of the block's first value
   * @param length number of values in the block
   * @param out    buffer in the column's byte order
   */
  void putBlock(C chunk, int start, int length, ByteBuffer out);

  /** Whether the chunk is exactly one block, and its plain form has the bytes of this block. */
  boolean isPlain(C chunk);
}
