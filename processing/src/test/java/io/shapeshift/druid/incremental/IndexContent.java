// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.data.input.MapBasedRow;
import org.apache.druid.data.input.Row;
import org.apache.druid.java.util.common.UOE;
import org.apache.druid.query.OrderBy;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexCursorFactory;
import org.apache.druid.segment.incremental.IncrementalIndexRow;
import org.apache.druid.segment.nested.StructuredData;
import org.joda.time.Interval;

/** Content of an incremental index as mergers and cursors see it, to be compared with that of another. */
public final class IndexContent {
  private IndexContent() {}

  /**
   * The rows in the order in which they are persisted: timestamp, dimensions without those absent at the end, metrics.
   */
  public static List<List<Object>> persisted(IncrementalIndex index) {
    final List<List<Object>> rows = new ArrayList<>();
    for (IncrementalIndexRow row : index.getFacts().persistIterable()) {
      final List<Object> content = new ArrayList<>();
      content.add(row.getTimestamp());
      int length = row.getDims().length;
      while (length > 0 && row.getDims()[length - 1] == null) {
        length--;
      }
      for (int i = 0; i < length; i++) {
        content.add(comparable(row.getDims()[i]));
      }
      content.add("metrics");
      for (int i = 0; i < index.getMetricAggs().length; i++) {
        content.add(index.getMetricObjectValue(row.getRowIndex(), i));
      }
      rows.add(content);
    }
    return rows;
  }

  /** Rows as Druid's tests and tools read them, sorted. */
  public static List<String> events(IncrementalIndex index) {
    final List<String> events = new ArrayList<>();
    for (Row row : index) {
      final Map<String, Object> event = new TreeMap<>();
      ((MapBasedRow) row).getEvent().forEach((name, value) -> event.put(name, comparable(value)));
      // A row that is older than a dimension does not have it.
      event.values().removeIf(Objects::isNull);
      events.add(row.getTimestampFromEpoch() + " " + event);
    }
    Collections.sort(events);
    return events;
  }

  /** All results of the selectors of a cursor; or the exception, as some filters do not accept all types. */
  public static List<List<Object>> queried(
      IncrementalIndex index,
      Interval interval,
      @Nullable Filter filter,
      List<OrderBy> order
  ) {
    try {
      return rows(index, interval, filter, order);
    } catch (UOE e) {
      return List.of(List.of(e.toString()));
    }
  }

  private static List<List<Object>> rows(
      IncrementalIndex index,
      Interval interval,
      @Nullable Filter filter,
      List<OrderBy> order
  ) {
    final List<List<Object>> rows = new ArrayList<>();
    final CursorBuildSpec spec = CursorBuildSpec.builder()
        .setInterval(interval)
        .setFilter(filter)
        .setPreferredOrdering(order)
        .build();
    try (CursorHolder holder = new IncrementalIndexCursorFactory(index).makeCursorHolder(spec)) {
      final Cursor cursor = holder.asCursor();
      if (cursor == null) {
        return rows;
      }
      final ColumnSelectorFactory selectors = cursor.getColumnSelectorFactory();
      final List<String> columns = index.getColumnNames();
      final List<ColumnValueSelector<?>> values = new ArrayList<>();
      final List<DimensionSelector> dimensions = new ArrayList<>();
      final List<Boolean> numeric = new ArrayList<>();
      for (String column : columns) {
        final ColumnCapabilities capabilities = selectors.getColumnCapabilities(column);
        values.add(selectors.makeColumnValueSelector(column));
        numeric.add(capabilities.isNumeric());
        // For the time, only with an extraction function.
        dimensions.add(
            !column.equals("__time") && (capabilities.is(ValueType.STRING) || capabilities.isNumeric())
            ? selectors.makeDimensionSelector(DefaultDimensionSpec.of(column))
            : null
        );
      }
      for (; !cursor.isDone(); cursor.advance()) {
        final List<Object> row = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
          row.add(comparable(values.get(i).getObject()));
          if (numeric.get(i)) {
            row.add(values.get(i).isNull() ? null : values.get(i).getLong());
            row.add(values.get(i).isNull() ? null : values.get(i).getDouble());
            row.add(values.get(i).isNull() ? null : values.get(i).getFloat());
          }
          if (dimensions.get(i) != null) {
            row.add(names(dimensions.get(i)));
          }
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static List<String> names(DimensionSelector selector) {
    final List<String> names = new ArrayList<>();
    for (int i = 0; i < selector.getRow().size(); i++) {
      names.add(selector.lookupName(selector.getRow().get(i)));
    }
    return names;
  }

  /** Result of a selector in a form that is equal for equal contents, whatever their classes. */
  @Nullable
  public static Object comparable(@Nullable Object value) {
    final Object content = StructuredData.unwrap(value);
    if (content instanceof int[] ids) {
      return Arrays.toString(ids);
    }
    if (content instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    }
    return isNested(content) ? nested(content) : content;
  }

  private static boolean isNested(@Nullable Object value) {
    return value instanceof Object[] || value instanceof List || value instanceof Map;
  }

  /** Arrays and objects of equal content are one value, whatever their classes. */
  @Nullable
  private static Object nested(@Nullable Object value) {
    if (value instanceof Object[] array) {
      return nested(Arrays.asList(array));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(IndexContent::nested).collect(Collectors.toList());
    }
    if (value instanceof Map<?, ?> map) {
      final Map<Object, Object> nested = new TreeMap<>();
      map.forEach((key, element) -> nested.put(key, nested(element)));
      return nested;
    }
    return value instanceof Integer number ? (Object) number.longValue() : value;
  }
}
