// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

/**
 * Whether chunks can be stored as they are under the promise that the column is not larger than Druid's own, times what
 * the target allows.
 *
 * @param basis   how the size of Druid's own column is known
 * @param bytes   of the chunks, with what the column takes for them besides
 * @param stock   bytes that these values take in Druid's own column at least
 * @param allowed the factor that the target allows
 * @param saved   what earlier chunks saved
 * @param kept    whether they can; otherwise Druid's own blocks are stored, or a codec is tried
 */
public record SizeDecision(Basis basis, long bytes, long stock, double allowed, double saved, boolean kept) {
  /** How the size of Druid's own column is known. */
  public enum Basis {
    /** It need not be: earlier chunks saved enough. */
    SAVED,
    /** By a bound that holds for every block of LZ4. */
    AT_LEAST,
    /** By compressing as Druid does. */
    MEASURED
  }
}
