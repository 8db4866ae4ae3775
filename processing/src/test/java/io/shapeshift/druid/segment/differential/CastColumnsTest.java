// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.CursorRows;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.js.JavaScriptConfig;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.Druids;
import org.apache.druid.query.Query;
import org.apache.druid.query.TableDataSource;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.dimension.DimensionSpec;
import org.apache.druid.query.dimension.ExtractionDimensionSpec;
import org.apache.druid.query.dimension.ListFilteredDimensionSpec;
import org.apache.druid.query.expression.TestExprMacroTable;
import org.apache.druid.query.extraction.ExtractionFn;
import org.apache.druid.query.extraction.JavaScriptExtractionFn;
import org.apache.druid.query.extraction.UpperExtractionFn;
import org.apache.druid.query.filter.AndDimFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.ExpressionDimFilter;
import org.apache.druid.query.filter.JavaScriptDimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.query.groupby.GroupByQuery;
import org.apache.druid.query.ordering.StringComparators;
import org.apache.druid.query.rowsandcols.concrete.QueryableIndexRowsAndColumns;
import org.apache.druid.query.search.AllSearchQuerySpec;
import org.apache.druid.query.search.SearchQuery;
import org.apache.druid.query.search.SearchSortSpec;
import org.apache.druid.query.spec.MultipleIntervalSegmentSpec;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorFactory;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumn;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.virtual.ExpressionVirtualColumn;
import org.apache.druid.segment.virtual.FallbackVirtualColumn;
import org.apache.druid.segment.virtual.NestedFieldVirtualColumn;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Virtual columns that have a column's indexes and other values, asked in all ways by which Druid comes to the indexes
 * of a segment: cursors of the table and of a projection, queries of windows, and searches, which read no rows where
 * all filters have indexes. All find the rows that they find in Druid's own columns.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CastColumnsTest {
  private static final int ROWS = 4000;
  /** Rows of which filters that cast find more, or fewer, than those that do not. */
  private static final int RARE = 500;

  static {
    ExpressionProcessing.initializeForTests();
  }

  @TempDir
  private static File folder;

  private final Answers answers = new Answers();
  private QueryableIndex stock;
  private QueryableIndex ours;
  private QueryableIndex smaller;

  @BeforeAll
  void write() {
    stock = write("stock", TestSegments.STOCK);
    ours = write("ours", ours(OptimizationTarget.FASTBUTSMALLISH));
    smaller = write("smaller", ours(OptimizationTarget.SMALLER));
  }

  @AfterAll
  void close() {
    answers.close();
    stock.close();
    ours.close();
    smaller.close();
  }

  private static IndexSpec ours(OptimizationTarget target) {
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(EncodingStrategy.shapeShift(target, BlockSize.SMALL), Map.of()));
  }

  private QueryableIndex write(String name, IndexSpec spec) {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(
            new StringDimensionSchema("key"),
            new DoubleDimensionSchema("double"),
            new LongDimensionSchema("long"),
            new StringDimensionSchema("indexed"),
            new StringDimensionSchema("text", null, false),
            new StringDimensionSchema("tags")
        )))
        .withMetrics(new CountAggregatorFactory("count"))
        .withProjections(List.of(AggregateProjectionSpec
            .builder("byKey")
            .groupingColumns(new StringDimensionSchema("key"), new DoubleDimensionSchema("double"))
            .aggregators(new LongSumAggregatorFactory("count", "count"))
            .build()))
        .withRollup(false)
        .build();
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      final int kind = i % RARE;
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(i < ROWS / 2 ? i : 86_400_000L + i).toString());
      row.put("key", kind < 2 ? "rare" : "key" + i % 3);
      row.put("double", kind == 0 ? 1.5 : kind == 1 ? 1.0 : 7.25 + i % 20);
      row.put("long", i % 5);
      final String number = kind == 0 ? "05" : kind == 1 ? "5" : i < ROWS / 2 ? "0" : String.valueOf(10 + i % 50);
      row.put("indexed", number);
      row.put("text", number);
      row.put("tags", List.of("a" + i % 7, "b" + i % 3));
      rows.add(row);
    }
    return TestSegments.open(
        TestSegments.persist(TestSegments.rowsInMemory(schema, rows), new File(folder, name), spec, Version.V9));
  }

  private static VirtualColumn root(String name, String column, ColumnType type) {
    return new NestedFieldVirtualColumn(column, "$.", name, type);
  }

  private static VirtualColumn identifier(String name, String column, @Nullable ColumnType type) {
    return new ExpressionVirtualColumn(name, column, type, TestExprMacroTable.INSTANCE);
  }

  private static DimFilter equal(String column, ColumnType type, Object value) {
    return new EqualityFilter(column, type, value, null);
  }

  private static DimFilter expression(String expression) {
    return new ExpressionDimFilter(expression, TestExprMacroTable.INSTANCE);
  }

  /** A filter, and its virtual columns. */
  private record Filtered(DimFilter filter, List<VirtualColumn> virtualColumns) {
    private Filtered(DimFilter filter, VirtualColumn... virtualColumns) {
      this(filter, List.of(virtualColumns));
    }
  }

  static List<Filtered> filters() {
    final List<Filtered> filters = new ArrayList<>();
    for (String column : List.of("double", "text", "indexed")) {
      final ColumnType type = column.equals("double") ? ColumnType.DOUBLE : ColumnType.STRING;
      final long value = column.equals("double") ? 1 : 5;
      final DimFilter filter = equal("v", ColumnType.LONG, value);
      filters.add(new Filtered(filter, root("v", column, ColumnType.LONG)));
      filters.add(new Filtered(filter, identifier("v", column, ColumnType.LONG)));
      // One virtual column over another.
      filters.add(new Filtered(filter, root("w", column, ColumnType.LONG), identifier("v", "w", null)));
      filters.add(new Filtered(filter, identifier("w", column, ColumnType.LONG), identifier("v", "w", type)));
      filters.add(new Filtered(
          new AndDimFilter(equal("key", ColumnType.STRING, "rare"), filter),
          identifier("v", column, ColumnType.LONG)
      ));
    }
    final VirtualColumn ofNone = new NestedFieldVirtualColumn(null, "$.x", "v", ColumnType.STRING);
    filters.add(new Filtered(
        new AndDimFilter(NullFilter.forColumn("v"), equal("double", ColumnType.DOUBLE, 1.5)), ofNone));
    List.copyOf(filters).forEach(
        asked -> filters.add(new Filtered(new NotDimFilter(asked.filter()), asked.virtualColumns())));
    for (String column : List.of("key", "text", "indexed", "tags")) {
      for (var spec : List.of(
          new DefaultDimensionSpec(column, column),
          new ExtractionDimensionSpec(column, column, new UpperExtractionFn(null)),
          new ListFilteredDimensionSpec(DefaultDimensionSpec.of(column), Set.of("rare", "5", "a1"), true))) {
        for (String value : List.of("RARE", "rare", "5", "A1", "a1", "b1", "key1")) {
          filters.add(new Filtered(
              equal("v", ColumnType.STRING, value),
              new FallbackVirtualColumn("v", new ArrayList<>(List.of(spec)))
          ));
        }
      }
    }
    return filters;
  }

  @ParameterizedTest
  @MethodSource("filters")
  void byAnyQuery(Filtered asked) {
    for (Query<?> query : queries(asked)) {
      final Case.Question question = new Case.Question(Case.Way.ENGINE, null, query);
      assertEquals(answers.of(stock, question), answers.of(ours, question), query::toString);
    }
  }

  /** In a segment of {@code smaller}, which leaves posting lists out where ids tell the same. */
  @ParameterizedTest
  @MethodSource("filters")
  void withoutPostingLists(Filtered asked) {
    for (Query<?> query : queries(asked)) {
      final Case.Question question = new Case.Question(Case.Way.ENGINE, null, query);
      assertEquals(answers.of(stock, question), answers.of(smaller, question), query::toString);
    }
  }

  private static List<Query<?>> queries(Filtered asked) {
    final VirtualColumns virtualColumns = VirtualColumns.create(asked.virtualColumns());
    final var always = new MultipleIntervalSegmentSpec(List.of(Intervals.ETERNITY));
    final List<AggregatorFactory> count = List.of(new LongSumAggregatorFactory("n", "count"));
    return List.of(
        Druids.newTimeseriesQueryBuilder()
            .dataSource("any").intervals(always).granularity(Granularities.ALL)
            .filters(asked.filter()).virtualColumns(virtualColumns).aggregators(count).build(),
        GroupByQuery.builder()
            .setDataSource("any").setQuerySegmentSpec(always).setGranularity(Granularities.ALL)
            .setDimFilter(asked.filter()).setVirtualColumns(virtualColumns)
            .setDimensions(DefaultDimensionSpec.of("key")).setAggregatorSpecs(count).build(),
        Druids.newScanQueryBuilder()
            .dataSource("any").intervals(always).columns("__time", "key")
            .filters(asked.filter()).virtualColumns(virtualColumns).build(),
        search(asked.filter(), virtualColumns, List.of(DefaultDimensionSpec.of("key")), 1000)
    );
  }

  private static SearchQuery search(
      DimFilter filter,
      VirtualColumns virtualColumns,
      List<DimensionSpec> dimensions,
      int limit
  ) {
    return new SearchQuery(
        new TableDataSource("any"),
        filter,
        Granularities.ALL,
        limit,
        new MultipleIntervalSegmentSpec(List.of(Intervals.ETERNITY)),
        dimensions,
        virtualColumns,
        new AllSearchQuerySpec(),
        new SearchSortSpec(StringComparators.LEXICOGRAPHIC),
        null
    );
  }

  @Test
  void byAProjection() {
    final List<Filtered> filters = new ArrayList<>(List.of(
        new Filtered(equal("double", ColumnType.DOUBLE, 1.5)),
        new Filtered(equal("double", ColumnType.LONG, 1L)),
        new Filtered(equal("key", ColumnType.STRING, "rare")),
        filters().get(0),
        filters().get(1)
    ));
    List.copyOf(filters).forEach(
        asked -> filters.add(new Filtered(new NotDimFilter(asked.filter()), asked.virtualColumns())));
    for (QueryableIndex segment : List.of(ours, smaller)) {
      for (Filtered asked : filters) {
        final CursorBuildSpec spec = CursorBuildSpec.builder()
            .setFilter(asked.filter().toFilter())
            .setVirtualColumns(VirtualColumns.create(asked.virtualColumns()))
            .setGroupingColumns(List.of("key"))
            .setAggregators(List.of(new LongSumAggregatorFactory("n", "count")))
            .setPhysicalColumns(Set.of("key", "double", "count"))
            .build();
        assertNotNull(segment.getProjection(spec), asked::toString);
        final List<Object> expected = CursorRows.rowByRow(stock, List.of("key", "n"), spec);
        assertFalse(expected.isEmpty(), asked::toString);
        assertEquals(expected, CursorRows.rowByRow(segment, List.of("key", "n"), spec), asked::toString);
        assertEquals(
            CursorRows.byVectors(stock, List.of("key", "n"), spec),
            CursorRows.byVectors(segment, List.of("key", "n"), spec),
            asked::toString
        );
      }
    }
  }

  /** As operators of windows read a segment. */
  @ParameterizedTest
  @MethodSource("filters")
  void byAWindow(Filtered asked) throws IOException {
    final List<Object> expected = rowsOfWindows(stock, asked);
    assertEquals(expected, rowsOfWindows(ours, asked));
    assertEquals(expected, rowsOfWindows(smaller, asked));
  }

  private static List<Object> rowsOfWindows(QueryableIndex index, Filtered asked) throws IOException {
    final List<Object> times = new ArrayList<>();
    final CursorBuildSpec spec = CursorBuildSpec.builder()
        .setFilter(asked.filter().toFilter())
        .setVirtualColumns(VirtualColumns.create(asked.virtualColumns()))
        .build();
    try (QueryableIndexRowsAndColumns rows = new QueryableIndexRowsAndColumns(index);
         CursorHolder holder = rows.as(CursorFactory.class).makeCursorHolder(spec)) {
      @Nullable final Cursor cursor = holder.asCursor();
      if (cursor != null) {
        final ColumnValueSelector<?> time = cursor.getColumnSelectorFactory().makeColumnValueSelector("__time");
        for (; !cursor.isDone(); cursor.advance()) {
          times.add(time.getLong());
        }
      }
    }
    return times;
  }

  /** Druid searches otherwise where a filter has an index: with other counts of dimensions decorated, or limited. */
  @Test
  void byASearchThatIsDecoratedOrLimited() {
    for (DimFilter filter : List.of(equal("long", ColumnType.LONG, 1L), equal("text", ColumnType.STRING, "5"))) {
      for (int limit : List.of(2, 1000)) {
        for (var dimension : List.of(
            DefaultDimensionSpec.of("tags"),
            new ListFilteredDimensionSpec(DefaultDimensionSpec.of("tags"), Set.of("a1"), true))) {
          final Case.Question question = new Case.Question(
              Case.Way.ENGINE, null, search(filter, VirtualColumns.EMPTY, List.of(dimension), limit));
          assertEquals(answers.of(stock, question), answers.of(ours, question));
          assertEquals(answers.of(stock, question), answers.of(smaller, question));
        }
      }
    }
  }

  private static ExtractionFn javaScript(String function) {
    return new JavaScriptExtractionFn(function, false, JavaScriptConfig.getEnabledInstance());
  }

  /** What somebody wrote is asked of the rows that are read, and of no others, which it may not bear. */
  @Test
  void byCodeThatFailsOnOtherRows() {
    for (DimFilter filter : List.of(
        expression("100 / cast(text, 'LONG') > 5"),
        new AndDimFilter(expression("long == count"), expression("100 / cast(text, 'LONG') > 5")),
        new JavaScriptDimFilter(
            "text",
            "function(x) { if (x === '0') { throw 'zero'; } return 100 / x > 5; }",
            null,
            JavaScriptConfig.getEnabledInstance()
        ),
        new SelectorDimFilter(
            "text", "five", javaScript("function(x) { if (x === '0') { throw 'zero'; } return 'five'; }")),
        // There is no null.
        new SelectorDimFilter("double", "1.0", javaScript("function(x) { return x.toString(); }")),
        new SelectorDimFilter(
            "count", "1", javaScript("function(x) { if (x === null) { throw 'null'; } return x; }")))) {
      final Query<?> query = Druids.newTimeseriesQueryBuilder()
          .dataSource("any")
          .intervals(new MultipleIntervalSegmentSpec(List.of(Intervals.of("1970-01-02/1970-01-03"))))
          .granularity(Granularities.ALL)
          .filters(filter)
          .aggregators(List.of(new LongSumAggregatorFactory("n", "count")))
          .build();
      final Case.Question question = new Case.Question(Case.Way.ENGINE, null, query);
      final List<Object> expected = answers.of(stock, question);
      assertFalse(Answers.isException(expected), expected::toString);
      assertEquals(expected, answers.of(ours, question));
    }
  }
}
