// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

/**
 * Limit on the size of a chunk (Druid PR #6016). It applies to the bytes of a codec's payload before compression, and,
 * for chunks that are read in place, to their size as plain values.
 */
public enum BlockSize {
  /** The default: 2^16 bytes, 16,384 ints. */
  LARGE(16),
  /** 2^15 bytes, 8,192 ints. */
  MIDDLE(15),
  /** 2^14 bytes, 4,096 ints. */
  SMALL(14);

  /** Base 2 logarithm of the number of blocks in the largest chunk that is read in place. */
  private static final int LOG_BLOCKS_PER_PLAIN_CHUNK = 2;

  private final int logBytes;

  BlockSize(int logBytes) {
    this.logBytes = logBytes;
  }

  /** Returns the limit in bytes, before compression. */
  public int bytes() {
    return 1 << logBytes;
  }

  /**
   * Returns the base 2 logarithm of the most values in a chunk that is read in place.
   *
   * @param logBytesPerValue 2 for ints
   */
  public int logValues(int logBytesPerValue) {
    return logBytes - logBytesPerValue;
  }

  /**
   * Returns the base 2 logarithm of the number of values in a block; a chunk has one or more blocks.
   *
   * @param logBytesPerValue 2 for ints
   */
  public int logValuesPerBlock(int logBytesPerValue) {
    return logValues(logBytesPerValue) - LOG_BLOCKS_PER_PLAIN_CHUNK;
  }
}
