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
 * Rule that excludes forms which are read more slowly than stock Druid's column of the same values. Each column has one
 * of its own, as it may remember earlier chunks.
 *
 * @param <C> the chunks
 */
@FunctionalInterface
interface SpeedLimit<C extends Chunk> {
  /**
   * Whether a chunk in this form is read more slowly than stock's column.
   *
   * @param whole gives all values that are to be stored next, as stock's block has them
   */
  boolean isExceeded(Form<C, ?> form, C chunk, Supplier<C> whole);

  /** No limit. */
  static <C extends Chunk> SpeedLimit<C> none() {
    return (form, chunk, whole) -> false;
  }

  /** The limit of numbers, whose forms differ most from stock's columns in scans. */
  static SpeedLimit<NumberChunk> ofScans(NumberType type) {
    final StockScan scan = new StockScan(type);
    return (form, chunk, whole) ->
        scan.isFasterThan(CostModel.Reads.SPEED_LIMIT_MARGIN * form.scanNanos(chunk), whole.get());
  }

  /** The limit of ids. Stock's columns of ints are always scanned more slowly, but decompress a few values soon. */
  static SpeedLimit<IntChunk> ofSparseReads() {
    final CompressedForm stock = IntForms.stock();
    // An approximation: stock's block has more values, in which LZ4 finds more. But all chunks of ints that a splitter
    // asks for are one object, which the whole would fill anew.
    return (form, chunk, whole) -> stock.isDecompressedFasterThan(form.sparseNanos(chunk), chunk);
  }
}
