// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.incremental.row.StoredRow;

/** Order of rows by one dimension when they are persisted. */
@FunctionalInterface
public interface DimensionOrder {
  int compare(StoredRow left, StoredRow right);

  /** Number of bits of a {@link #prefix}; 0 if there is none. */
  default int prefixBits() {
    return 0;
  }

  /**
   * Sort key of a row, an unsigned number of {@link #prefixBits} bits. A row that comes before another has no larger
   * key.
   */
  default long prefix(StoredRow row) {
    return 0;
  }

  /** Whether two rows with equal keys also have equal values in this dimension. */
  default boolean isPrefixExact() {
    return false;
  }
}
