// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import javax.annotation.Nullable;

/** Values of all fields of a column. */
@FunctionalInterface
public interface FieldValues {
  /**
   * Returns the value of a field in a row.
   *
   * @return String, Long, Double or Object[] of these and nulls; null only if the row has no value for the field
   */
  @Nullable
  Object get(int field, int row);
}
