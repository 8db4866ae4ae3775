// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.incremental.row.StoredRow;

/** The order of rows by one dimension, as they are persisted. */
@FunctionalInterface
public interface DimensionOrder {
  int compare(StoredRow left, StoredRow right);

  /** Bits of a {@link #prefix}; 0 if there is none. */
  default int prefixBits() {
    return 0;
  }

  /**
   * A number, unsigned and of {@link #prefixBits} bits, by which rows can be sorted first: that of a row that comes
   * before another is not larger.
   */
  default long prefix(StoredRow row) {
    return 0;
  }

  /** Whether rows of the same prefix are the same in this dimension. */
  default boolean isPrefixExact() {
    return false;
  }
}
