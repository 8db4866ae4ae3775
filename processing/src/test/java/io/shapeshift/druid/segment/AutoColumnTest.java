// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.common.collect.Streams;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.filter.ArrayContainsElementFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.FilterTuning;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Columns of type auto, written with and without shape-shifting, have the same content. */
class AutoColumnTest {
  private static final int NUM_ROWS = 20_000;

  @TempDir
  private File folder;

  private static Stream<Arguments> specs() {
    final EncodingStrategy ours = EncodingStrategy.shapeShift(OptimizationTarget.FASTER, BlockSize.SMALL);
    return Stream.of(Version.values()).flatMap(version -> Stream.of(
        Arguments.of(version, TestSegments.SHAPE_SHIFT),
        Arguments.of(version, TestSegments.shapeShift(OptimizationTarget.SMALLER, BlockSize.MIDDLE))
    ));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void persistedColumnsHaveTheSameContent(Version version, IndexSpec spec) throws IOException {
    final IncrementalIndex rows = AutoColumns.inMemory(1, NUM_ROWS);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), spec, version);
    assertSameContent(stock, ours);
    print(stock);
    print(ours);
  }

  private static void print(File segment) {
    try (Segment s = Segment.open(segment.toPath())) {
      for (SegmentColumn column : s.columns()) {
        System.out.println(column.file() + " " + column.descriptor());
        column.internalFiles().forEach((name, bytes) -> System.out.println("   " + name + " " + bytes.remaining()));
      }
    }
  }

  private static void assertSameContent(File expected, File actual) throws IOException {
    SegmentAssertions.assertSameContent(expected, actual, List.of(AutoColumns.PROJECTION));
    try (QueryableIndex expectedIndex = TestSegments.open(expected);
         QueryableIndex actualIndex = TestSegments.open(actual)) {
      assertSameRows("", expectedIndex, actualIndex);
      assertSameRows(
          AutoColumns.PROJECTION + "/",
          expectedIndex.getProjectionQueryableIndex(AutoColumns.PROJECTION),
          actualIndex.getProjectionQueryableIndex(AutoColumns.PROJECTION)
      );
    }
  }

  private static void assertSameRows(String prefix, QueryableIndex expected, QueryableIndex actual) {
    for (String column : expected.getColumnNames()) {
      for (DimFilter filter : filters(column)) {
        assertEquals(
            CursorRows.rowByRow(expected, column, filter == null ? null : filter.toFilter()),
            CursorRows.rowByRow(actual, column, filter == null ? null : filter.toFilter()),
            () -> prefix + column + " where " + filter
        );
        assertEquals(
            CursorRows.byVectors(expected, column, filter == null ? null : filter.toFilter()),
            CursorRows.byVectors(actual, column, filter == null ? null : filter.toFilter()),
            () -> prefix + column + " where " + filter
        );
      }
    }
  }

  /** None, and some for values of every type, answered by indexes and by reading values. */
  private static List<DimFilter> filters(String column) {
    final List<DimFilter> filters = new ArrayList<>();
    filters.add(null);
    for (FilterTuning tuning : new FilterTuning[]{null, new FilterTuning(false, null, null)}) {
      filters.add(new NullFilter(column, tuning));
      filters.add(new EqualityFilter(column, ColumnType.STRING, "w7", tuning));
      filters.add(new EqualityFilter(column, ColumnType.LONG, 1L, tuning));
      filters.add(new EqualityFilter(column, ColumnType.DOUBLE, 0.5, tuning));
      filters.add(new EqualityFilter(column, ColumnType.STRING_ARRAY, List.of("a1", "", "b0"), tuning));
      filters.add(new RangeFilter(column, ColumnType.LONG, 10L, 1000L, false, true, tuning));
      filters.add(new RangeFilter(column, ColumnType.STRING, "v", "x", false, true, tuning));
      filters.add(new ArrayContainsElementFilter(column, ColumnType.LONG, 3L, tuning));
      filters.add(new ArrayContainsElementFilter(column, ColumnType.STRING, "a2", tuning));
    }
    return filters;
  }
}
