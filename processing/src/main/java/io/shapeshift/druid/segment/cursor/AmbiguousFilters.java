// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.NumberScanIndexSupplier;
import javax.annotation.Nullable;
import org.apache.druid.query.filter.ArrayContainsElementFilter;
import org.apache.druid.query.filter.BooleanFilter;
import org.apache.druid.query.filter.BooleanUnaryFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.TypedInFilter;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.filter.BoundFilter;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;

/**
 * Filters that find other rows in Druid by an index than by a matcher. Which of them Druid takes depends on how many
 * rows other filters and the interval have left, and so on what else has an index.
 *
 * <p>Of a {@code bound} inside of a {@code not} Druid's index says that nobody knows whether a null is between the
 * bounds, and its matcher that it is not. An {@code arrayContainsElement} of a number takes texts of a string column
 * for numbers by an index and by rows, and the number for a text by vectors. Matchers of a column of type {@code auto}
 * that has numbers take {@code 5.0} for 5, its index does not; what else differs, in columns of several types and in
 * virtual ones, is not listed here. Inside of a {@code not} an {@code and} or {@code or} has an index where all of its
 * parts have one, so that an index of numbers, which Druid's columns do not have, decides for the others.
 *
 * @param segment        whose columns are filtered
 * @param virtualColumns of the query
 */
record AmbiguousFilters(QueryableIndex segment, VirtualColumns virtualColumns) {
  /** Whether a filter has such a one, or one that does not say what it filters, of which nobody knows. */
  boolean areIn(Filter filter) {
    return areIn(filter, false, false);
  }

  /**
   * As {@link #areIn(Filter)}.
   *
   * @param isNegated whether it is inside of a {@code not}
   * @param isPart    whether it is inside of an {@code and} or {@code or} inside of a {@code not}
   */
  private boolean areIn(Filter filter, boolean isNegated, boolean isPart) {
    if (filter instanceof BooleanUnaryFilter not) {
      return areIn(not.getBaseFilter(), true, isPart);
    }
    if (filter instanceof BooleanFilter parts) {
      return parts.getFilters().stream().anyMatch(part -> areIn(part, isNegated, isNegated));
    }
    if (filter.getRequiredColumns() == null) {
      // It may be a filter of another extension: Druid lets that pass.
      return true;
    }
    if (isPart && filter.getRequiredColumns().stream().anyMatch(name -> mayHaveOtherIndex(name, filter))) {
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

  /** Whether a column is a virtual one or of type auto, and the filter none that names the type of its values. */
  private boolean mayHaveOtherIndex(String name, Filter filter) {
    @Nullable final ColumnHolder column = segment.getColumnHolder(name);
    return virtualColumns.exists(name)
        || (column != null
            && column.getColumnFormat() instanceof NestedCommonFormatColumn.Format
            && !(column.getCapabilities().isNumeric() && namesType(filter)));
  }

  private static boolean namesType(Filter filter) {
    return filter instanceof EqualityFilter
        || filter instanceof RangeFilter
        || filter instanceof TypedInFilter
        || filter instanceof NullFilter;
  }

  private boolean mayHaveTexts(String name) {
    @Nullable final ColumnHolder column = segment.getColumnHolder(name);
    return virtualColumns.exists(name) || (column != null && column.getCapabilities().is(ValueType.STRING));
  }
}
