// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Form;
import javax.annotation.Nullable;

/**
 * Comparison of a codec with directly read chunks of the same values.
 *
 * @param form    the codec
 * @param verdict the result
 * @param quick   sizes by the codec's quick variant; null if the codec cannot store the values
 * @param weight  value that selection of a codec minimizes: quick size times cost of decoding, plus a cost per number;
 *     infinite if the codec cannot store the values
 * @param limit   size in bytes below which the codec has less weight than the directly read chunks
 * @param allowed maximum ratio of the competing size (direct chunks or another codec) to the stock column with this
 *     codec; infinite if Druid compresses other values
 * @param stock   competing size divided by {@code allowed}; the codec is forced if the stock column is smaller
 * @param best    size after thorough compression, measured or estimated, in the inner form that suits the codec best;
 *     null if the verdict did not need it
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
  /** Decision about a codec, with its reason. */
  public enum Verdict {
    /** The codec cannot store the values. */
    SKIPPED,
    /** The codec has less weight, but its scan is slower than that of the stock column. */
    TOO_SLOW,
    /** Another codec is better. */
    BEHIND_ANOTHER,
    /** The codec has less weight than the directly read chunks. */
    LIGHTER,
    /**
     * The competitor, directly read chunks or another codec, exceeds the stock column with this codec by more than is
     * allowed.
     */
    STOCK_IS_SMALLER,
    /** The codec has more weight than the directly read chunks. */
    HEAVIER;

    /** Whether the codec is used, unless a later codec has less weight. */
    public boolean isBetter() {
      return this == LIGHTER || this == STOCK_IS_SMALLER;
    }
  }

  /** Copy for a codec that turned out to be too slow. */
  CodecTrial tooSlow() {
    return new CodecTrial(form, Verdict.TOO_SLOW, quick, weight, limit, allowed, stock, best);
  }

  /** Source of the size after thorough compression. */
  public enum Basis {
    /** Size estimated from the quick size. The ratio between the two is the one last measured on this column. */
    ESTIMATED,
    /** Measured by compressing. */
    MEASURED
  }

  /**
   * Size after thorough compression.
   *
   * @param basis   source of size in bytes
   * @param bytes   the size
   * @param smaller whether the size is below the limit
   */
  public record Thorough(Basis basis, double bytes, boolean smaller) {}
}
