// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.ints.codec.CompressedForm;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.stock.StockScan;
import java.util.function.Supplier;

/**
 * Rule that excludes forms that are read more slowly than the stock column of the same values. Each column has its own
 * instance, which may have statistics of earlier chunks.
 *
 * @param <C> type of the chunks
 */
@FunctionalInterface
interface SpeedLimit<C extends Chunk> {
  /**
   * Whether a chunk in this form is read more slowly than the stock column.
   *
   * @param whole supplier of all values to be stored next, which are the values of a stock block
   */
  boolean isExceeded(Form<C, ?> form, C chunk, Supplier<C> whole);

  /** No limit. */
  static <C extends Chunk> SpeedLimit<C> none() {
    return (form, chunk, whole) -> false;
  }

  /** Limit for numbers, by scan time: scans are where forms of numbers differ most from stock columns. */
  static SpeedLimit<NumberChunk> ofScans(NumberType type) {
    final StockScan scan = new StockScan(type);
    return (form, chunk, whole) ->
        scan.isFasterThan(CostModel.Reads.SPEED_LIMIT_MARGIN * form.scanNanos(chunk), whole.get());
  }

  /**
   * Limit for ids, by sparse reads. Stock int columns always scan more slowly, but are fast at decompressing a block
   * for a few values.
   */
  static SpeedLimit<IntChunk> ofSparseReads() {
    final CompressedForm stock = IntForms.stock();
    // An approximation by the chunk itself: stock's block has more values, and LZ4 finds more matches in it. The whole
    // block is not requested, because all int chunks of a splitter are one object, which would be overwritten.
    return (form, chunk, whole) -> stock.isDecompressedFasterThan(form.sparseNanos(chunk), chunk);
  }
}
