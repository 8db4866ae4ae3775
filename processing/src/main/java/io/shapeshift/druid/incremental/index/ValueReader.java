// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import io.shapeshift.druid.incremental.row.StoredRow;
import javax.annotation.Nullable;

/** Reads the value that a row has in one dimension; for any thread. */
@FunctionalInterface
interface ValueReader {
  /**
   * Reads a value.
   *
   * @param stored to be moved to the row
   */
  @Nullable
  Object read(int row, StoredRow stored);
}
