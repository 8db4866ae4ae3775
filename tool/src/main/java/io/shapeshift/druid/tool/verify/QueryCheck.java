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
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.query.OrderBy;
import org.apache.druid.query.filter.AndDimFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.OrDimFilter;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.Cursors;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.RowIdSupplier;
import org.apache.druid.segment.SimpleQueryableIndex;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.ListIndexed;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.projections.ConstantTimeColumn;
import org.joda.time.Interval;

/**
 * Check by queries on the base table and each projection, which combine the indexes of two columns: {@code and},
 * {@code or} and {@code not} of a value of one column and of null in the other or the same. A column that can be read
 * may still fail in such queries, for example if its indexes have another type of bitmaps than the segment.
 */
final class QueryCheck {
  /** Maximum number of rows whose matches are counted. */
  private static final int MOST_ROWS = 10_000;
  /** The same limit for columns without a plain type, because a filter parses each object of nested data. */
  private static final int MOST_OBJECTS = 1_000;
  /** Maximum number of characters of a filter in a message. A value may have millions. */
  private static final int MOST_CHARACTERS = 200;

  private final Segment segment;
  private final List<SegmentColumn> columns;
  private final boolean isSortedByTime;
  private final QueryableIndex index;
  private final Interval interval;

  private QueryCheck(Segment segment, List<SegmentColumn> columns) {
    this.segment = segment;
    this.columns = columns;
    this.isSortedByTime = columns.get(0).projection() == null && ColumnCheck.isSortedByTime(segment);
    this.index = queryable();
    this.interval = interval();
  }

  /** Interval of the first rows; eternity if the rows are not sorted by time. */
  private Interval interval() {
    if (!isSortedByTime) {
      return Intervals.ETERNITY;
    }
    try (NumericColumn times = (NumericColumn) index.getColumnHolder(ColumnHolder.TIME_COLUMN_NAME).getColumn()) {
      return Intervals.utc(
          times.getLongSingleValueRow(0), times.getLongSingleValueRow(Math.min(times.length(), MOST_ROWS) - 1) + 1);
    }
  }

  /**
   * Runs the queries.
   *
   * @param sound test whether a column can be read
   * @return findings for queries that fail, or whose results contradict each other
   */
  static List<Finding> run(Segment segment, Predicate<SegmentColumn> sound) {
    return segment.columns().stream()
        .filter(sound)
        .collect(Collectors.groupingBy(
            column -> Optional.ofNullable(column.projection()), LinkedHashMap::new, Collectors.toList()))
        .values().stream()
        .flatMap(columns -> run(segment, columns))
        .toList();
  }

  private static Stream<Finding> run(Segment segment, List<SegmentColumn> columns) {
    final SegmentColumn first = columns.get(0);
    try {
      // Without a time column the table cannot be queried.
      return (first.projection() != null || columns.stream().anyMatch(QueryCheck::isTime)) && first.numRows() > 0
             ? new QueryCheck(segment, columns).run()
             : Stream.empty();
    } catch (ToolException e) {
      return Stream.of(new Finding(Status.ofUnread(e), e.found()));
    } catch (OutOfMemoryError e) {
      return Stream.of(outOfMemory(first, e));
    }
  }

  private static Finding outOfMemory(SegmentColumn column, OutOfMemoryError e) {
    return new Finding(Status.FAILED, ToolException.outOfMemory(column.where(), e).found());
  }

  private static boolean isTime(SegmentColumn column) {
    return column.name().equals(ColumnHolder.TIME_COLUMN_NAME);
  }

  private QueryableIndex queryable() {
    final Map<String, Supplier<BaseColumnHolder>> holders = new LinkedHashMap<>();
    columns.forEach(column -> holders.put(column.name(), column::holder));
    // A projection has a time column of its own, or the start of its segment.
    holders.computeIfAbsent(
        ColumnHolder.TIME_COLUMN_NAME,
        name -> ConstantTimeColumn.makeConstantTimeSupplier(
            columns.get(0).numRows(), segment.interval().getStartMillis())
    );
    final List<String> names =
        columns.stream().filter(column -> !isTime(column)).map(SegmentColumn::name).toList();
    return new SimpleQueryableIndex(
        segment.interval(), new ListIndexed<>(names), segment.bitmapFactory(), holders, null) {
      @Nullable
      @Override
      public Metadata getMetadata() {
        return null;
      }

      @Override
      public List<OrderBy> getOrdering() {
        return isSortedByTime ? Cursors.ascendingTimeOrder() : List.of();
      }
    };
  }

  /** Queries each column alone, and columns in combination with their partners. */
  private Stream<Finding> run() {
    final List<Finding> findings = new ArrayList<>();
    final List<SegmentColumn> answering = new ArrayList<>();
    for (SegmentColumn column : columns) {
      failure(column, column).ifPresentOrElse(findings::add, () -> answering.add(column));
    }
    for (SegmentColumn column : answering) {
      partners(column, answering)
          .flatMap(partner -> failure(column, partner).stream())
          .findFirst()
          .ifPresent(findings::add);
    }
    return findings.stream();
  }

  /**
   * Partners of a column: the first string column; or, if there is none, the time and the first other column with an
   * index.
   */
  private static Stream<SegmentColumn> partners(SegmentColumn column, List<SegmentColumn> columns) {
    final Optional<SegmentColumn> strings = columns.stream()
        .filter(each -> each.holder().getCapabilities().is(ValueType.STRING))
        .findFirst();
    return strings.map(Stream::of).orElseGet(() -> Stream.concat(
        columns.stream().filter(QueryCheck::isTime),
        columns.stream()
            .filter(each -> each != column && !isTime(each)
                && IndexCheck.index(each.holder(), NullValueIndex.class) != null)
            .limit(1)
    ));
  }

  /** Runs the queries for a value of one column and null in another or the same. Returns a failure, if there is one. */
  private Optional<Finding> failure(SegmentColumn column, SegmentColumn other) {
    try {
      ask(
          valueOf(other), NullFilter.forColumn(column.name()), Math.min(mostRows(column), mostRows(other)));
      return Optional.empty();
    } catch (Damage e) {
      return Optional.of(
          new Finding(Status.ofUnread(e), "column " + column.displayName() + ": " + e.getMessage()));
    } catch (OutOfMemoryError e) {
      return Optional.of(outOfMemory(column, e));
    }
  }

  private static int mostRows(SegmentColumn column) {
    return type(column).isPrimitive() ? MOST_ROWS : MOST_OBJECTS;
  }

  private static ColumnType type(SegmentColumn column) {
    return column.holder().getCapabilities().toColumnType();
  }

  /** Filter that matches the first row. For a value without a plain type, by whether it is null. */
  private static DimFilter valueOf(SegmentColumn column) {
    final ColumnType type = type(column);
    if (!type.isPrimitive()) {
      return NullFilter.forColumn(column.name());
    }
    try (ObjectReader reader = ObjectReader.open(column)) {
      @Nullable final Object object = reader.get(0);
      @Nullable final Object value = object instanceof List<?> several ? several.get(0) : object;
      return value == null
             ? NullFilter.forColumn(column.name())
             : new EqualityFilter(column.name(), type, value, null);
    } catch (IOException e) {
      throw new Damage("it cannot be closed: " + e.getMessage(), e);
    }
  }

  /**
   * Checks the counts against each other: the counts of two filters add up to the count of their union plus the count
   * of their intersection.
   */
  private void ask(DimFilter first, DimFilter second, int mostRows) {
    final DimFilter both = new AndDimFilter(List.of(first, second));
    final DimFilter any = new OrDimFilter(List.of(first, second));
    count(new AndDimFilter(List.of(first, new NotDimFilter(second))), mostRows);
    count(new OrDimFilter(List.of(first, new NotDimFilter(second))), mostRows);
    final int sum = count(first, mostRows) + count(second, mostRows);
    final int found = count(both, mostRows) + count(any, mostRows);
    if (sum != found) {
      throw new Damage("the filters " + text(both) + " and " + text(any) + " find " + found
          + " rows in sum, but their parts find " + sum);
    }
  }

  private static String text(DimFilter filter) {
    final String text = filter.toString();
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
  }

  /** Number of matches among the first rows. */
  private int count(DimFilter filter, int mostRows) {
    return Damage.reading("a query with the filter " + text(filter), () -> {
      int rows = 0;
      try (CursorHolder holder = QueriedCursorFactory.of(index).makeCursorHolder(
          CursorBuildSpec.builder().setInterval(interval).setFilter(filter.toFilter()).build())) {
        @Nullable final Cursor cursor = holder.asCursor();
        if (cursor == null) {
          return rows;
        }
        final RowIdSupplier row = cursor.getColumnSelectorFactory().getRowIdSupplier();
        for (; !cursor.isDone() && row.getRowId() < mostRows; cursor.advance()) {
          rows++;
        }
      }
      return rows;
    });
  }
}
