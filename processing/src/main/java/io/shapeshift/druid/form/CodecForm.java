// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/**
 * A form that compresses what another form makes of a chunk. A codec sees what repeats over many values, so that its
 * chunks are the longest; and it must be decompressed before the first value is read, so that it has to save something
 * over the forms that are read where they lie.
 *
 * @param <C> the chunks it stores
 * @param <R> the reader of such chunks
 */
public interface CodecForm<C extends Chunk, R> extends Form<C, R> {
  /**
   * What a quick run of the codec makes of the chunk.
   *
   * @param best  bytes of the chunk in the inner form that suits the codec best; {@link #encode} hardly ever takes more
   * @param plain bytes of the chunk in the inner form that Druid's own columns have, which is never less
   */
  record Trial(int best, int plain) {}

  /**
   * By what factor a chunk that is read directly may be larger under a target than the same values as Druid's own
   * column has them with this codec; infinite if Druid's columns do not have the same values.
   */
  double allowedOverDruid(OptimizationTarget target);

  /**
   * Tries the codec's quickest variant.
   *
   * @param chunk one that {@link #estimate} answers with {@link Estimate#TRY}
   */
  Trial tryQuickly(C chunk);

  /**
   * The bytes that {@link #encode} takes, by encoding.
   *
   * @param chunk one that {@link #estimate} answers with {@link Estimate#TRY}
   */
  int bestSize(C chunk);

  /**
   * The bytes of the chunk as Druid's own column with this codec has them, without what is around them.
   *
   * @param chunk one that {@link #estimate} answers with {@link Estimate#TRY}
   */
  int plainSize(C chunk);
}
