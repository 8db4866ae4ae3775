// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Form;
import java.util.IdentityHashMap;
import java.util.function.IntSupplier;

/**
 * Statistics of codecs on a column's earlier chunks. They save trials, because the chunks of a column are mostly
 * similar. The statistics depend only on the column's values, so the same column always gives the same bytes. They may
 * be wrong for a chunk: they only decide which trials are worth their time, and {@code SizeBudget} guarantees the size.
 */
final class CodecHistory {
  private final IdentityHashMap<Form<?, ?>, Measurement> best = new IdentityHashMap<>(2);
  private double vainBytesPerValue;
  private int vainTrialsSaved = CostModel.Codecs.CHUNKS_PER_VAIN_TRIAL;

  /** Ratio of a codec's size with thorough compression to its size with quick compression, as last measured. */
  static final class Measurement {
    private double ofQuick;
    private int uses = CostModel.Codecs.USES_PER_MEASUREMENT;

    /**
     * Compares the size after thorough compression with a limit.
     *
     * @param limit   limit in bytes
     * @param quick   size by the codec's quick variant
     * @param measure compresses thoroughly, and returns the size
     */
    CodecTrial.Thorough compare(double limit, int quick, IntSupplier measure) {
      if (uses < CostModel.Codecs.USES_PER_MEASUREMENT && limit < quick * ofQuick * CostModel.Codecs.ESTIMATE_MARGIN) {
        uses++;
        return new CodecTrial.Thorough(CodecTrial.Basis.ESTIMATED, quick * ofQuick, false);
      }
      final int measured = measure(quick, measure);
      return new CodecTrial.Thorough(CodecTrial.Basis.MEASURED, measured, measured < limit);
    }

    private int measure(int quick, IntSupplier measure) {
      final int measured = measure.getAsInt();
      ofQuick = (double) measured / quick;
      uses = 1;
      return measured;
    }
  }

  /** Measurement for the inner form that suits the codec best. */
  Measurement best(Form<?, ?> codec) {
    return best.computeIfAbsent(codec, asked -> new Measurement());
  }

  /** Whether to skip codecs, because they lost on a similar chunk shortly before. */
  boolean wouldTryInVain(double directBytesPerValue) {
    if (vainTrialsSaved < CostModel.Codecs.CHUNKS_PER_VAIN_TRIAL
        && Math.abs(directBytesPerValue - vainBytesPerValue) < CostModel.Codecs.ALIKE * vainBytesPerValue) {
      vainTrialsSaved++;
      return true;
    }
    return false;
  }

  /** Records whether all codecs lost on a chunk. */
  void tried(boolean inVain, double directBytesPerValue) {
    vainTrialsSaved = inVain ? 0 : CostModel.Codecs.CHUNKS_PER_VAIN_TRIAL;
    vainBytesPerValue = directBytesPerValue;
  }
}
