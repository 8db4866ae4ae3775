// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.NumberScanIndexSupplier;
import javax.annotation.Nullable;
import org.apache.druid.query.filter.ArrayContainsElementFilter;
import org.apache.druid.query.filter.BooleanFilter;
import org.apache.druid.query.filter.BooleanUnaryFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.filter.BoundFilter;

/**
 * Filters that find other rows in Druid by an index than by a matcher. Which of them Druid takes depends on how many
 * rows other filters and the interval have left, and so on what else has an index.
 *
 * <p>Of a {@code bound} inside of a {@code not} Druid's index says that nobody knows whether a null is between the
 * bounds, and its matcher that it is not. An {@code arrayContainsElement} of a number takes texts of a string column
 * for numbers by an index and by rows, and the number for a text by vectors.
 *
 * @param segment        whose columns are filtered
 * @param virtualColumns of the query
 */
record AmbiguousFilters(QueryableIndex segment, VirtualColumns virtualColumns) {
  /** Whether a filter has such a one, or one that does not say what it filters, of which nobody knows. */
  boolean areIn(Filter filter) {
    return areIn(filter, false);
  }

  private boolean areIn(Filter filter, boolean isNegated) {
    if (filter instanceof BooleanUnaryFilter not) {
      return areIn(not.getBaseFilter(), true);
    }
    if (filter instanceof BooleanFilter parts) {
      return parts.getFilters().stream().anyMatch(part -> areIn(part, isNegated));
    }
    if (filter.getRequiredColumns() == null) {
      // It may be a filter of another extension: Druid lets that pass.
      return true;
    }
    if (filter instanceof BoundFilter) {
      return isNegated && filter.getRequiredColumns().stream().anyMatch(this::mayHaveIndexAndNulls);
    }
    return filter instanceof ArrayContainsElementFilter contains
        && contains.getElementMatchValueType().isNumeric()
        && mayHaveTexts(contains.getColumn());
  }

  /** Of a column that is not there index and matcher say the same, and plain numbers have no index with Druid. */
  private boolean mayHaveIndexAndNulls(String name) {
    @Nullable final ColumnHolder column = segment.getColumnHolder(name);
    return virtualColumns.exists(name)
        || (column != null
            && column.getCapabilities().hasNulls().isMaybeTrue()
            && !(column.getIndexSupplier() instanceof NumberScanIndexSupplier));
  }

  private boolean mayHaveTexts(String name) {
    @Nullable final ColumnHolder column = segment.getColumnHolder(name);
    return virtualColumns.exists(name) || (column != null && column.getCapabilities().is(ValueType.STRING));
  }
}
