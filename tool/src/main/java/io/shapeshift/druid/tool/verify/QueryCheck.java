// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.google.common.base.Supplier;
import io.shapeshift.druid.segment.cursor.QueriedCursorFactory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.query.filter.AndDimFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.OrDimFilter;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SimpleQueryableIndex;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.ListIndexed;
import org.joda.time.Interval;

/**
 * Asks a segment queries that combine the indexes of two of its columns: {@code and}, {@code or} and {@code not} of a
 * value of a string column and of a value, and null, of each other column. A column that can be read can still fail
 * them, as indexes of another kind of bitmaps than the segment's do.
 */
final class QueryCheck {
  /** Rows that the queries read, in the order of time, or some more of the same time as the last. */
  private static final int MOST_ROWS = 10_000;

  private final Segment segment;
  private final List<SegmentColumn> columns;
  private final QueryableIndex index;
  private final Interval interval;
  private final List<Finding> failures = new ArrayList<>();

  private QueryCheck(Segment segment, List<SegmentColumn> columns) {
    this.segment = segment;
    this.columns = columns;
    this.index = queryable();
    this.interval = interval();
  }

  /** The time of the first rows; all time where rows are in another order. */
  private Interval interval() {
    if (!ColumnCheck.isSortedByTime(segment)) {
      return Intervals.ETERNITY;
    }
    try (NumericColumn times = (NumericColumn) index.getColumnHolder(ColumnHolder.TIME_COLUMN_NAME).getColumn()) {
      return Intervals.utc(
          times.getLongSingleValueRow(0), times.getLongSingleValueRow(Math.min(times.length(), MOST_ROWS) - 1) + 1);
    }
  }

  /**
   * Asks about columns of the base table.
   *
   * @param sound which columns can be read
   * @return the queries that fail, or of which the answers contradict each other
   */
  static List<Finding> run(Segment segment, Predicate<SegmentColumn> sound) {
    final List<SegmentColumn> columns =
        segment.columns().stream().filter(column -> column.projection() == null && sound.test(column)).toList();
    if (columns.stream().noneMatch(column -> column.name().equals(ColumnHolder.TIME_COLUMN_NAME))
        || segment.numRows() == 0) {
      return List.of();
    }
    try {
      return new QueryCheck(segment, columns).run();
    } catch (ToolException e) {
      return List.of(new Finding(Status.DAMAGED, e.found()));
    }
  }

  private QueryableIndex queryable() {
    final Map<String, Supplier<BaseColumnHolder>> holders = new LinkedHashMap<>();
    columns.forEach(column -> holders.put(column.name(), column::holder));
    final List<String> names = columns.stream()
        .map(SegmentColumn::name)
        .filter(name -> !name.equals(ColumnHolder.TIME_COLUMN_NAME))
        .toList();
    return new SimpleQueryableIndex(
        segment.interval(), new ListIndexed<>(names), segment.bitmapFactory(), holders, null) {
      @Nullable
      @Override
      public Metadata getMetadata() {
        return null;
      }
    };
  }

  private List<Finding> run() {
    // Strings whose dictionary is out of order fail alone, in Druid's own columns as well.
    final List<SegmentColumn> failing = columns.stream().filter(QueryCheck::isString).filter(this::fails).toList();
    @Nullable final SegmentColumn strings = columns.stream()
        .filter(column -> isString(column) && !failing.contains(column))
        .findFirst()
        .orElse(null);
    if (strings != null) {
      columns.stream().filter(column -> !failing.contains(column)).forEach(column -> {
        try {
          ask(valueOf(strings), NullFilter.forColumn(column.name()));
          ask(valueOf(strings), valueOf(column));
        } catch (Damage e) {
          failures.add(new Finding(Status.DAMAGED, "column " + column.name() + ": " + e.getMessage()));
        } catch (OutOfMemoryError e) {
          failures.add(new Finding(Status.FAILED, ToolException.outOfMemory(column.where(), e).found()));
        }
      });
    }
    return failures;
  }

  private static boolean isString(SegmentColumn column) {
    return column.holder().getCapabilities().is(ValueType.STRING);
  }

  /** Whether queries on a column alone fail. */
  private boolean fails(SegmentColumn column) {
    try {
      ask(valueOf(column), NullFilter.forColumn(column.name()));
      return false;
    } catch (Damage e) {
      return true;
    }
  }

  /** A filter that finds the first row; by whether it is null where its value is of no plain type. */
  private static DimFilter valueOf(SegmentColumn column) {
    final ColumnType type = column.holder().getCapabilities().toColumnType();
    try (ObjectReader reader = ObjectReader.open(column)) {
      @Nullable final Object object = reader.get(0);
      @Nullable final Object value = object instanceof List<?> several ? several.get(0) : object;
      return value == null || !type.isPrimitive()
             ? NullFilter.forColumn(column.name())
             : new EqualityFilter(column.name(), type, value, null);
    } catch (IOException e) {
      throw new Damage("it cannot be closed: " + e.getMessage(), e);
    }
  }

  /** Checks the answers by each other: what both filters find counts twice in the sum of what each finds. */
  private void ask(DimFilter first, DimFilter second) {
    final DimFilter both = new AndDimFilter(List.of(first, second));
    final DimFilter any = new OrDimFilter(List.of(first, second));
    count(new AndDimFilter(List.of(first, new NotDimFilter(second))));
    count(new OrDimFilter(List.of(first, new NotDimFilter(second))));
    final int sum = count(first) + count(second);
    final int found = count(both) + count(any);
    if (sum != found) {
      throw new Damage("the filters " + both + " and " + any + " find " + found + " rows in sum, but their parts find "
          + sum);
    }
  }

  private int count(DimFilter filter) {
    return Damage.reading("a query with the filter " + filter, () -> {
      int rows = 0;
      try (CursorHolder holder = QueriedCursorFactory.of(index).makeCursorHolder(
          CursorBuildSpec.builder().setInterval(interval).setFilter(filter.toFilter()).build())) {
        @Nullable final Cursor cursor = holder.asCursor();
        if (cursor == null) {
          return rows;
        }
        for (; !cursor.isDone(); cursor.advance()) {
          rows++;
        }
      }
      return rows;
    });
  }
}
