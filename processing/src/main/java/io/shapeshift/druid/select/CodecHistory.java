// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Form;
import java.util.IdentityHashMap;
import java.util.function.IntSupplier;

/**
 * Remembers how codecs did on a column's earlier chunks, so that not each chunk has to try them again: columns look
 * alike from one end to the other. It depends on the column's values alone, so the same column gives the same bytes.
 * It may be mistaken: it says what is worth its time, and {@code SizeBudget} sees to the size.
 */
final class CodecHistory {
  /** After all codecs lost, they are skipped for this many following chunks of similar size per value. */
  private static final int CHUNKS_PER_VAIN_TRIAL = 3;
  /** Sizes per value that differ by less than this share are similar. */
  private static final double ALIKE = 0.03;

  private final IdentityHashMap<Form<?, ?>, Measurement> best = new IdentityHashMap<>(2);
  private double vainBytesPerValue;
  private int vainTrialsSaved = CHUNKS_PER_VAIN_TRIAL;

  /** The ratio of a codec's thorough size to its quick size, as last measured. */
  static final class Measurement {
    /** The thorough size is seldom less than this share of the quick size: beyond that it is not looked for. */
    private static final double LEAST_OF_QUICK = 0.5;
    /** How many chunks in a row rely on one measurement, including the chunk that was measured. */
    private static final int CHUNKS = 16;
    /** A safety margin for estimated sizes: a chunk may compress a little better than the one that was measured. */
    private static final double MARGIN = 0.98;

    private double ofQuick;
    private int believed = CHUNKS;

    /**
     * Compares the thorough size with a limit.
     *
     * @param limit   in bytes
     * @param quick   size by the quick variant
     * @param measure compresses thoroughly, and returns the size
     */
    CodecTrial.Thorough compare(double limit, int quick, IntSupplier measure) {
      if (limit < quick * LEAST_OF_QUICK) {
        return new CodecTrial.Thorough(CodecTrial.Basis.HALF_OF_QUICK, quick * LEAST_OF_QUICK, false);
      }
      if (believed < CHUNKS && limit < quick * ofQuick * MARGIN) {
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
    if (vainTrialsSaved < CHUNKS_PER_VAIN_TRIAL
        && Math.abs(directBytesPerValue - vainBytesPerValue) < ALIKE * vainBytesPerValue) {
      vainTrialsSaved++;
      return true;
    }
    return false;
  }

  /** Remembers whether all codecs lost on a chunk. */
  void tried(boolean inVain, double directBytesPerValue) {
    vainTrialsSaved = inVain ? 0 : CHUNKS_PER_VAIN_TRIAL;
    vainBytesPerValue = directBytesPerValue;
  }
}
