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
 * Columns whose indexes a virtual column takes for its own though it has other values: one that is nothing but an
 * identifier or the root of nested data may be of another type, and others may change texts. Matchers of such a virtual
 * column have its values, and an index of the column knows nothing of them. So it depends on what else is filtered, and
 * has an index, which rows Druid finds by it.
 */
final class CastColumns {
  private CastColumns() {}

  /** Whether a filter asks for one. */
  static boolean areIn(Filter filter, QueryableIndex segment, VirtualColumns virtualColumns) {
    for (String name : filter.getRequiredColumns()) {
      @Nullable final VirtualColumn virtual = virtualColumns.getVirtualColumn(name);
      if (virtual != null) {
        final Set<String> ours = columnsOf(name, virtualColumns);
        ours.removeIf(column -> !isOurs(segment, column) || isAlike(segment, virtual, column, virtualColumns));
        if (!ours.isEmpty()) {
          // What it has for indexes may take opening columns.
          @Nullable final ColumnIndexSupplier indexes = indexes(segment, name, virtualColumns);
          if (ours.stream().anyMatch(column -> segment.getColumnHolder(column).getIndexSupplier() == indexes)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether a column has indexes that can be computed. */
  private static boolean isOurs(QueryableIndex segment, String column) {
    @Nullable final ColumnHolder holder = segment.getColumnHolder(column);
    return holder != null && holder.getIndexSupplier() instanceof QueriedRows.Indexes;
  }

  /** The columns that a column is made of, also by way of virtual ones; a column of the segment is made of itself. */
  static Set<String> columnsOf(String name, VirtualColumns virtualColumns) {
    final Set<String> columns = new HashSet<>();
    final Deque<String> left = new ArrayDeque<>(List.of(name));
    while (!left.isEmpty()) {
      final String next = left.pop();
      if (columns.add(next)) {
        @Nullable final VirtualColumn virtual = virtualColumns.getVirtualColumn(next);
        if (virtual != null) {
          // One of nested data may name no column.
          virtual.requiredColumns().stream().filter(Objects::nonNull).forEach(left::add);
        }
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

  /** Whether a virtual column, should it take a column's indexes, has its values as well. */
  private static boolean isAlike(
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
      // What is between may cast to and fro.
      return false;
    }
    return virtual instanceof ExpressionVirtualColumn
        || virtual instanceof NestedFieldVirtualColumn
        || (virtual instanceof FallbackVirtualColumn fallback
            && fallback.getColumns().stream().allMatch(spec -> spec.getClass() == DefaultDimensionSpec.class));
  }
}
