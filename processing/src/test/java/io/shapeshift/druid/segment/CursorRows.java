// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import io.shapeshift.druid.incremental.IndexContent;
import io.shapeshift.druid.segment.cursor.QueriedCursorFactory;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import javax.annotation.Nullable;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.segment.BaseLongColumnValueSelector;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.vector.MultiValueDimensionVectorSelector;
import org.apache.druid.segment.vector.SingleValueDimensionVectorSelector;
import org.apache.druid.segment.vector.VectorColumnSelectorFactory;
import org.apache.druid.segment.vector.VectorCursor;
import org.apache.druid.segment.vector.VectorObjectSelector;
import org.apache.druid.segment.vector.VectorValueSelector;
import org.apache.druid.segment.virtual.NestedFieldVirtualColumn;

/** Columns of a segment as queries see them, through every kind of selector that Druid has for their types. */
public final class CursorRows {
  private CursorRows() {}

  /** All that selectors of single rows tell of those that a filter lets through. */
  static List<Object> rowByRow(QueryableIndex index, String column, @Nullable DimFilter filter) {
    return rowByRow(index, List.of(column), spec(filter));
  }

  /** All that selectors of vectors tell of the rows that a filter lets through. */
  static List<Object> byVectors(QueryableIndex index, String column, @Nullable DimFilter filter) {
    return byVectors(index, List.of(column), spec(filter));
  }

  /** All that selectors of single rows tell of some columns, virtual ones among them. */
  public static List<Object> rowByRow(QueryableIndex index, List<String> columns, CursorBuildSpec spec) {
    final List<Object> rows = new ArrayList<>();
    try (CursorHolder holder = open(index, spec)) {
      @Nullable final Cursor cursor = holder.asCursor();
      if (cursor == null) {
        return rows;
      }
      final ColumnSelectorFactory selectors = cursor.getColumnSelectorFactory();
      final Runnable[] readers =
          columns.stream().map(column -> reader(selectors, column, rows)).toArray(Runnable[]::new);
      for (; !cursor.isDone(); cursor.advance()) {
        for (Runnable reader : readers) {
          reader.run();
        }
      }
    }
    return rows;
  }

  private static Runnable reader(ColumnSelectorFactory selectors, String column, List<Object> rows) {
    @Nullable final ColumnCapabilities capabilities = selectors.getColumnCapabilities(column);
    final boolean isNumeric = capabilities != null && capabilities.isNumeric();
    // Druid wants to know of the time in which format it is to be.
    final boolean hasIds =
        capabilities != null && capabilities.isPrimitive() && !column.equals(ColumnHolder.TIME_COLUMN_NAME);
    final ColumnValueSelector<?> values = selectors.makeColumnValueSelector(column);
    @Nullable final DimensionSelector ids =
        hasIds ? selectors.makeDimensionSelector(DefaultDimensionSpec.of(column)) : null;
    return () -> {
      rows.add(comparable(values.getObject()));
      if (isNumeric) {
        rows.add(values.isNull() ? null : List.of(values.getLong(), values.getDouble(), values.getFloat()));
      }
      if (ids != null) {
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < ids.getRow().size(); i++) {
          names.add(ids.lookupName(ids.getRow().get(i)));
        }
        rows.add(names);
      }
    };
  }

  /** All that selectors of vectors tell of some columns; nothing where Druid has no vectors for the filter. */
  public static List<Object> byVectors(QueryableIndex index, List<String> columns, CursorBuildSpec spec) {
    final List<Object> rows = new ArrayList<>();
    try (CursorHolder holder = open(index, spec)) {
      @Nullable final VectorCursor cursor = holder.canVectorize() ? holder.asVectorCursor() : null;
      if (cursor == null) {
        return rows;
      }
      final VectorColumnSelectorFactory selectors = cursor.getColumnSelectorFactory();
      final List<List<Object>> ofColumns = columns.stream().map(column -> (List<Object>) new ArrayList<>()).toList();
      final List<IntConsumer> readers = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        readers.add(vectorReader(
            selectors, columns.get(i), isField(index, spec.getVirtualColumns(), columns.get(i)), ofColumns.get(i)));
      }
      for (; !cursor.isDone(); cursor.advance()) {
        readers.forEach(reader -> reader.accept(cursor.getCurrentVectorSize()));
      }
      ofColumns.forEach(rows::addAll);
    }
    return rows;
  }

  /**
   * Whether a column is a path into a nested column. Druid's path has no dictionary, and ours has one where all values
   * are texts.
   */
  private static boolean isField(QueryableIndex index, VirtualColumns virtualColumns, String column) {
    if (virtualColumns.getVirtualColumn(column) instanceof NestedFieldVirtualColumn path) {
      @Nullable final ColumnCapabilities nested = index.getColumnCapabilities(path.getColumnName());
      return nested != null && nested.is(ValueType.COMPLEX);
    }
    return false;
  }

  /**
   * Reads the vector on which the cursor stands, of a size that it is told.
   *
   * @param isField whether the rows leave ids out, and the texts of ids that are the values, as {@link #isField} says
   */
  private static IntConsumer vectorReader(
      VectorColumnSelectorFactory selectors, String column, boolean isField, List<Object> rows) {
    @Nullable final ColumnCapabilities capabilities = selectors.getColumnCapabilities(column);
    if (capabilities != null && capabilities.isNumeric()) {
      final VectorValueSelector numbers = selectors.makeValueSelector(column);
      return size -> {
        @Nullable final boolean[] nulls = numbers.getNullVector();
        for (int i = 0; i < size; i++) {
          final boolean isNull = nulls != null && nulls[i];
          rows.add(
              isNull
              ? null
              : List.of(numbers.getLongVector()[i], numbers.getDoubleVector()[i], numbers.getFloatVector()[i])
          );
        }
      };
    }
    final VectorObjectSelector objects = selectors.makeObjectSelector(column);
    if (!isDictionaryEncodedString(capabilities)) {
      return size -> Arrays.stream(objects.getObjectVector(), 0, size).map(CursorRows::comparable).forEach(rows::add);
    }
    if (capabilities.hasMultipleValues().isTrue()) {
      final MultiValueDimensionVectorSelector ids =
          selectors.makeMultiValueDimensionSelector(DefaultDimensionSpec.of(column));
      return size -> {
        for (int i = 0; i < size; i++) {
          rows.add(comparable(objects.getObjectVector()[i]));
          final IndexedInts row = ids.getRowVector()[i];
          for (int j = 0; j < row.size(); j++) {
            rows.add(row.get(j));
            rows.add(ids.lookupName(row.get(j)));
          }
        }
      };
    }
    final SingleValueDimensionVectorSelector ids =
        selectors.makeSingleValueDimensionSelector(DefaultDimensionSpec.of(column));
    return size -> {
      for (int i = 0; i < size; i++) {
        @Nullable final Object value = comparable(objects.getObjectVector()[i]);
        final int id = ids.getRowVector()[i];
        @Nullable final String name = ids.lookupName(id);
        rows.add(value);
        if (!isField || !Objects.equals(value, name)) {
          rows.add(id);
          rows.add(name);
        }
      }
    };
  }

  /** The numbers of a column without nulls, which tells rows apart, in those that cursors of single rows go through. */
  static List<Long> longsRowByRow(QueryableIndex index, String column, CursorBuildSpec spec) {
    final LongArrayList rows = new LongArrayList();
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

  /** Whether there are cursors of vectors for the filter. */
  public static boolean canVectorize(QueryableIndex index, CursorBuildSpec spec) {
    try (CursorHolder holder = open(index, spec)) {
      return holder.canVectorize();
    }
  }

  /** As {@link #longsRowByRow} by cursors of vectors, where Druid has one for the filter, as its engines ask. */
  static List<Long> longsByVectors(QueryableIndex index, String column, CursorBuildSpec spec) {
    @Nullable final List<Long> rows = longsByVectorsAlone(index, column, spec);
    return rows == null ? longsRowByRow(index, column, spec) : rows;
  }

  /** As {@link #longsRowByRow} by cursors of vectors; null where Druid has none for the filter. */
  @Nullable
  static List<Long> longsByVectorsAlone(QueryableIndex index, String column, CursorBuildSpec spec) {
    final LongArrayList rows = new LongArrayList();
    try (CursorHolder holder = open(index, spec)) {
      if (!holder.canVectorize()) {
        return null;
      }
      @Nullable final VectorCursor cursor = holder.asVectorCursor();
      if (cursor != null) {
        final VectorValueSelector values = cursor.getColumnSelectorFactory().makeValueSelector(column);
        for (; !cursor.isDone(); cursor.advance()) {
          rows.addElements(rows.size(), values.getLongVector(), 0, cursor.getCurrentVectorSize());
        }
      }
    }
    return rows;
  }

  private static CursorBuildSpec spec(@Nullable DimFilter filter) {
    return CursorBuildSpec.builder().setFilter(filter == null ? null : filter.toFilter()).build();
  }

  /** As a segment of a service with the extension does; Druid's own columns are read by Druid's own cursors. */
  public static CursorHolder open(QueryableIndex index, CursorBuildSpec spec) {
    return QueriedCursorFactory.of(index).makeCursorHolder(spec);
  }

  private static boolean isDictionaryEncodedString(@Nullable ColumnCapabilities capabilities) {
    return capabilities != null && capabilities.is(ValueType.STRING) && capabilities.isDictionaryEncoded().isTrue()
        && !capabilities.hasMultipleValues().isUnknown();
  }

  @Nullable
  private static Object comparable(@Nullable Object value) {
    return IndexContent.comparable(value);
  }
}
