// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.codec.RawCodecForm;
import javax.annotation.Nullable;

/**
 * Estimate of the scan time of a stock LZ4 column of numbers, per block: the time of a copy, plus a time per LZ4
 * sequence. Counting the sequences requires compressing the block as Druid does, which is slower than everything else
 * done with a column. So a block is assumed to scan as fast as the last measured one if the quick compressor gives
 * similar results for both. It is measured if this assumption does not give a clear answer.
 *
 * <p>One instance per column, because it remembers a block. Its results depend only on the column's numbers.
 */
public final class StockScan {
  private final RawCodecForm stock;
  private final double least;
  /** Result of the quick compressor for the last measured block; null before the first measurement. */
  @Nullable
  private RawCodecForm.Quick measuredQuick;
  private double measuredNanos;
  private int uses;

  /**
   * Creates an estimate for a column.
   *
   * @param type type of the column's numbers
   */
  public StockScan(NumberType type) {
    this.stock = NumberForms.stock(type);
    this.least = type == NumberType.FLOAT ? CostModel.Stock.NARROW_NANOS : CostModel.Stock.WIDE_NANOS;
  }

  /**
   * Whether a block is scanned faster than in {@code nanos} per number.
   *
   * @param block all numbers of a stock block
   */
  public boolean isFasterThan(double nanos, NumberChunk block) {
    if (nanos <= least) {
      return false;
    }
    final double estimated = block.findings().once(this, Double.class, () -> estimated(block));
    // False for NaN, so that the block is measured.
    return Math.abs(estimated - nanos) > CostModel.Stock.CLEAR * nanos ? estimated < nanos : measured(block) < nanos;
  }

  /** Assumed nanoseconds per number, or NaN if no similar block was measured recently. */
  private double estimated(NumberChunk block) {
    final RawCodecForm.Quick quick = stock.quick(block);
    if (measuredQuick == null
        || uses == CostModel.Stock.USES_PER_BLOCK
        || !isClose(quick.bytes(), measuredQuick.bytes())
        || !isClose(nanos(quick.sequences(), block), nanos(measuredQuick.sequences(), block))) {
      return Double.NaN;
    }
    uses++;
    return measuredNanos;
  }

  private static boolean isClose(double one, double other) {
    return Math.abs(one - other) <= CostModel.Stock.ALIKE * other;
  }

  private double measured(NumberChunk block) {
    final Lz4Sequences sequences = block.findings().once(Lz4Sequences.class, Lz4Sequences.class, () -> {
      measuredQuick = stock.quick(block);
      uses = 0;
      return stock.sequences(block);
    });
    measuredNanos = nanos(sequences, block);
    return measuredNanos;
  }

  private double nanos(Lz4Sequences sequences, NumberChunk block) {
    return least + sequences.nanos() / block.size();
  }
}
