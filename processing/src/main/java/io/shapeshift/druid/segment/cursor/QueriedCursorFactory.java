// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.QueriedRows;
import io.shapeshift.druid.segment.nested.FieldColumns;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
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
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.RowSignature;
import org.apache.druid.segment.projections.QueryableProjection;

/**
 * Factory of Druid's cursors over a segment, with indexes that know which rows the query reads.
 *
 * <p>Druid requests the rows of a filter from an index before it applies the interval, and never passes the limit of a
 * scan query. A computed index, such as a filter on numbers, would therefore process a whole month for a query of one
 * day. So this factory looks up the rows of the interval first. A negated filter would match all rows outside the
 * interval, and is therefore intersected with the interval.
 */
public final class QueriedCursorFactory implements CursorFactory {
  private static final Logger LOG = new Logger(QueriedCursorFactory.class);
  private static final AtomicBoolean IS_REGISTERED = new AtomicBoolean();

  private final QueryableIndex segment;
  private final TimeBoundaryInspector times;
  private final QueryableIndexCursorFactory stock;

  /** Creates a factory. */
  public QueriedCursorFactory(QueryableIndex segment, TimeBoundaryInspector times) {
    this.segment = segment;
    this.times = times;
    this.stock = new QueryableIndexCursorFactory(segment, times);
  }

  /** Creates a factory that determines the time boundaries of the segment itself. */
  public static QueriedCursorFactory of(QueryableIndex segment) {
    return new QueriedCursorFactory(segment, QueryableIndexTimeBoundaryInspector.create(segment));
  }

  /** Installs this factory for all segments that this process loads from now on. */
  public static void register() {
    if (IS_REGISTERED.compareAndSet(false, true)) {
      override(
          QueryableIndexSegment.class,
          loaded -> new QueriedCursorFactory(loaded.as(QueryableIndex.class), loaded.as(TimeBoundaryInspector.class))
      );
      // Segments in queries with window functions.
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
    if (spec.getFilter() == null && spec.getVirtualColumns().getVirtualColumns().length == 0) {
      return stock.makeCursorHolder(spec);
    }
    @Nullable final QueryableProjection<QueryableIndex> projection = segment.getProjection(spec);
    if (projection == null) {
      final CursorBuildSpec asked = withSearches(withFields(spec));
      if (spec.getFilter() == null) {
        return stock.makeCursorHolder(asked);
      }
      final QueriedSpec queried = QueriedSpec.of(segment, times, asked);
      return new QueryableIndexCursorFactory(queried.index(), times).makeCursorHolder(queried.spec());
    }
    if (spec.getFilter() == null || projection.getCursorBuildSpec().getFilter() == null) {
      // The cursor already reads these rows only.
      return stock.makeCursorHolder(spec);
    }
    final QueryableIndex rows = projection.getRowSelector();
    final QueriedSpec queried = QueriedSpec.of(
        rows, QueryableIndexTimeBoundaryInspector.create(rows), projection.getCursorBuildSpec());
    final QueriedIndex index =
        new QueriedIndex(segment, QueriedRows.all(segment.getNumRows()), queried.asProjection(projection));
    return new QueryableIndexCursorFactory(index, times).makeCursorHolder(spec);
  }

  /** Replaces virtual columns of fields of nested columns. */
  private CursorBuildSpec withFields(CursorBuildSpec spec) {
    final VirtualColumns columns = spec.getVirtualColumns();
    if (columns.getVirtualColumns().length == 0) {
      return spec;
    }
    final boolean mayScan = spec.getFilter() != null
        && spec.isAggregate()
        && segment.getBitmapFactoryForDimensions() instanceof RoaringBitmapFactory
        && !new AmbiguousFilters(segment, columns).areIn(spec.getFilter());
    @Nullable
    final VirtualColumns fields =
        FieldColumns.in(segment, columns, mayScan ? QueriedRows.all(segment.getNumRows()) : null);
    return fields == null ? spec : CursorBuildSpec.builder(spec).setVirtualColumns(fields).build();
  }

  /** Replaces virtual columns of texts if there is a filter. */
  private CursorBuildSpec withSearches(CursorBuildSpec spec) {
    @Nullable
    final VirtualColumns searched =
        spec.getFilter() == null ? null : SearchedColumns.in(segment, spec.getVirtualColumns());
    return searched == null ? spec : CursorBuildSpec.builder(spec).setVirtualColumns(searched).build();
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
