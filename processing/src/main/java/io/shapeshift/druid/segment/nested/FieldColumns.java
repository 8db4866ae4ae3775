// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.base.Supplier;
import io.shapeshift.druid.segment.index.QueriedRows;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.query.filter.ColumnIndexSelector;
import org.apache.druid.segment.ColumnInspector;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumn;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnCapabilitiesImpl;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.virtual.NestedFieldVirtualColumn;

/**
 * Virtual columns of JSON paths whose fields have the type that the query expects, in one segment. Druid knows the type
 * of a path only when it opens it, so its virtual columns never declare a dictionary, and take an index of another type
 * of values.
 */
public final class FieldColumns {
  private FieldColumns() {}

  /**
   * Replaces the virtual columns of such paths, which then answer as plain columns do: texts have a dictionary, so that
   * a query groups and compares their ids; ranges of numbers are scanned if Druid would match rows.
   *
   * @param rows rows that the query reads; null if only Druid's rules may decide between an index and matching rows
   * @return null if there is no such path
   */
  @Nullable
  public static VirtualColumns in(QueryableIndex segment, VirtualColumns columns, @Nullable QueriedRows rows) {
    final List<VirtualColumn> replaced = new ArrayList<>();
    boolean isAny = false;
    for (VirtualColumn column : columns.getVirtualColumns()) {
      @Nullable final VirtualColumn field = of(segment, columns, column, rows);
      replaced.add(field == null ? column : field);
      isAny |= field != null;
    }
    return isAny ? VirtualColumns.create(replaced) : null;
  }

  @Nullable
  private static VirtualColumn of(
      QueryableIndex segment, VirtualColumns columns, VirtualColumn column, @Nullable QueriedRows rows) {
    if (column.getClass() != NestedFieldVirtualColumn.class) {
      return null;
    }
    final NestedFieldVirtualColumn path = (NestedFieldVirtualColumn) column;
    if (path.getColumnName() == null || path.isProcessFromRaw() || columns.exists(path.getColumnName())) {
      return null;
    }
    @Nullable final BaseColumnHolder holder = segment.getColumnHolder(path.getColumnName());
    @Nullable final Supplier<?> supplier = holder == null ? null : holder.getColumnSupplier();
    if (!(supplier instanceof NestedColumnData nested)) {
      return null;
    }
    final int field = nested.indexOf(path.getPathParts());
    if (field < 0) {
      return null;
    }
    final ColumnType expected = path.getExpectedType() == null ? ColumnType.STRING : path.getExpectedType();
    if (!expected.isPrimitive() || !expected.equals(nested.types(field).getSingleType())) {
      return null;
    }
    return new OfField(path, expected.equals(ColumnType.STRING) && nested.field(field).hasTexts(), rows);
  }

  private static final class OfField extends NestedFieldVirtualColumn {
    private final boolean areTexts;
    @Nullable
    private final QueriedRows rows;

    private OfField(NestedFieldVirtualColumn column, boolean areTexts, @Nullable QueriedRows rows) {
      super(
          column.getColumnName(),
          column.getOutputName(),
          column.getExpectedType(),
          column.getPathParts(),
          column.isProcessFromRaw(),
          null,
          null
      );
      this.areTexts = areTexts;
      this.rows = rows;
    }

    @Nullable
    @Override
    public ColumnCapabilities capabilities(ColumnInspector inspector, String columnName) {
      return areTexts
             ? ColumnCapabilitiesImpl.createDefault()
                                     .setType(ColumnType.STRING)
                                     .setDictionaryEncoded(true)
                                     .setDictionaryValuesSorted(true)
                                     .setDictionaryValuesUnique(true)
                                     .setHasNulls(true)
             : super.capabilities(inspector, columnName);
    }

    @Nullable
    @Override
    public ColumnIndexSupplier getIndexSupplier(String columnName, ColumnIndexSelector indexSelector) {
      @Nullable final ColumnIndexSupplier indexes = super.getIndexSupplier(columnName, indexSelector);
      return rows != null && indexes instanceof QueriedRows.Indexes ours ? ours.of(rows) : indexes;
    }
  }
}
