// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Form;
import javax.annotation.Nullable;

/**
 * A codec that was compared with what the forms that are read directly make of the same values.
 *
 * @param form    the codec
 * @param verdict what came of it
 * @param quick   what the codec's quickest variant makes of the values; null if the codec cannot store them
 * @param weight  what the selection compares among codecs: the quick size times the cost of decoding, and what that
 *                counts for besides; infinite if the codec cannot store the values
 * @param limit   the bytes below which the codec has less weight than the chunks that are read directly
 * @param allowed by what factor these, or the best codec of other values, may be larger than Druid's own column with
 *                this codec; infinite if Druid's columns do not have the values that this codec compresses
 * @param druids  the bytes of Druid's own column below which they are larger than that
 * @param best    the size that thorough compression was measured or believed to have, in the inner form that suits the
 *                codec best; null where the verdict was clear without
 * @param plain   the same in the inner form of Druid's own columns
 */
public record CodecTrial(
    Form<?, ?> form,
    Verdict verdict,
    @Nullable CodecForm.Trial quick,
    double weight,
    double limit,
    double allowed,
    double druids,
    @Nullable Thorough best,
    @Nullable Thorough plain
) {
  /** Whether a codec is used, and why. */
  public enum Verdict {
    /** It cannot store the values. */
    SKIPPED,
    /** Another codec is better. */
    BEHIND_ANOTHER,
    /** It was the best by its quick variant, but Druid's own column with another codec is smaller. */
    LARGER_THAN_DRUIDS,
    /** It has less weight than the chunks that are read directly. */
    LIGHTER,
    /**
     * What is better otherwise, the chunks that are read directly or another codec, is larger than Druid's own column
     * with this codec by more than is allowed.
     */
    DRUIDS_IS_SMALLER,
    /** The chunks that are read directly are better. */
    HEAVIER;

    /** Whether the codec is used, unless a codec behind it has less weight. */
    public boolean isBetter() {
      return this == LIGHTER || this == DRUIDS_IS_SMALLER;
    }
  }

  /** The same trial with another verdict. */
  CodecTrial with(Verdict changed) {
    return new CodecTrial(form, changed, quick, weight, limit, allowed, druids, best, plain);
  }

  /** How the size of thorough compression is known. */
  public enum Basis {
    /** It takes at least half of what the quick variant takes: the bytes are those. */
    AT_LEAST,
    /** As it was measured on values of this column not long ago, in proportion. */
    BELIEVED,
    /** By compressing. */
    MEASURED
  }

  /**
   * What thorough compression takes.
   *
   * @param basis   how that is known
   * @param bytes   its size
   * @param smaller whether it is below the limit
   */
  public record Thorough(Basis basis, double bytes, boolean smaller) {}
}
