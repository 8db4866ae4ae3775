// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.cost.OptimizationTarget;
import java.nio.ByteBuffer;

/**
 * Form that compresses a chunk, usually in the encoding of another form. Its chunks are the longest, because a codec
 * finds repetitions over many values. They must be decompressed before the first value is read, so a codec is chosen
 * only if it saves enough compared with forms that are read in place.
 *
 * @param <C> type of the chunks
 * @param <R> type of the reader
 */
public interface CodecForm<C extends Chunk, R> extends Form<C, R> {
  /**
   * Sizes of a chunk under the codec's quick level.
   *
   * @param best  bytes of the chunk in the inner form that compresses best; {@link #encode} rarely needs more
   * @param plain bytes of the chunk in the inner form of Druid's own columns; at least {@code best}
   */
  record Trial(int best, int plain) {}

  @Override
  default boolean isDecodedWhole(ByteBuffer chunk, int offset, int length, R reader) {
    return true;
  }

  /**
   * Returns the factor on the size of a stock column with this codec, above which directly readable chunks are not
   * allowed and the codec is forced. Infinite if Druid compresses other values.
   */
  double allowedOverDruid(OptimizationTarget target);

  /**
   * Compresses a chunk with the codec's quick level, and returns the sizes.
   *
   * @param chunk a chunk whose {@link #estimate} is {@link Estimate#TRY}
   */
  Trial tryQuickly(C chunk);

  /**
   * Returns the size in the best inner form with the effort of {@link #encode}, by compressing the chunk.
   *
   * @param chunk a chunk whose {@link #estimate} is {@link Estimate#TRY}
   */
  int bestSize(C chunk);
}
