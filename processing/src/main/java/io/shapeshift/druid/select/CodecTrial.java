// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Form;
import javax.annotation.Nullable;

/**
 * The comparison of a codec with the chunks that are read directly and hold the same values.
 *
 * @param form    the codec
 * @param verdict the result
 * @param quick   the sizes by the codec's quickest variant; null if the codec cannot store the values
 * @param weight  by which codecs are compared: the quick size times the cost of decoding, plus the cost per number;
 *                infinite if the codec cannot store the values
 * @param limit   the bytes below which the codec has less weight than the chunks that are read directly
 * @param allowed the tolerated ratio of the competing size (direct chunks or another codec) to Druid's column with this
 *                codec; infinite if Druid compresses other values
 * @param stock   the competing size divided by {@code allowed}: the codec is forced if Druid's column is smaller
 * @param best    the size that thorough compression was measured or believed to have, in the inner form that suits the
 *                codec best; null where the verdict was clear without
 */
public record CodecTrial(
    Form<?, ?> form,
    Verdict verdict,
    @Nullable CodecForm.Trial quick,
    double weight,
    double limit,
    double allowed,
    double stock,
    @Nullable Thorough best
) {
  /** Whether a codec is used, and why. */
  public enum Verdict {
    /** It cannot store the values. */
    SKIPPED,
    /** It would be better, but is scanned more slowly than Druid's own column. */
    TOO_SLOW,
    /** Another codec is better. */
    BEHIND_ANOTHER,
    /** It has less weight than the chunks that are read directly. */
    LIGHTER,
    /**
     * What is better otherwise, the chunks that are read directly or another codec, is larger than Druid's own column
     * with this codec by more than is allowed.
     */
    STOCK_IS_SMALLER,
    /** The chunks that are read directly are better. */
    HEAVIER;

    /** Whether the codec is used, unless a codec behind it has less weight. */
    public boolean isBetter() {
      return this == LIGHTER || this == STOCK_IS_SMALLER;
    }
  }

  /** The same trial of a codec that is too slow after all. */
  CodecTrial tooSlow() {
    return new CodecTrial(form, Verdict.TOO_SLOW, quick, weight, limit, allowed, stock, best);
  }

  /** How the size of thorough compression is known. */
  public enum Basis {
    /** By the ratio to the quick size that was last measured on this column. */
    BELIEVED,
    /** By compressing. */
    MEASURED
  }

  /**
   * The size by thorough compression.
   *
   * @param basis   how it is known
   * @param bytes   the size
   * @param smaller whether it is below the limit
   */
  public record Thorough(Basis basis, double bytes, boolean smaller) {}
}
