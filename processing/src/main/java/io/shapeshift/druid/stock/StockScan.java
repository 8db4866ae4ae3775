// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.codec.RawCodecForm;
import javax.annotation.Nullable;

/**
 * How long it takes to scan Druid's own column of some numbers with LZ4, block by block: the time of a copy, and a time
 * for each of LZ4's sequences. Only compressing as Druid does tells how many there are, which takes longer than all
 * else that is done with a column. So a block that the quick compressor makes the same of as of one that was measured
 * shortly before is believed to be scanned as fast. It is measured where that is not enough for a clear answer.
 *
 * <p>Not shared between columns: it remembers a block of the column. What it answers depends on the column's numbers
 * alone.
 */
public final class StockScan {
  private final RawCodecForm stock;
  private final double least;
  /** What the quick compressor made of the block that was measured last; null before. */
  @Nullable
  private RawCodecForm.Quick measuredQuick;
  private double measuredNanos;
  private int believers;

  /**
   * Makes one for a column.
   *
   * @param type of its numbers
   */
  public StockScan(NumberType type) {
    this.stock = NumberForms.stock(type);
    this.least = type == NumberType.FLOAT ? CostModel.Stock.NARROW_NANOS : CostModel.Stock.WIDE_NANOS;
  }

  /**
   * Whether a block is scanned faster than at {@code nanos} a number.
   *
   * @param block all numbers of a block of Druid's column
   */
  public boolean isFasterThan(double nanos, NumberChunk block) {
    if (nanos <= least) {
      return false;
    }
    final double believed = block.findings().once(this, Double.class, () -> believed(block));
    // NaN is not clear.
    return Math.abs(believed - nanos) > CostModel.Stock.CLEAR * nanos ? believed < nanos : measured(block) < nanos;
  }

  /** What one number is believed to take, or NaN if nothing like this block was measured shortly before. */
  private double believed(NumberChunk block) {
    final RawCodecForm.Quick quick = stock.quick(block);
    if (measuredQuick == null
        || believers == CostModel.Stock.BELIEVERS
        || !isAlike(quick.bytes(), measuredQuick.bytes())
        || !isAlike(nanos(quick.sequences(), block), nanos(measuredQuick.sequences(), block))) {
      return Double.NaN;
    }
    believers++;
    return measuredNanos;
  }

  private static boolean isAlike(double one, double other) {
    return Math.abs(one - other) <= CostModel.Stock.ALIKE * other;
  }

  private double measured(NumberChunk block) {
    final Lz4Sequences sequences = block.findings().once(Lz4Sequences.class, Lz4Sequences.class, () -> {
      measuredQuick = stock.quick(block);
      believers = 0;
      return stock.sequences(block);
    });
    measuredNanos = nanos(sequences, block);
    return measuredNanos;
  }

  private double nanos(Lz4Sequences sequences, NumberChunk block) {
    return least + sequences.nanos() / block.size();
  }
}
