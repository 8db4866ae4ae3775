// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.NumberScanIndexSupplier;
import java.util.function.Predicate;
import javax.annotation.Nullable;
import org.apache.druid.query.filter.BooleanFilter;
import org.apache.druid.query.filter.BooleanUnaryFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.filter.BoundFilter;

/**
 * {@code bound} filters inside of a {@code not}: Druid's index says that nobody knows whether a null is between the
 * bounds, and its matcher that it is not, so that {@code not} finds nulls by the one and not by the other. Which of
 * them Druid takes depends on how many rows other filters and the interval have left, and so on what else has an index.
 */
final class NegatedBounds {
  private NegatedBounds() {}

  /** Whether a filter has one of a column that may have nulls, and may have an index in Druid's own columns. */
  static boolean areIn(Filter filter, QueryableIndex segment, VirtualColumns virtualColumns) {
    return areIn(
        filter, column -> virtualColumns.exists(column) || isAmbiguous(segment.getColumnHolder(column)), false);
  }

  private static boolean areIn(Filter filter, Predicate<String> isAmbiguous, boolean isNegated) {
    if (filter instanceof BooleanUnaryFilter not) {
      return areIn(not.getBaseFilter(), isAmbiguous, true);
    }
    if (filter instanceof BooleanFilter parts) {
      return parts.getFilters().stream().anyMatch(part -> areIn(part, isAmbiguous, isNegated));
    }
    return isNegated
        && filter instanceof BoundFilter
        && filter.getRequiredColumns().stream().anyMatch(isAmbiguous);
  }

  /** Of a column that is not there index and matcher say the same, and plain numbers have no index with Druid. */
  private static boolean isAmbiguous(@Nullable ColumnHolder column) {
    return column != null
        && column.getCapabilities().hasNulls().isMaybeTrue()
        && !(column.getIndexSupplier() instanceof NumberScanIndexSupplier);
  }
}
