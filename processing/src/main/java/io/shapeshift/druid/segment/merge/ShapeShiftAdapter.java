// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.TransformableRowIterator;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.BitmapValues;
import org.apache.druid.segment.data.CloseableIndexed;
import org.joda.time.Interval;

/** Decorator of a segment to be merged. Its dimensions, and those of its projections, have shape-shifting handlers. */
final class ShapeShiftAdapter implements IndexableAdapter {
  private final IndexableAdapter delegate;
  /** Base table of a projection; null for a base table. */
  @Nullable
  private final IndexableAdapter base;
  @Nullable
  private final DimensionsSpec dimensions;

  private ShapeShiftAdapter(
      IndexableAdapter delegate,
      @Nullable IndexableAdapter base,
      @Nullable DimensionsSpec dimensions
  ) {
    this.delegate = delegate;
    this.base = base;
    this.dimensions = dimensions;
  }

  /**
   * Decorates segments.
   *
   * @param dimensions dimensions of the ingestion; null if unknown
   */
  static List<IndexableAdapter> wrap(List<IndexableAdapter> adapters, @Nullable DimensionsSpec dimensions) {
    return adapters
        .stream()
        .<IndexableAdapter>map(adapter -> new ShapeShiftAdapter(adapter, null, dimensions))
        .toList();
  }

  /** Segments that {@link #wrap} decorated. */
  static List<IndexableAdapter> unwrap(List<IndexableAdapter> adapters) {
    return adapters.stream().map(adapter -> ((ShapeShiftAdapter) adapter).delegate).toList();
  }

  @Override
  public IndexableAdapter getProjectionAdapter(String projection) {
    return new ShapeShiftAdapter(delegate.getProjectionAdapter(projection), delegate, dimensions);
  }

  @Override
  public ColumnFormat getFormat(String column) {
    // A projection can have columns of its own.
    final boolean isDimension = base == null || base.getDimensionNames(false).contains(column);
    return new Format(delegate.getFormat(column), base != null, isDimension ? dimensions : null);
  }

  @Override
  public Interval getDataInterval() {
    return delegate.getDataInterval();
  }

  @Override
  public int getNumRows() {
    return delegate.getNumRows();
  }

  @Override
  public List<String> getDimensionNames(boolean includeTime) {
    return delegate.getDimensionNames(includeTime);
  }

  @Override
  public List<String> getMetricNames() {
    return delegate.getMetricNames();
  }

  @Nullable
  @Override
  @SuppressWarnings("MustBeClosedChecker") // The caller closes it, as it would close the delegate's cursor.
  public <T extends Comparable<? super T>> CloseableIndexed<T> getDimValueLookup(String dimension) {
    return delegate.getDimValueLookup(dimension);
  }

  @Nullable
  @Override
  public NestedColumnMergable getNestedColumnMergeables(String column) {
    return delegate.getNestedColumnMergeables(column);
  }

  @Override
  public TransformableRowIterator getRows() {
    return delegate.getRows();
  }

  @Override
  public BitmapValues getBitmapValues(String dimension, int dictId) {
    return delegate.getBitmapValues(dimension, dictId);
  }

  @Override
  public ColumnCapabilities getCapabilities(String column) {
    return delegate.getCapabilities(column);
  }

  @Override
  public Metadata getMetadata() {
    return delegate.getMetadata();
  }

  /** Decorator of a column's format that returns a shape-shifting handler. */
  private record Format(ColumnFormat delegate, boolean isOfProjection, @Nullable DimensionsSpec dimensions)
      implements ColumnFormat {
    @Override
    public DimensionHandler<?, ?, ?> getColumnHandler(String columnName) {
      return ShapeShiftDimensionHandler.wrap(delegate.getColumnHandler(columnName), isOfProjection, dimensions);
    }

    @Override
    public ColumnType getLogicalType() {
      return delegate.getLogicalType();
    }

    @Override
    public ColumnCapabilities toColumnCapabilities() {
      return delegate.toColumnCapabilities();
    }

    @Override
    public DimensionSchema getColumnSchema(String columnName) {
      return delegate.getColumnSchema(columnName);
    }

    @Override
    public ColumnFormat merge(@Nullable ColumnFormat otherFormat) {
      @Nullable final ColumnFormat stock = otherFormat instanceof Format other ? other.delegate : otherFormat;
      return new Format(delegate.merge(stock), isOfProjection, dimensions);
    }
  }
}
