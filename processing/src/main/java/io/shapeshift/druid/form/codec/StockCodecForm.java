// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.codec;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.CodecForm;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Codec form that can store stock blocks byte for byte, each as one chunk.
 *
 * @param <C> type of the chunks
 * @param <R> type of the reader
 */
public interface StockCodecForm<C extends Chunk, R> extends CodecForm<C, R> {
  /** Underlying codec. */
  Codec codec();

  /**
   * Whether the quick variant finds no inner form smaller than the payload of a stock block; see {@link #tryQuickly}.
   */
  boolean prefersPlain(C chunk);

  /**
   * Stock block of a chunk with the values of exactly one stock block, compressed with {@link Codec.Effort#STOCK}. Must
   * not be modified.
   *
   * @param chunk chunk with the values and the width of the stock column
   */
  byte[] stockBlock(C chunk, ByteOrder order);

  /** Whether {@link #stockBlock} is already computed, so that the call is free. */
  boolean knowsStockBlock(C chunk, ByteOrder order);

  /**
   * Writes a chunk with a stock block.
   *
   * @param block the block, compressed with {@link Codec.Effort#STOCK}
   * @param out   buffer in the byte order of the column
   */
  void encodeStock(byte[] block, ByteBuffer out);
}
