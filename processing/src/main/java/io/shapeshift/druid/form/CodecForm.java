// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.cost.OptimizationTarget;
import java.nio.ByteBuffer;

/**
 * A form that compresses a chunk, usually in the encoding of another form. A codec finds repetitions over many values,
 * so its chunks are the longest. They must be decompressed before the first value is read, so a codec is used only if
 * it saves enough compared to the forms that are read where they lie.
 *
 * @param <C> the chunks it stores
 * @param <R> the reader of such chunks
 */
public interface CodecForm<C extends Chunk, R> extends Form<C, R> {
  /**
   * The sizes of a chunk when it is compressed by the codec's quickest variant.
   *
   * @param best  bytes of the chunk in the inner form that suits the codec best; {@link #encode} hardly ever takes more
   * @param plain bytes of the chunk in the inner form of Druid's own columns, which are never fewer
   */
  record Trial(int best, int plain) {}

  @Override
  default boolean isDecodedWhole(ByteBuffer chunk, int offset, int length, R reader) {
    return true;
  }

  /**
   * How much larger directly read chunks may be than Druid's column with this codec before the codec is forced, as a
   * factor; infinite if Druid compresses other values.
   */
  double allowedOverDruid(OptimizationTarget target);

  /**
   * Compresses with the codec's quickest variant.
   *
   * @param chunk one that {@link #estimate} answers with {@link Estimate#TRY}
   */
  Trial tryQuickly(C chunk);

  /**
   * The size in the best inner form, as {@link #encode} compresses it; found out by compressing.
   *
   * @param chunk one that {@link #estimate} answers with {@link Estimate#TRY}
   */
  int bestSize(C chunk);
}
