// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.QueriedRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.segment.ColumnCache;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumn;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.virtual.ExpressionVirtualColumn;
import org.apache.druid.segment.virtual.FallbackVirtualColumn;
import org.apache.druid.segment.virtual.NestedFieldVirtualColumn;

/**
 * Detects virtual columns that return the index of another column although their values differ. A virtual column that
 * is only an identifier, or the root of nested data, may have another type than its column; others may change texts.
 * Druid's matchers use the values of the virtual column, but its index uses those of the base column. So the rows that
 * Druid finds depend on whether it uses the index, that is, on the other filters and on their indexes.
 */
final class CastColumns {
  private CastColumns() {}

  /** Whether a filter reads such a virtual column. */
  static boolean areIn(Filter filter, QueryableIndex segment, VirtualColumns virtualColumns) {
    for (String name : filter.getRequiredColumns()) {
      @Nullable final VirtualColumn virtual = virtualColumns.getVirtualColumn(name);
      if (virtual != null) {
        final Set<String> ours = columnsOf(name, virtualColumns);
        ours.removeIf(column -> !isOurs(segment, column) || hasValuesOf(segment, virtual, column, virtualColumns));
        if (!ours.isEmpty()) {
          // Getting the indexes may open columns.
          @Nullable final ColumnIndexSupplier indexes = indexes(segment, name, virtualColumns);
          if (ours.stream().anyMatch(column -> segment.getColumnHolder(column).getIndexSupplier() == indexes)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether a column has indexes that the extension computes. */
  private static boolean isOurs(QueryableIndex segment, String column) {
    @Nullable final ColumnHolder holder = segment.getColumnHolder(column);
    return holder != null && holder.getIndexSupplier() instanceof QueriedRows.Indexes;
  }

  /**
   * Columns from which a column is derived, directly or by way of virtual columns. A physical column is derived from
   * itself.
   */
  static Set<String> columnsOf(String name, VirtualColumns virtualColumns) {
    final Set<String> columns = new HashSet<>();
    final Deque<String> left = new ArrayDeque<>(List.of(name));
    while (!left.isEmpty()) {
      final String next = left.pop();
      if (columns.add(next)) {
        @Nullable final VirtualColumn virtual = virtualColumns.getVirtualColumn(next);
        if (virtual != null) {
          // A virtual column of nested data may list a null name.
          virtual.requiredColumns().stream().filter(Objects::nonNull).forEach(left::add);
        }
      }
    }
    return columns;
  }

  /** Index supplier of a virtual column, as Druid's cursors request it. */
  @Nullable
  private static ColumnIndexSupplier indexes(QueryableIndex segment, String virtual, VirtualColumns virtualColumns) {
    try (Closer closer = Closer.create()) {
      return new ColumnCache(segment, virtualColumns, closer).getIndexSupplier(virtual);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a virtual column that returns a column's indexes also has that column's values. */
  private static boolean hasValuesOf(
      QueryableIndex segment,
      VirtualColumn virtual,
      String column,
      VirtualColumns virtualColumns
  ) {
    @Nullable final ColumnCapabilities type =
        virtualColumns.getColumnCapabilitiesWithFallback(segment, virtual.getOutputName());
    if (type == null || type.getType() != segment.getColumnHolder(column).getCapabilities().getType()) {
      return false;
    }
    if (virtual.requiredColumns().stream().anyMatch(virtualColumns::exists)) {
      // A virtual column in between may cast to another type and back.
      return false;
    }
    return virtual instanceof ExpressionVirtualColumn
        || virtual instanceof NestedFieldVirtualColumn
        || (virtual instanceof FallbackVirtualColumn fallback
            && fallback.getColumns().stream().allMatch(spec -> spec.getClass() == DefaultDimensionSpec.class));
  }
}
