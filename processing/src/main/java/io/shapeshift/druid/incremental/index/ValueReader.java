// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import io.shapeshift.druid.incremental.row.StoredRow;
import javax.annotation.Nullable;

/** Access to the value of a row in one dimension. For any thread. */
@FunctionalInterface
interface ValueReader {
  /**
   * Reads a value.
   *
   * @param stored cursor, which is moved to the row
   */
  @Nullable
  Object read(int row, StoredRow stored);
}
