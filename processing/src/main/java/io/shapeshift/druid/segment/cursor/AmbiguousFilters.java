// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.NumberScanIndexSupplier;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.query.filter.ArrayContainsElementFilter;
import org.apache.druid.query.filter.BooleanFilter;
import org.apache.druid.query.filter.BooleanUnaryFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.InDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.TypedInFilter;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.filter.BoundFilter;
import org.apache.druid.segment.filter.FalseFilter;
import org.apache.druid.segment.filter.SelectorFilter;
import org.apache.druid.segment.filter.TrueFilter;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;

/**
 * Filters that find other rows in Druid by an index than by a matcher. Which of them Druid takes depends on how many
 * rows other filters and the interval have left, and so on what else has an index.
 *
 * <p>Of a {@code bound} inside of a {@code not} Druid's index says that nobody knows whether a null is between the
 * bounds, and its matcher that it is not. An {@code arrayContainsElement} of a number takes texts of a string column
 * for numbers by an index and by rows, and the number for a text by vectors. The bounds of a {@code bound} on longs are
 * doubles for an index, and decimal numbers for matchers: see {@link LongBounds}.
 *
 * <p>Inside of a {@code not} an {@code and} or {@code or} has an index where all of its parts have one, so that an
 * index of numbers, which Druid's columns do not have, decides for the others. Many kinds of filters are not alike
 * then that it is those which are that are listed: a spatial filter does not know of rows without a place by its index;
 * a {@code like} without wildcards finds a line terminator more by its matcher; code may fail on values of other rows;
 * matchers of a column of type {@code auto} that has numbers take {@code 5.0} for 5, and lists with null, and -0.
 *
 * @param segment        whose columns are filtered
 * @param virtualColumns of the query
 */
record AmbiguousFilters(QueryableIndex segment, VirtualColumns virtualColumns) {
  /** Filters of strings of which index and matchers are alike, beside lists without an extraction function. */
  private static final Set<Class<? extends Filter>> ALIKE = Set.of(
      SelectorFilter.class,
      EqualityFilter.class,
      TypedInFilter.class,
      RangeFilter.class,
      NullFilter.class,
      TrueFilter.class,
      FalseFilter.class
  );

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
      // Another extension's may mean anything by its parts.
      return !OpenRows.isAndOrOr(filter)
          || parts.getFilters().stream().anyMatch(part -> areIn(part, isNegated, isNegated));
    }
    if (filter.getRequiredColumns() == null) {
      // It may be a filter of another extension: Druid lets that pass.
      return true;
    }
    if (isPart && !filter.getRequiredColumns().stream().allMatch(name -> isAlike(name, filter))) {
      return true;
    }
    if (filter instanceof BoundFilter bound) {
      return (isNegated && bound.getRequiredColumns().stream().anyMatch(this::mayHaveIndexAndNulls))
          || (bound.getRequiredColumns().stream().anyMatch(name -> mayHave(ValueType.LONG, name))
              && !LongBounds.areAlike(bound));
    }
    return filter instanceof ArrayContainsElementFilter contains
        && contains.getElementMatchValueType().isNumeric()
        && mayHave(ValueType.STRING, contains.getColumn());
  }

  /** Of a column that is not there index and matcher say the same, and plain numbers have no index with Druid. */
  private boolean mayHaveIndexAndNulls(String name) {
    @Nullable final ColumnHolder column = segment.getColumnHolder(name);
    return virtualColumns.exists(name)
        || (column != null
            && column.getCapabilities().hasNulls().isMaybeTrue()
            && !(column.getIndexSupplier() instanceof NumberScanIndexSupplier));
  }

  /** Whether an index of a column finds what its matchers find; plain numbers have none but ours, which does. */
  private boolean isAlike(String name, Filter filter) {
    @Nullable final ColumnHolder column = segment.getColumnHolder(name);
    if (virtualColumns.exists(name)) {
      return false;
    }
    if (column != null && column.getIndexSupplier() instanceof NumberScanIndexSupplier) {
      return true;
    }
    if (column != null && column.getColumnFormat() instanceof NestedCommonFormatColumn.Format) {
      return column.getCapabilities().isNumeric()
          && (filter instanceof RangeFilter
              || filter instanceof NullFilter
              || (filter instanceof EqualityFilter equality && isAlike(equality, column.getCapabilities())));
    }
    return ALIKE.contains(filter.getClass())
        || (filter instanceof InDimFilter values && values.getExtractionFn() == null);
  }

  /** Whether an index of a column of type {@code auto} finds what its matchers find: by vectors these find -0 for 0. */
  private static boolean isAlike(EqualityFilter equality, ColumnCapabilities column) {
    return equality.getMatchValueType().is(ValueType.LONG)
        && (column.is(ValueType.LONG) || !isZero(equality.getMatchValue()));
  }

  /** Whether a value is 0 as a long, as whatever it came with the query. */
  private static boolean isZero(Object value) {
    return ExprEval.ofType(ExpressionType.LONG, value).asLong() == 0;
  }

  private boolean mayHave(ValueType type, String name) {
    @Nullable final ColumnHolder column = segment.getColumnHolder(name);
    return virtualColumns.exists(name) || (column != null && column.getCapabilities().is(type));
  }
}
