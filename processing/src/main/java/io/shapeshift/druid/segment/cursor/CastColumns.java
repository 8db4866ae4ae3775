// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
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
 * Columns whose indexes a virtual column takes for its own though it has other values: one that is nothing but an
 * identifier or the root of nested data may be of another type, and others may change texts. Matchers of such a virtual
 * column have its values, and an index of the column knows nothing of them. Where Druid's own column has no index,
 * matchers are asked.
 */
final class CastColumns {
  private CastColumns() {}

  /** The columns, of those that a filter needs. */
  static Set<String> of(QueryableIndex segment, Filter filter, VirtualColumns virtualColumns) {
    final Set<String> cast = new HashSet<>();
    for (String name : filter.getRequiredColumns()) {
      @Nullable final VirtualColumn virtual = virtualColumns.getVirtualColumn(name);
      if (virtual != null) {
        @Nullable final ColumnIndexSupplier indexes = indexes(segment, name, virtualColumns);
        @Nullable final ColumnCapabilities type = virtualColumns.getColumnCapabilitiesWithFallback(segment, name);
        for (String column : columnsOf(name, virtualColumns)) {
          @Nullable final ColumnHolder holder = segment.getColumnHolder(column);
          if (holder != null && holder.getIndexSupplier() == indexes
              && !(hasSameType(type, holder) && isPlain(virtual, virtualColumns))) {
            cast.add(column);
          }
        }
      }
    }
    return cast;
  }

  /** The columns that a column is made of, also by way of virtual ones; a column of the segment is made of itself. */
  static Set<String> columnsOf(String name, VirtualColumns virtualColumns) {
    final Set<String> columns = new HashSet<>();
    final Deque<String> left = new ArrayDeque<>(List.of(name));
    while (!left.isEmpty()) {
      final String next = left.pop();
      if (columns.add(next)) {
        @Nullable final VirtualColumn virtual = virtualColumns.getVirtualColumn(next);
        left.addAll(virtual == null ? List.of() : virtual.requiredColumns());
      }
    }
    return columns;
  }

  /** What a virtual column has for indexes, as Druid's cursors ask it. */
  @Nullable
  private static ColumnIndexSupplier indexes(QueryableIndex segment, String virtual, VirtualColumns virtualColumns) {
    try (Closer closer = Closer.create()) {
      return new ColumnCache(segment, virtualColumns, closer).getIndexSupplier(virtual);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasSameType(@Nullable ColumnCapabilities type, ColumnHolder holder) {
    return type != null && type.getType() == holder.getCapabilities().getType();
  }

  /** Whether a virtual column that takes a column's indexes has its values, unless it is of another type. */
  private static boolean isPlain(VirtualColumn virtual, VirtualColumns virtualColumns) {
    if (virtual.requiredColumns().stream().anyMatch(virtualColumns::exists)) {
      // What is between may cast to and fro.
      return false;
    }
    return virtual instanceof ExpressionVirtualColumn
        || virtual instanceof NestedFieldVirtualColumn
        || (virtual instanceof FallbackVirtualColumn fallback
            && fallback.getColumns().stream().allMatch(spec -> spec.getClass() == DefaultDimensionSpec.class));
  }
}
