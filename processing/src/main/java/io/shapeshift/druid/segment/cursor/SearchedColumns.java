// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.ExpressionIndexes;
import io.shapeshift.druid.segment.index.StringIndexSupplier;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.Expr;
import org.apache.druid.math.expr.ExpressionPredicateIndexSupplier;
import org.apache.druid.query.filter.ColumnIndexSelector;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumn;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.virtual.ExpressionVirtualColumn;

/**
 * Virtual columns of expressions over one string column, such as {@code lower(url)}, with indexes that search for parts
 * of the column's texts. Druid's indexes evaluate the expression of each text.
 */
final class SearchedColumns {
  private SearchedColumns() {}

  /** Replaces such virtual columns. Returns null if there are none. */
  @Nullable
  static VirtualColumns in(QueryableIndex segment, VirtualColumns columns) {
    final List<VirtualColumn> replaced = new ArrayList<>();
    boolean isAny = false;
    for (VirtualColumn column : columns.getVirtualColumns()) {
      if (column.getClass() == ExpressionVirtualColumn.class
          && isOfStrings(segment, columns, column.requiredColumns())) {
        replaced.add(new OfStrings((ExpressionVirtualColumn) column));
        isAny = true;
      } else {
        replaced.add(column);
      }
    }
    return isAny ? VirtualColumns.create(replaced) : null;
  }

  private static boolean isOfStrings(QueryableIndex segment, VirtualColumns virtualColumns, List<String> columns) {
    if (columns.size() != 1 || virtualColumns.exists(columns.get(0))) {
      return false;
    }
    @Nullable final BaseColumnHolder column = segment.getColumnHolder(columns.get(0));
    return column != null
        && ColumnType.STRING.equals(column.getCapabilities().toColumnType())
        && column.getIndexSupplier() instanceof StringIndexSupplier;
  }

  private static final class OfStrings extends ExpressionVirtualColumn {
    private final Expr expr;

    private OfStrings(ExpressionVirtualColumn column) {
      this(column, column.getParsedExpression().get());
    }

    private OfStrings(ExpressionVirtualColumn column, Expr expr) {
      super(column.getOutputName(), column.getExpression(), expr, column.getOutputType());
      this.expr = expr;
    }

    @Nullable
    @Override
    public ColumnIndexSupplier getIndexSupplier(String columnName, ColumnIndexSelector indexes) {
      @Nullable final ColumnIndexSupplier stock = super.getIndexSupplier(columnName, indexes);
      final String column = requiredColumns().get(0);
      return stock instanceof ExpressionPredicateIndexSupplier ofExpression
          && getOutputType() != null
          && indexes.getIndexSupplier(column) instanceof StringIndexSupplier texts
             ? new ExpressionIndexes(ofExpression, texts, expr, column, getOutputType())
             : stock;
    }
  }
}
