// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import com.google.common.base.Supplier;
import io.shapeshift.druid.segment.index.QueriedRows;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.query.OrderBy;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.projections.QueryableProjection;
import org.apache.druid.segment.selector.settable.SettableColumnValueSelector;
import org.joda.time.Interval;

/**
 * View of a segment or projection for one query. The indexes of its columns know which rows are read, and also answer
 * filters for which stock columns have no index. Closing the view closes nothing.
 *
 * @param projection the projection that answers the query; null if there is none
 */
record QueriedIndex(
    QueryableIndex segment,
    QueriedRows rows,
    @Nullable QueryableProjection<QueryableIndex> projection
) implements QueryableIndex {
  @Nullable
  @Override
  public QueryableProjection<QueryableIndex> getProjection(CursorBuildSpec cursorBuildSpec) {
    return projection;
  }

  @Nullable
  @Override
  public BaseColumnHolder getColumnHolder(String columnName) {
    @Nullable final BaseColumnHolder column = segment.getColumnHolder(columnName);
    return column != null && column.getIndexSupplier() instanceof QueriedRows.Indexes indexes
           ? new Column(column, indexes.of(rows))
           : column;
  }

  @Override
  public Interval getDataInterval() {
    return segment.getDataInterval();
  }

  @Override
  public int getNumRows() {
    return segment.getNumRows();
  }

  @Override
  public Indexed<String> getAvailableDimensions() {
    return segment.getAvailableDimensions();
  }

  @Override
  public BitmapFactory getBitmapFactoryForDimensions() {
    return segment.getBitmapFactoryForDimensions();
  }

  @Nullable
  @Override
  public Metadata getMetadata() {
    return segment.getMetadata();
  }

  @Override
  @SuppressWarnings("rawtypes") // same as Druid's signature
  public Map<String, DimensionHandler> getDimensionHandlers() {
    return segment.getDimensionHandlers();
  }

  @Override
  public List<String> getColumnNames() {
    return segment.getColumnNames();
  }

  @Nullable
  @Override
  public ColumnCapabilities getColumnCapabilities(String column) {
    return segment.getColumnCapabilities(column);
  }

  @Override
  public List<OrderBy> getOrdering() {
    return segment.getOrdering();
  }

  @Override
  public void close() {}

  /** Column with other indexes. */
  private record Column(BaseColumnHolder column, ColumnIndexSupplier indexes) implements BaseColumnHolder {
    @Override
    public ColumnIndexSupplier getIndexSupplier() {
      return indexes;
    }

    @Override
    public ColumnCapabilities getCapabilities() {
      return column.getCapabilities();
    }

    @Override
    public ColumnFormat getColumnFormat() {
      return column.getColumnFormat();
    }

    @Override
    public int getLength() {
      return column.getLength();
    }

    @Override
    public BaseColumn getColumn() {
      return column.getColumn();
    }

    @Nullable
    @Override
    public Supplier<? extends BaseColumn> getColumnSupplier() {
      return column.getColumnSupplier();
    }

    @Override
    @SuppressWarnings("rawtypes") // same as Druid's signature
    public SettableColumnValueSelector makeNewSettableColumnValueSelector() {
      return column.makeNewSettableColumnValueSelector();
    }
  }
}
