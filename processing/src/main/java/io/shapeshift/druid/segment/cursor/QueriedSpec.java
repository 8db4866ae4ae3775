// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.segment.index.NumberScanIndexSupplier;
import io.shapeshift.druid.segment.index.QueriedRows;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.query.Order;
import org.apache.druid.query.filter.BooleanFilter;
import org.apache.druid.query.filter.BooleanUnaryFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.InDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.TypedInFilter;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.Cursors;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.TimeBoundaryInspector;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.filter.AndFilter;
import org.apache.druid.segment.filter.FalseFilter;
import org.apache.druid.segment.filter.LikeFilter;
import org.apache.druid.segment.filter.SelectorFilter;
import org.apache.druid.segment.filter.TrueFilter;
import org.apache.druid.segment.projections.QueryableProjection;
import org.apache.druid.segment.vector.VectorColumnSelectorFactory;

/**
 * What a query asks of a segment, or of a projection of one, by a filter.
 *
 * @param index the segment as the query sees it: as it is, if nothing is to be computed
 * @param spec  what is asked of {@code index}
 */
record QueriedSpec(QueryableIndex index, CursorBuildSpec spec) {
  /**
   * Looks up what the query reads. With Concise bitmaps Druid's complement of an intersection has rows that are not
   * there, so that what is left of filters is looked for there as in Druid's columns.
   *
   * @param asked has a filter
   */
  static QueriedSpec of(QueryableIndex segment, TimeBoundaryInspector times, CursorBuildSpec asked) {
    final Filter filter = Objects.requireNonNull(asked.getFilter());
    final Filtered columns = new Filtered(segment, asked.getVirtualColumns());
    if (new AmbiguousFilters(segment, asked.getVirtualColumns()).areIn(filter)
        || (isNegated(filter) && !(segment.getBitmapFactoryForDimensions() instanceof RoaringBitmapFactory))
        || !columns.any(filter, indexes -> true)
        || CastColumns.areIn(filter, segment, asked.getVirtualColumns())) {
      return new QueriedSpec(segment, asked);
    }
    final QueriedRows rows = columns.dependOnRows(filter)
        ? rows(segment, times, asked, columns.rowsPerFound(asked, filter)).forTyped(columns.areTyped(filter))
        : QueriedRows.all(segment.getNumRows());
    final boolean isPart = rows.count() < segment.getNumRows();
    final Filter inParts = new OpenRows(columns::dependOnRows).inParts(filter);
    final Filter left = isPart && isNegated(filter) ? new AndFilter(List.of(new RowsFilter(rows), inParts)) : inParts;
    return new QueriedSpec(
        new QueriedIndex(segment, rows, null),
        left == filter ? asked : CursorBuildSpec.builder(asked).setFilter(left).build()
    );
  }

  /** The projection that this is asked of, for the query. */
  QueryableProjection<QueryableIndex> asProjection(QueryableProjection<QueryableIndex> projection) {
    return new QueryableProjection<>(spec, Map.of(), index) {
      @Override
      public ColumnSelectorFactory wrapColumnSelectorFactory(ColumnSelectorFactory selectorFactory) {
        return projection.wrapColumnSelectorFactory(selectorFactory);
      }

      @Override
      public VectorColumnSelectorFactory wrapVectorColumnSelectorFactory(VectorColumnSelectorFactory selectorFactory) {
        return projection.wrapVectorColumnSelectorFactory(selectorFactory);
      }
    };
  }

  /** Whether the filter leaves what a part of it does not find; that there are nulls is not looked for. */
  private static boolean isNegated(Filter filter) {
    if (filter instanceof BooleanUnaryFilter not && not.getBaseFilter() instanceof NullFilter) {
      return false;
    }
    return filter instanceof BooleanUnaryFilter
        || (filter instanceof BooleanFilter parts && parts.getFilters().stream().anyMatch(QueriedSpec::isNegated));
  }

  /** The rows of the interval, perhaps with some at both ends; all if they are not in the order of time. */
  private static QueriedRows rows(
      QueryableIndex segment,
      TimeBoundaryInspector times,
      CursorBuildSpec asked,
      int rowsPerFound
  ) {
    final long start = asked.getInterval().getStartMillis();
    final long end = asked.getInterval().getEndMillis();
    final boolean isStart = start > times.getMinTime().getMillis();
    final boolean isEnd = end <= times.getMaxTime().getMillis();
    if ((isStart || isEnd)
        && Cursors.getTimeOrdering(segment.getOrdering()) == Order.ASCENDING
        && segment.getColumnHolder(ColumnHolder.TIME_COLUMN_NAME).getIndexSupplier()
            instanceof NumberScanIndexSupplier numbers) {
      return numbers.sortedRows(isStart ? start : Long.MIN_VALUE, isEnd ? end : Long.MAX_VALUE, rowsPerFound);
    }
    return QueriedRows.all(segment.getNumRows(), rowsPerFound);
  }

  /** The columns of a segment, and virtual ones, by which rows are filtered. */
  private record Filtered(QueryableIndex segment, VirtualColumns virtualColumns) {
    /** Neither expressions nor {@code bound}, which ask in the same words for other numbers. */
    private static final Set<Class<? extends Filter>> TYPED = Set.of(
        EqualityFilter.class,
        RangeFilter.class,
        TypedInFilter.class,
        NullFilter.class,
        InDimFilter.class,
        SelectorFilter.class,
        LikeFilter.class,
        TrueFilter.class,
        FalseFilter.class
    );

    /** How many rows there have to be for each that an index finds. */
    int rowsPerFound(CursorBuildSpec asked, Filter filter) {
      if (asked.isAggregate()) {
        return 0;
      }
      return mayFindFew(filter) ? CostModel.Indexes.ROW_BY_ROW : QueriedRows.NEVER;
    }

    /** Whether indexes that find few rows leave few of them: all of the filter, or a part that all have to pass. */
    private boolean mayFindFew(Filter filter) {
      return filter instanceof AndFilter parts
             ? parts.getFilters().stream().anyMatch(part -> dependOnRows(part) && !isNegated(part))
             : !isNegated(filter);
    }

    /** Whether all filters are of those that say of which type their values are, or of texts, and of columns. */
    boolean areTyped(Filter filter) {
      return filter.getRequiredColumns().stream().noneMatch(virtualColumns::exists) && areOf(filter, TYPED);
    }

    private static boolean areOf(Filter filter, Set<Class<? extends Filter>> kinds) {
      if (filter instanceof BooleanUnaryFilter not) {
        return areOf(not.getBaseFilter(), kinds);
      }
      return filter instanceof BooleanFilter parts
             ? parts.getFilters().stream().allMatch(part -> areOf(part, kinds))
             : kinds.contains(filter.getClass());
    }

    boolean dependOnRows(Filter filter) {
      return any(filter, QueriedRows.Indexes::dependOnRows);
    }

    /** Whether a column that is filtered has such indexes, also one that a virtual column is made of. */
    boolean any(Filter filter, Predicate<QueriedRows.Indexes> wanted) {
      return filter.getRequiredColumns().stream()
          .flatMap(name -> CastColumns.columnsOf(name, virtualColumns).stream())
          .map(segment::getColumnHolder)
          .anyMatch(column -> column != null
              && column.getIndexSupplier() instanceof QueriedRows.Indexes indexes
              && wanted.test(indexes));
    }
  }
}
