// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.codec.Lz4Sequences;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.codec.RawCodecForm;

/**
 * Estimate of the scan time of a stock LZ4 column of numbers, per block: the time of a copy, plus a time per LZ4
 * sequence. Counting the sequences requires compressing the block as Druid does, which is slower than everything else
 * done with a column. So the time is estimated from the sequences that the quick compressor finds: the two are in the
 * same proportion as in the last measured block, if that one's quick time was nearly the same. A block is measured if
 * there is no such block, and if the estimate does not answer the question.
 *
 * <p>One instance per column, because it remembers a proportion. Its results depend only on the column's numbers.
 */
public final class StockScan {
  private final RawCodecForm stock;
  private final double copyNanos;
  /** Scan time of the last measured block, and what it would be with the quick compressor; 0 before the first. */
  private double measuredNanos;
  private double measuredQuickNanos;
  private int uses;

  /** Times, in nanoseconds per number, between which that of a block is. */
  private static final class Range {
    private double least;
    private double most;

    Range(double least, double most) {
      this.least = least;
      this.most = most;
    }
  }

  /**
   * Creates an estimate for a column.
   *
   * @param type type of the column's numbers
   */
  public StockScan(NumberType type) {
    this.stock = NumberForms.stock(type);
    this.copyNanos = type == NumberType.FLOAT ? CostModel.Stock.NARROW_NANOS : CostModel.Stock.WIDE_NANOS;
  }

  /**
   * Whether a block is scanned faster than in {@code nanos} per number.
   *
   * @param block all numbers of a stock block
   */
  public boolean isFasterThan(double nanos, NumberChunk block) {
    if (nanos <= copyNanos) {
      return false;
    }
    final Range range = block.findings().once(this, Range.class, () -> estimate(block));
    if (range.least < nanos && range.most >= nanos) {
      measure(block, range);
    }
    return range.most < nanos;
  }

  private Range estimate(NumberChunk block) {
    final double quickNanos = quickNanos(block);
    if (uses == 0 || quickNanos > CostModel.Stock.ALIKE * measuredQuickNanos
        || measuredQuickNanos > CostModel.Stock.ALIKE * quickNanos) {
      return new Range(copyNanos, Double.POSITIVE_INFINITY);
    }
    uses--;
    final double estimated = quickNanos * measuredNanos / measuredQuickNanos;
    return new Range((1 - CostModel.Stock.PRECISION) * estimated, (1 + CostModel.Stock.PRECISION) * estimated);
  }

  private void measure(NumberChunk block, Range range) {
    measuredQuickNanos = quickNanos(block);
    measuredNanos = nanos(stock.sequences(block), block);
    uses = CostModel.Stock.USES_PER_BLOCK;
    range.least = measuredNanos;
    range.most = measuredNanos;
  }

  private double quickNanos(NumberChunk block) {
    return nanos(stock.quick(block).sequences(), block);
  }

  private double nanos(Lz4Sequences sequences, NumberChunk block) {
    return copyNanos + sequences.nanos() / block.size();
  }
}
