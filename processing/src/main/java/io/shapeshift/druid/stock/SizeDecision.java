// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

/**
 * Decision whether chunks may be stored under the column's size limit.
 *
 * @param basis   source of the stock size
 * @param bytes   size of the chunks, including their overhead in the column
 * @param stock   lower bound of the stock size of these values in bytes
 * @param allowed maximum ratio to the stock size under the target
 * @param saved   bytes that earlier chunks saved
 * @param kept    whether the chunks may be stored; otherwise stock blocks are stored, or a codec is tried
 */
public record SizeDecision(Basis basis, long bytes, long stock, double allowed, double saved, boolean kept) {
  /** Source of the stock size. */
  public enum Basis {
    /** Not needed, because earlier chunks saved enough. */
    SAVED,
    /** Lower bound that holds for every LZ4 block. */
    AT_LEAST,
    /** Measured by compressing as Druid does. */
    MEASURED
  }
}
