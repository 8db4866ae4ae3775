// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Form;
import java.util.IdentityHashMap;
import java.util.function.IntSupplier;

/**
 * What a column's chunks so far have taught about codecs, so that not each chunk has to ask them again: columns look
 * alike from one end to the other. It follows from the column's values alone; the same column gives the same bytes.
 */
final class CodecHistory {
  /** So many chunks in a row do without a codec, as long as they are like the one that tried it in vain. */
  private static final int CHUNKS_PER_VAIN_TRIAL = 3;
  private static final double ALIKE = 0.03;

  private final IdentityHashMap<Form<?, ?>, Measurement> best = new IdentityHashMap<>(2);
  private final IdentityHashMap<Form<?, ?>, Measurement> plain = new IdentityHashMap<>(2);
  private double vainBytesPerValue;
  private int vainTrialsSaved = CHUNKS_PER_VAIN_TRIAL;

  /** How the thorough codec compares with its quick variant. */
  static final class Measurement {
    /** How much less the thorough codec may take than the quick one; more was never seen. */
    private static final double LEAST_OF_QUICK = 0.5;
    /** How many chunks in a row, the one that was measured included, rely on one measurement of the thorough codec. */
    private static final int CHUNKS = 16;
    /** For the chunks that believe: others may compress a little better. */
    private static final double MARGIN = 0.98;

    private double ofQuick;
    private int believed = CHUNKS;

    /** Whether the thorough codec may take less than a limit, going by what its quick variant takes. */
    static boolean couldBeBelow(double limit, int quick) {
      return limit >= quick * LEAST_OF_QUICK;
    }

    /**
     * Whether the thorough codec takes less than a limit.
     *
     * @param limit   in bytes
     * @param quick   what the codec's quick variant takes
     * @param measure runs the thorough codec
     */
    CodecTrial.Thorough compare(double limit, int quick, IntSupplier measure) {
      if (!couldBeBelow(limit, quick)) {
        return new CodecTrial.Thorough(CodecTrial.Basis.AT_LEAST, quick * LEAST_OF_QUICK, false);
      }
      if (believed < CHUNKS && limit < quick * ofQuick * MARGIN) {
        believed++;
        return new CodecTrial.Thorough(CodecTrial.Basis.BELIEVED, quick * ofQuick, false);
      }
      final int measured = measure.getAsInt();
      ofQuick = (double) measured / quick;
      believed = 1;
      return new CodecTrial.Thorough(CodecTrial.Basis.MEASURED, measured, measured < limit);
    }
  }

  /** Of the inner form that suits the codec best. */
  Measurement best(Form<?, ?> codec) {
    return best.computeIfAbsent(codec, asked -> new Measurement());
  }

  /** Of the inner form that Druid's own columns have. */
  Measurement plain(Form<?, ?> codec) {
    return plain.computeIfAbsent(codec, asked -> new Measurement());
  }

  /** Whether a codec was tried in vain on a chunk like this one not long ago. */
  boolean wouldTryInVain(double directBytesPerValue) {
    if (vainTrialsSaved < CHUNKS_PER_VAIN_TRIAL
        && Math.abs(directBytesPerValue - vainBytesPerValue) < ALIKE * vainBytesPerValue) {
      vainTrialsSaved++;
      return true;
    }
    return false;
  }

  /** Remembers whether a codec was tried in vain. */
  void tried(boolean inVain, double directBytesPerValue) {
    vainTrialsSaved = inVain ? 0 : CHUNKS_PER_VAIN_TRIAL;
    vainBytesPerValue = directBytesPerValue;
  }
}
