// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.NumberScanIndexSupplier;
import javax.annotation.Nullable;
import org.apache.druid.query.filter.BooleanFilter;
import org.apache.druid.query.filter.BooleanUnaryFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.filter.BoundFilter;

/**
 * {@code bound} filters inside of a {@code not}: Druid's index says that nobody knows whether a null is between the
 * bounds, and its matcher that it is not, so that {@code not} finds nulls by the one and not by the other. Which of
 * them Druid takes depends on how many rows other filters and the interval have left, and so on what else has an index.
 */
final class NegatedBounds {
  private NegatedBounds() {}

  /** Whether a filter has one of a column that may have nulls, and an index in Druid's own columns. */
  static boolean areIn(Filter filter, QueryableIndex segment) {
    return areIn(filter, segment, false);
  }

  private static boolean areIn(Filter filter, QueryableIndex segment, boolean isNegated) {
    if (filter instanceof BooleanUnaryFilter not) {
      return areIn(not.getBaseFilter(), segment, true);
    }
    if (filter instanceof BooleanFilter parts) {
      return parts.getFilters().stream().anyMatch(part -> areIn(part, segment, isNegated));
    }
    return isNegated
        && filter instanceof BoundFilter
        && filter.getRequiredColumns().stream().anyMatch(column -> isAmbiguous(segment.getColumnHolder(column)));
  }

  /** Whether a column, null for a virtual one, may have nulls and an index in Druid's own columns. */
  private static boolean isAmbiguous(@Nullable ColumnHolder column) {
    return column == null
        || (column.getCapabilities().hasNulls().isMaybeTrue()
            && !(column.getIndexSupplier() instanceof NumberScanIndexSupplier));
  }
}
