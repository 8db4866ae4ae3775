// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.QueriedRows;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.common.semantic.SemanticUtils;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.query.rowsandcols.concrete.QueryableIndexRowsAndColumns;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorFactory;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexCursorFactory;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.QueryableIndexTimeBoundaryInspector;
import org.apache.druid.segment.TimeBoundaryInspector;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.RowSignature;
import org.apache.druid.segment.projections.QueryableProjection;

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
  private final QueryableIndexCursorFactory stock;

  /** Makes a factory. */
  public QueriedCursorFactory(QueryableIndex segment, TimeBoundaryInspector times) {
    this.segment = segment;
    this.times = times;
    this.stock = new QueryableIndexCursorFactory(segment, times);
  }

  /** Makes a factory that looks up the times of a segment itself. */
  public static QueriedCursorFactory of(QueryableIndex segment) {
    return new QueriedCursorFactory(segment, QueryableIndexTimeBoundaryInspector.create(segment));
  }

  /** Lets all segments that are loaded from now on in this process make their cursors here. */
  public static void register() {
    if (IS_REGISTERED.compareAndSet(false, true)) {
      override(
          QueryableIndexSegment.class,
          loaded -> new QueriedCursorFactory(loaded.as(QueryableIndex.class), loaded.as(TimeBoundaryInspector.class))
      );
      // Of a segment in a query with windows.
      override(QueryableIndexRowsAndColumns.class, rows -> of(rows.as(QueryableIndex.class)));
    }
  }

  private static <T> void override(Class<T> ofSegments, Function<T, CursorFactory> cursors) {
    try {
      SemanticUtils.registerAsOverride(ofSegments, CursorFactory.class, cursors);
    } catch (DruidException e) {
      LOG.warn(e, "Filters on numbers have no indexes: another extension makes cursors of " + ofSegments.getName());
    }
  }

  @Override
  public CursorHolder makeCursorHolder(CursorBuildSpec spec) {
    if (spec.getFilter() == null) {
      return stock.makeCursorHolder(spec);
    }
    @Nullable final QueryableProjection<QueryableIndex> projection = segment.getProjection(spec);
    if (projection == null) {
      final QueriedSpec queried = QueriedSpec.of(segment, times, spec);
      return new QueryableIndexCursorFactory(queried.index(), times).makeCursorHolder(queried.spec());
    }
    if (projection.getCursorBuildSpec().getFilter() == null) {
      // It has these rows only.
      return stock.makeCursorHolder(spec);
    }
    final QueryableIndex rows = projection.getRowSelector();
    final QueriedSpec queried = QueriedSpec.of(
        rows, QueryableIndexTimeBoundaryInspector.create(rows), projection.getCursorBuildSpec());
    final QueriedIndex index =
        new QueriedIndex(segment, QueriedRows.all(segment.getNumRows()), queried.asProjection(projection));
    return new QueryableIndexCursorFactory(index, times).makeCursorHolder(spec);
  }

  @Override
  public RowSignature getRowSignature() {
    return stock.getRowSignature();
  }

  @Nullable
  @Override
  public ColumnCapabilities getColumnCapabilities(String column) {
    return stock.getColumnCapabilities(column);
  }
}
