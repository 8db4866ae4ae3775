// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import io.shapeshift.druid.segment.cursor.QueriedCursorFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.segment.BaseLongColumnValueSelector;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexTimeBoundaryInspector;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.vector.SingleValueDimensionVectorSelector;
import org.apache.druid.segment.vector.VectorColumnSelectorFactory;
import org.apache.druid.segment.vector.VectorCursor;
import org.apache.druid.segment.vector.VectorObjectSelector;
import org.apache.druid.segment.vector.VectorValueSelector;

/** A column of a segment as queries see it, through every kind of selector that Druid has for its type. */
final class CursorRows {
  private CursorRows() {}

  /** All that selectors of single rows tell of those that a filter lets through. */
  static List<Object> rowByRow(QueryableIndex index, String column, @Nullable DimFilter filter) {
    final List<Object> rows = new ArrayList<>();
    try (CursorHolder holder = open(index, filter)) {
      @Nullable final Cursor cursor = holder.asCursor();
      if (cursor == null) {
        return rows;
      }
      final boolean isNumeric = isNumeric(index, column);
      final ColumnValueSelector<?> values = cursor.getColumnSelectorFactory().makeColumnValueSelector(column);
      // Druid wants to know of the time in which format it is to be.
      final boolean hasIds = isPrimitive(index, column) && !column.equals(ColumnHolder.TIME_COLUMN_NAME);
      @Nullable final DimensionSelector ids = hasIds
          ? cursor.getColumnSelectorFactory().makeDimensionSelector(DefaultDimensionSpec.of(column))
          : null;
      for (; !cursor.isDone(); cursor.advance()) {
        rows.add(comparable(values.getObject()));
        if (isNumeric) {
          rows.add(
              values.isNull() ? null : List.of(values.getLong(), values.getDouble(), values.getFloat()));
        }
        if (ids != null) {
          rows.add(ids.getRow().size() == 0 ? List.of() : Arrays.asList(ids.lookupName(ids.getRow().get(0))));
        }
      }
    }
    return rows;
  }

  /** All that selectors of vectors tell of the rows that a filter lets through. */
  static List<Object> byVectors(QueryableIndex index, String column, @Nullable DimFilter filter) {
    final List<Object> rows = new ArrayList<>();
    try (CursorHolder holder = open(index, filter)) {
      @Nullable final VectorCursor cursor = holder.canVectorize() ? holder.asVectorCursor() : null;
      if (cursor == null) {
        return rows;
      }
      final VectorColumnSelectorFactory selectors = cursor.getColumnSelectorFactory();
      @Nullable final VectorValueSelector numbers =
          isNumeric(index, column) ? selectors.makeValueSelector(column) : null;
      @Nullable final VectorObjectSelector objects = numbers == null ? selectors.makeObjectSelector(column) : null;
      @Nullable final SingleValueDimensionVectorSelector ids =
          isSingleString(index, column)
          ? selectors.makeSingleValueDimensionSelector(DefaultDimensionSpec.of(column))
          : null;
      for (; !cursor.isDone(); cursor.advance()) {
        for (int i = 0; i < cursor.getCurrentVectorSize(); i++) {
          if (numbers != null) {
            final boolean isNull = numbers.getNullVector() != null && numbers.getNullVector()[i];
            rows.add(
                isNull
                ? null
                : List.of(numbers.getLongVector()[i], numbers.getDoubleVector()[i], numbers.getFloatVector()[i])
            );
          } else {
            rows.add(comparable(objects.getObjectVector()[i]));
          }
          if (ids != null) {
            rows.add(ids.getRowVector()[i]);
            rows.add(ids.lookupName(ids.getRowVector()[i]));
          }
        }
      }
    }
    return rows;
  }

  /** The numbers of a column without nulls, which tells rows apart, in those that cursors of single rows go through. */
  static List<Long> longsRowByRow(QueryableIndex index, String column, CursorBuildSpec spec) {
    final List<Long> rows = new ArrayList<>();
    try (CursorHolder holder = open(index, spec)) {
      @Nullable final Cursor cursor = holder.asCursor();
      if (cursor != null) {
        final BaseLongColumnValueSelector values = cursor.getColumnSelectorFactory().makeColumnValueSelector(column);
        for (; !cursor.isDone(); cursor.advance()) {
          rows.add(values.getLong());
        }
      }
    }
    return rows;
  }

  /** As {@link #longsRowByRow} by cursors of vectors, where Druid has one for the filter, as its engines ask. */
  static List<Long> longsByVectors(QueryableIndex index, String column, CursorBuildSpec spec) {
    final List<Long> rows = new ArrayList<>();
    try (CursorHolder holder = open(index, spec)) {
      if (!holder.canVectorize()) {
        return longsRowByRow(index, column, spec);
      }
      @Nullable final VectorCursor cursor = holder.asVectorCursor();
      if (cursor != null) {
        final VectorValueSelector values = cursor.getColumnSelectorFactory().makeValueSelector(column);
        for (; !cursor.isDone(); cursor.advance()) {
          final long[] vector = values.getLongVector();
          for (int i = 0; i < cursor.getCurrentVectorSize(); i++) {
            rows.add(vector[i]);
          }
        }
      }
    }
    return rows;
  }

  private static CursorHolder open(QueryableIndex index, @Nullable DimFilter filter) {
    return open(index, CursorBuildSpec.builder().setFilter(filter == null ? null : filter.toFilter()).build());
  }

  /** As a segment of a service with the extension does; Druid's own columns are read by Druid's own cursors. */
  private static CursorHolder open(QueryableIndex index, CursorBuildSpec spec) {
    return new QueriedCursorFactory(index, QueryableIndexTimeBoundaryInspector.create(index)).makeCursorHolder(spec);
  }

  private static ColumnCapabilities capabilities(QueryableIndex index, String column) {
    return index.getColumnHolder(column).getCapabilities();
  }

  private static boolean isNumeric(QueryableIndex index, String column) {
    return capabilities(index, column).isNumeric();
  }

  private static boolean isSingleString(QueryableIndex index, String column) {
    return capabilities(index, column).is(ValueType.STRING)
        && capabilities(index, column).isDictionaryEncoded().isTrue()
        && capabilities(index, column).hasMultipleValues().isFalse();
  }

  private static boolean isPrimitive(QueryableIndex index, String column) {
    return capabilities(index, column).isPrimitive();
  }

  @Nullable
  private static Object comparable(@Nullable Object value) {
    return value instanceof Object[] array ? Arrays.asList(array) : value;
  }
}
