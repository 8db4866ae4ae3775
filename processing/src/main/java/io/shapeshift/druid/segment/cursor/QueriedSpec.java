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
 * Filtered read of a segment or of one of its projections.
 *
 * @param index view of the segment for the query; the segment itself if no index is computed
 * @param spec  cursor spec for {@code index}
 */
record QueriedSpec(QueryableIndex index, CursorBuildSpec spec) {
  /**
   * Determines the rows that the query reads. With Concise bitmaps, Druid's complement of an intersection has rows that
   * do not exist. Negated filters on such a segment therefore get stock's indexes only.
   *
   * @param asked spec with a filter
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

  /** Adapts this spec to a projection that answers the query. */
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

  /** Whether the filter negates one of its parts. The negation of a null test does not count. */
  private static boolean isNegated(Filter filter) {
    if (filter instanceof BooleanUnaryFilter not && not.getBaseFilter() instanceof NullFilter) {
      return false;
    }
    return filter instanceof BooleanUnaryFilter
        || (filter instanceof BooleanFilter parts && parts.getFilters().stream().anyMatch(QueriedSpec::isNegated));
  }

  /** Rows of the interval, possibly with extra rows at both ends; all rows if the segment is not sorted by time. */
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

  /** Physical and virtual columns to which a filter applies. */
  private record Filtered(QueryableIndex segment, VirtualColumns virtualColumns) {
    /**
     * Filters with a typed value. Expressions and {@code bound} are excluded, because they request the same index with
     * another meaning of numbers.
     */
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

    /** Minimum ratio of rows to rows found that makes an index worth its cost. */
    int rowsPerFound(CursorBuildSpec asked, Filter filter) {
      if (asked.isAggregate()) {
        return 0;
      }
      return mayFindFew(filter) ? CostModel.Indexes.ROW_BY_ROW : QueriedRows.NEVER;
    }

    /**
     * Whether an index that finds few rows reduces the rows of the whole filter: it is the filter itself, or a part of
     * an {@code and}.
     */
    private boolean mayFindFew(Filter filter) {
      return filter instanceof AndFilter parts
             ? parts.getFilters().stream().anyMatch(part -> dependOnRows(part) && !isNegated(part))
             : !isNegated(filter);
    }

    /** Whether every filter states the type of its values or is on texts, and is on columns. */
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

    /** Whether a filtered column, or a column from which a filtered virtual column is derived, has matching indexes. */
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
