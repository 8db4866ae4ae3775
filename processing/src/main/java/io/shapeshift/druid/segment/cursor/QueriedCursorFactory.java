// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.NumberScanIndexSupplier;
import io.shapeshift.druid.segment.index.QueriedRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.annotation.Nullable;
import org.apache.druid.common.semantic.SemanticUtils;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.query.Order;
import org.apache.druid.query.filter.BooleanFilter;
import org.apache.druid.query.filter.BooleanUnaryFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.segment.ColumnCache;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorFactory;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.Cursors;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexCursorFactory;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.TimeBoundaryInspector;
import org.apache.druid.segment.VirtualColumn;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.RowSignature;
import org.apache.druid.segment.filter.AndFilter;

/**
 * Makes Druid's cursors over a segment, with indexes that know which rows the query reads.
 *
 * <p>Druid asks an index for the rows of a filter before it looks at the interval, and at the limit of a scan never:
 * what is computed for all rows of a segment, such as filters on numbers, would be computed in vain for a query of a
 * day of a month. So the rows of the interval are looked up first. A filter that leaves what another one does not find
 * would leave all rows outside of the interval as well, and is therefore intersected with it.
 */
public final class QueriedCursorFactory implements CursorFactory {
  private static final Logger LOG = new Logger(QueriedCursorFactory.class);
  private static final AtomicBoolean IS_REGISTERED = new AtomicBoolean();

  private final QueryableIndex segment;
  private final TimeBoundaryInspector times;
  private final QueryableIndexCursorFactory druids;

  /** Makes a factory. */
  public QueriedCursorFactory(QueryableIndex segment, TimeBoundaryInspector times) {
    this.segment = segment;
    this.times = times;
    this.druids = new QueryableIndexCursorFactory(segment, times);
  }

  /** Lets all segments that are loaded from now on in this process make their cursors here. */
  public static void register() {
    if (IS_REGISTERED.compareAndSet(false, true)) {
      try {
        SemanticUtils.registerAsOverride(
            QueryableIndexSegment.class,
            CursorFactory.class,
            loaded -> new QueriedCursorFactory(loaded.as(QueryableIndex.class), loaded.as(TimeBoundaryInspector.class))
        );
      } catch (DruidException e) {
        LOG.warn(e, "Filters on numbers do not know the interval of queries: another extension makes cursors");
      }
    }
  }

  @Override
  public CursorHolder makeCursorHolder(CursorBuildSpec spec) {
    @Nullable final Filter filter = spec.getFilter();
    if (filter == null || !hasIndexes(filter, spec) || segment.getProjection(spec) != null) {
      return druids.makeCursorHolder(spec);
    }
    final boolean isNegated = isNegated(filter);
    final int rowsPerFound =
        spec.isAggregate() ? 0 : mayFindFew(filter, spec) ? QueriedRows.ROW_BY_ROW : QueriedRows.NEVER;
    final QueriedRows rows = rows(spec, rowsPerFound);
    final boolean isPart = rows.count() < segment.getNumRows();
    final CursorBuildSpec ofRows =
        isPart && isNegated
        ? CursorBuildSpec.builder(spec).setFilter(new AndFilter(List.of(new RowsFilter(rows), filter))).build()
        : spec;
    final QueriedIndex index = new QueriedIndex(segment, rows, cast(filter, spec.getVirtualColumns()));
    return new QueryableIndexCursorFactory(index, times).makeCursorHolder(ofRows);
  }

  /**
   * Columns whose indexes a virtual column takes for its own though it is of another type, as one does that is nothing
   * but an identifier, or the root of nested data. Its matchers cast what the column has, of which an index of the
   * column knows nothing; with Druid's own columns, which have none, they are asked.
   */
  private Set<String> cast(Filter filter, VirtualColumns virtualColumns) {
    final Set<String> cast = new HashSet<>();
    for (String name : filter.getRequiredColumns()) {
      @Nullable final VirtualColumn virtual = virtualColumns.getVirtualColumn(name);
      if (virtual != null) {
        @Nullable final ColumnIndexSupplier indexes = indexes(name, virtualColumns);
        @Nullable final ColumnCapabilities type = virtualColumns.getColumnCapabilitiesWithFallback(segment, name);
        for (String column : columns(virtual, virtualColumns)) {
          @Nullable final ColumnHolder holder = segment.getColumnHolder(column);
          if (holder != null && holder.getIndexSupplier() == indexes
              && (type == null || type.getType() != holder.getCapabilities().getType())) {
            cast.add(column);
          }
        }
      }
    }
    return cast;
  }

  /** What a virtual column has for indexes, as Druid's cursors ask it. */
  @Nullable
  private ColumnIndexSupplier indexes(String virtual, VirtualColumns virtualColumns) {
    try (Closer closer = Closer.create()) {
      return new ColumnCache(segment, virtualColumns, closer).getIndexSupplier(virtual);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The columns that a virtual column is made of, also by way of others. */
  private static Set<String> columns(VirtualColumn virtual, VirtualColumns virtualColumns) {
    final Set<String> columns = new HashSet<>();
    final Deque<String> left = new ArrayDeque<>(virtual.requiredColumns());
    while (!left.isEmpty()) {
      final String name = left.pop();
      if (columns.add(name)) {
        @Nullable final VirtualColumn other = virtualColumns.getVirtualColumn(name);
        left.addAll(other == null ? List.of() : other.requiredColumns());
      }
    }
    return columns;
  }

  /** Whether a column that is filtered has indexes to tell, also one that a virtual column is made of. */
  private boolean hasIndexes(Filter filter, CursorBuildSpec spec) {
    for (String name : filter.getRequiredColumns()) {
      @Nullable final VirtualColumn virtual = spec.getVirtualColumns().getVirtualColumn(name);
      final List<String> columns = virtual == null ? List.of(name) : virtual.requiredColumns();
      if (columns.stream().anyMatch(this::hasIndexes)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasIndexes(String name) {
    @Nullable final ColumnHolder column = segment.getColumnHolder(name);
    return column != null
        && column.getIndexSupplier() instanceof QueriedRows.Indexes indexes
        && indexes.dependOnRows();
  }

  /** Whether indexes that find few rows leave few of them: all of the filter, or a part that all rows have to pass. */
  private boolean mayFindFew(Filter filter, CursorBuildSpec spec) {
    return filter instanceof AndFilter parts
           ? parts.getFilters().stream().anyMatch(part -> hasIndexes(part, spec) && !isNegated(part))
           : !isNegated(filter);
  }

  /** Whether the filter leaves what a part of it does not find; that there are nulls is not looked for. */
  private static boolean isNegated(Filter filter) {
    if (filter instanceof BooleanUnaryFilter not && not.getBaseFilter() instanceof NullFilter) {
      return false;
    }
    return filter instanceof BooleanUnaryFilter
        || (filter instanceof BooleanFilter parts
            && parts.getFilters().stream().anyMatch(QueriedCursorFactory::isNegated));
  }

  /** The rows of the interval, perhaps with some at both ends; all if they are not in the order of time. */
  private QueriedRows rows(CursorBuildSpec spec, int rowsPerFound) {
    final long start = spec.getInterval().getStartMillis();
    final long end = spec.getInterval().getEndMillis();
    final boolean isStart = start > times.getMinTime().getMillis();
    final boolean isEnd = end <= times.getMaxTime().getMillis();
    if ((isStart || isEnd)
        && Cursors.getTimeOrdering(segment.getOrdering()) == Order.ASCENDING
        && segment.getColumnHolder(ColumnHolder.TIME_COLUMN_NAME).getIndexSupplier()
            instanceof NumberScanIndexSupplier numbers) {
      return numbers.sortedRows(isStart ? start : Long.MIN_VALUE, isEnd ? end : Long.MAX_VALUE, rowsPerFound);
    }
    return new QueriedRows(0, segment.getNumRows(), rowsPerFound);
  }

  @Override
  public RowSignature getRowSignature() {
    return druids.getRowSignature();
  }

  @Nullable
  @Override
  public ColumnCapabilities getColumnCapabilities(String column) {
    return druids.getColumnCapabilities(column);
  }
}
