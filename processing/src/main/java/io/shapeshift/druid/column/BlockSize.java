// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

/** How large the blocks are into which a column is divided (Druid PR #6016). */
public enum BlockSize {
  /** The default: 2^16 bytes, 16,384 ints. */
  LARGE(16),
  /** 2^15 bytes, 8,192 ints. */
  MIDDLE(15),
  /** 2^14 bytes, 4,096 ints. */
  SMALL(14);

  private final int logBytes;

  BlockSize(int logBytes) {
    this.logBytes = logBytes;
  }

  /**
   * Base 2 logarithm of the number of values in a block.
   *
   * @param logBytesPerValue 2 for ints
   */
  public int logValues(int logBytesPerValue) {
    return logBytes - logBytesPerValue;
  }
}
