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
 * Detects filters that match different rows in Druid depending on whether Druid uses an index or a matcher. Druid's
 * choice depends on the number of rows that other filters and the interval leave, and so on the indexes of other
 * columns. If a query has such a filter, it gets stock's indexes only, so that its result does not change.
 *
 * <p>Three kinds of filters are ambiguous themselves:
 * <ul>
 * <li>A {@code bound} inside a {@code not}: for a null row, Druid's index answers unknown and its matcher answers
 * false.
 * <li>An {@code arrayContainsElement} of a number on a string column: the index and the row matcher convert the texts
 * to numbers, the vector matcher converts the number to a text.
 * <li>A {@code bound} on longs: an index gets the bounds as doubles, matchers as decimal numbers. See
 * {@link LongBounds}.
 * </ul>
 *
 * <p>An {@code and} or {@code or} inside a {@code not} has an index only if all its parts have one. An index of
 * numbers, which stock columns lack, would therefore change how the other parts are evaluated. So many kinds of filters
 * differ there that {@link #ALIKE} lists those that do not. Examples: the index of a spatial filter ignores rows
 * without coordinates; the matcher of a {@code like} without wildcards ignores one trailing line terminator; user code
 * may fail on values of other rows; matchers of {@code auto} columns with numbers accept {@code 5.0} for 5, and differ
 * on lists with null and on -0.
 *
 * @param segment        segment whose columns are filtered
 * @param virtualColumns virtual columns of the query
 */
record AmbiguousFilters(QueryableIndex segment, VirtualColumns virtualColumns) {
  /**
   * Filters of strings whose index and matchers find the same rows. Lists without an extraction function are a further
   * case.
   */
  private static final Set<Class<? extends Filter>> ALIKE = Set.of(
      SelectorFilter.class,
      EqualityFilter.class,
      TypedInFilter.class,
      RangeFilter.class,
      NullFilter.class,
      TrueFilter.class,
      FalseFilter.class
  );

  /** Whether a filter has an ambiguous part, or a part that does not declare its columns and so may be ambiguous. */
  boolean areIn(Filter filter) {
    return areIn(filter, false, false);
  }

  /**
   * Recursion of {@link #areIn(Filter)}.
   *
   * @param isNegated whether the filter is inside a {@code not}
   * @param isPart    whether the filter is inside an {@code and} or {@code or} that is inside a {@code not}
   */
  private boolean areIn(Filter filter, boolean isNegated, boolean isPart) {
    if (filter instanceof BooleanUnaryFilter not) {
      return areIn(not.getBaseFilter(), true, isPart);
    }
    if (filter instanceof BooleanFilter parts) {
      // A filter class of another extension may combine its parts in any way.
      return !OpenRows.isAndOrOr(filter)
          || parts.getFilters().stream().anyMatch(part -> areIn(part, isNegated, isNegated));
    }
    if (filter.getRequiredColumns() == null) {
      // Druid allows filters of other extensions to return null here.
      return true;
    }
    if (isPart && !filter.getRequiredColumns().stream().allMatch(name -> indexAgrees(name, filter))) {
      return true;
    }
    if (filter instanceof BoundFilter bound) {
      return (isNegated && bound.getRequiredColumns().stream().anyMatch(this::mayHaveIndexAndNulls))
          || (bound.getRequiredColumns().stream().anyMatch(name -> mayHave(ValueType.LONG, name))
              && !LongBounds.agree(bound));
    }
    return filter instanceof ArrayContainsElementFilter contains
        && contains.getElementMatchValueType().isNumeric()
        && mayHave(ValueType.STRING, contains.getColumn());
  }

  /**
   * Whether a column may have a stock index and nulls. For a missing column, index and matcher agree; plain number
   * columns have no index in Druid.
   */
  private boolean mayHaveIndexAndNulls(String name) {
    @Nullable final ColumnHolder column = segment.getColumnHolder(name);
    return virtualColumns.exists(name)
        || (column != null
            && column.getCapabilities().hasNulls().isMaybeTrue()
            && !(column.getIndexSupplier() instanceof NumberScanIndexSupplier));
  }

  /**
   * Whether the index of a column finds the same rows as its matchers. True for plain number columns: their only index
   * is the extension's, which is exact.
   */
  private boolean indexAgrees(String name, Filter filter) {
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
              || (filter instanceof EqualityFilter equality && indexAgrees(equality, column.getCapabilities())));
    }
    return ALIKE.contains(filter.getClass())
        || (filter instanceof InDimFilter values && values.getExtractionFn() == null);
  }

  /**
   * Whether the index of an {@code auto} column finds the same rows as the column's matchers. A vector matcher that
   * looks for 0 also finds -0.
   */
  private static boolean indexAgrees(EqualityFilter equality, ColumnCapabilities column) {
    return equality.getMatchValueType().is(ValueType.LONG)
        && (column.is(ValueType.LONG) || !isZero(equality.getMatchValue()));
  }

  /** Whether a value of any type is 0 when it is converted to a long. */
  private static boolean isZero(Object value) {
    return ExprEval.ofType(ExpressionType.LONG, value).asLong() == 0;
  }

  private boolean mayHave(ValueType type, String name) {
    @Nullable final ColumnHolder column = segment.getColumnHolder(name);
    return virtualColumns.exists(name) || (column != null && column.getCapabilities().is(type));
  }
}
