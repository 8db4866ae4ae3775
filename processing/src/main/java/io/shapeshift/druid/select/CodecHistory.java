// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Form;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * What a column's chunks so far have taught about codecs, so that not each chunk has to ask them again: columns look
 * alike from one end to the other. It follows from the column's values alone; the same column gives the same bytes.
 */
final class CodecHistory {
  /** How much less the thorough codec may take than the quick one; more was never seen. */
  static final double LEAST_OF_QUICK = 0.5;
  /** So many chunks believe what one has measured. */
  private static final int CHUNKS_PER_MEASUREMENT = 16;
  /** For the chunks that believe: others may compress a little better. */
  private static final double MARGIN = 0.98;
  /** So many chunks in a row do without a codec, as long as they are like the one that tried it in vain. */
  private static final int CHUNKS_PER_VAIN_TRIAL = 3;
  private static final double ALIKE = 0.03;

  private final Map<Form<?, ?>, Measurement> measurements = new IdentityHashMap<>(2);
  private double vainBytesPerValue;
  private int vainTrialsSaved = CHUNKS_PER_VAIN_TRIAL;

  private static final class Measurement {
    private double plainOfQuick;
    private int used = CHUNKS_PER_MEASUREMENT;
  }

  /**
   * Whether a chunk that is read directly is larger than what a codec makes of it as Druid's own column has it.
   *
   * @param bytes   of the chunk
   * @param quick   what the codec's quick variant makes of the same
   * @param measure compresses the chunk as Druid does
   */
  boolean isLarger(double bytes, Form<?, ?> codec, int quick, IntSupplier measure) {
    final Measurement measurement = measurements.computeIfAbsent(codec, asked -> new Measurement());
    if (measurement.used < CHUNKS_PER_MEASUREMENT && bytes < quick * measurement.plainOfQuick * MARGIN) {
      measurement.used++;
      return false;
    }
    final int measured = measure.getAsInt();
    measurement.plainOfQuick = (double) measured / quick;
    measurement.used = 1;
    return bytes > measured;
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
