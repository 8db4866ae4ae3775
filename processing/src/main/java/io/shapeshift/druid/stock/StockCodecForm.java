// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.codec.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A codec that can store the blocks of Druid's own column as they are, byte for byte, each as a chunk of its own.
 *
 * @param <C> the chunks it stores
 * @param <R> the reader of such chunks
 */
public interface StockCodecForm<C extends Chunk, R> extends CodecForm<C, R> {
  /** What compresses. */
  Codec codec();

  /** Whether the quick variant finds nothing smaller than the form of Druid's own column; see {@link #tryQuickly}. */
  boolean prefersPlain(C chunk);

  /**
   * The block that Druid's own column makes of a chunk which is one of its blocks, compressed with
   * {@link Codec.Effort#STOCK}; not to be changed.
   *
   * @param chunk in the values and the width of Druid's column
   */
  byte[] stockBlock(C chunk, ByteOrder order);

  /** Whether {@link #stockBlock} was made already, so that it takes no time. */
  boolean knowsStockBlock(C chunk, ByteOrder order);

  /**
   * Writes a chunk with a block of Druid's own column.
   *
   * @param block the block, compressed with {@link Codec.Effort#STOCK}
   * @param out   in the byte order of the column
   */
  void encodeStock(byte[] block, ByteBuffer out);
}
