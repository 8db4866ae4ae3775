// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Supplier;

/**
 * Supplier of the rows of each dictionary id of a column. {@link #get} is for a caller that gets only what Druid's
 * bitmaps would answer.
 */
public interface QueriedBitmaps extends Supplier<ValueBitmaps> {
  /** Rows of each value among the rows that a query reads; all rows if there are lists. */
  ValueBitmaps get(QueriedRows queried);
}
