// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

/**
 * How much of a column may be stored in one form (Druid PR #6016): chunks with a limit in bytes before they are
 * compressed, or in forms that are read where they lie, as plain values.
 */
public enum BlockSize {
  /** The default: 2^16 bytes, 16,384 ints. */
  LARGE(16),
  /** 2^15 bytes, 8,192 ints. */
  MIDDLE(15),
  /** 2^14 bytes, 4,096 ints. */
  SMALL(14);

  /** Base 2 logarithm of the parts of its largest plain chunk that a column may store in forms of their own. */
  private static final int LOG_BLOCKS_PER_PLAIN_CHUNK = 2;

  private final int logBytes;

  BlockSize(int logBytes) {
    this.logBytes = logBytes;
  }

  /** The bytes that a chunk may take before it is compressed. */
  public int bytes() {
    return 1 << logBytes;
  }

  /**
   * Base 2 logarithm of the most values that a chunk has that is read where it lies.
   *
   * @param logBytesPerValue 2 for ints
   */
  public int logValues(int logBytesPerValue) {
    return logBytes - logBytesPerValue;
  }

  /**
   * Base 2 logarithm of the values in a block, of which a chunk has one or several.
   *
   * @param logBytesPerValue 2 for ints
   */
  public int logValuesPerBlock(int logBytesPerValue) {
    return logValues(logBytesPerValue) - LOG_BLOCKS_PER_PLAIN_CHUNK;
  }
}
