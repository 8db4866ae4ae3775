// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Form;
import java.util.IdentityHashMap;
import java.util.function.IntSupplier;

/**
 * Remembers how codecs did on a column's earlier chunks, so that not each chunk has to try them again: columns look
 * alike from one end to the other. It depends on the column's values alone, so the same column gives the same bytes.
 * It may be mistaken: it says what is worth its time, and {@code SizeBudget} sees to the size.
 */
final class CodecHistory {
  private final IdentityHashMap<Form<?, ?>, Measurement> best = new IdentityHashMap<>(2);
  private double vainBytesPerValue;
  private int vainTrialsSaved = CostModel.Codecs.CHUNKS_PER_VAIN_TRIAL;

  /** The ratio of a codec's thorough size to its quick size, as last measured. */
  static final class Measurement {
    private double ofQuick;
    private int believed = CostModel.Codecs.BELIEVERS;

    /**
     * Compares the thorough size with a limit.
     *
     * @param limit   in bytes
     * @param quick   size by the quick variant
     * @param measure compresses thoroughly, and returns the size
     */
    CodecTrial.Thorough compare(double limit, int quick, IntSupplier measure) {
      if (believed < CostModel.Codecs.BELIEVERS && limit < quick * ofQuick * CostModel.Codecs.BELIEVED_MARGIN) {
        believed++;
        return new CodecTrial.Thorough(CodecTrial.Basis.BELIEVED, quick * ofQuick, false);
      }
      final int measured = measure(quick, measure);
      return new CodecTrial.Thorough(CodecTrial.Basis.MEASURED, measured, measured < limit);
    }

    private int measure(int quick, IntSupplier measure) {
      final int measured = measure.getAsInt();
      ofQuick = (double) measured / quick;
      believed = 1;
      return measured;
    }
  }

  /** Of the inner form that suits the codec best. */
  Measurement best(Form<?, ?> codec) {
    return best.computeIfAbsent(codec, asked -> new Measurement());
  }

  /** Whether codecs are to be skipped, as they lost on a similar chunk shortly before. */
  boolean wouldTryInVain(double directBytesPerValue) {
    if (vainTrialsSaved < CostModel.Codecs.CHUNKS_PER_VAIN_TRIAL
        && Math.abs(directBytesPerValue - vainBytesPerValue) < CostModel.Codecs.ALIKE * vainBytesPerValue) {
      vainTrialsSaved++;
      return true;
    }
    return false;
  }

  /** Remembers whether all codecs lost on a chunk. */
  void tried(boolean inVain, double directBytesPerValue) {
    vainTrialsSaved = inVain ? 0 : CostModel.Codecs.CHUNKS_PER_VAIN_TRIAL;
    vainBytesPerValue = directBytesPerValue;
  }
}
