// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.common.collect.Iterables;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.collections.spatial.search.RectangularBound;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.NewSpatialDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.expression.TestExprMacroTable;
import org.apache.druid.query.filter.AndDimFilter;
import org.apache.druid.query.filter.ArrayContainsElementFilter;
import org.apache.druid.query.filter.BoundDimFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.ExpressionDimFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.InDimFilter;
import org.apache.druid.query.filter.IsTrueDimFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.OrDimFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.RegexDimFilter;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.query.filter.SpatialDimFilter;
import org.apache.druid.query.filter.TypedInFilter;
import org.apache.druid.query.ordering.StringComparators;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumn;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.ConciseBitmapSerdeFactory;
import org.apache.druid.segment.filter.AndFilter;
import org.apache.druid.segment.filter.NotFilter;
import org.apache.druid.segment.filter.OrFilter;
import org.apache.druid.segment.filter.SelectorFilter;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.virtual.ExpressionVirtualColumn;
import org.apache.druid.segment.virtual.NestedFieldVirtualColumn;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters for which Druid asks an index in the same words though they mean different things: those who compare a float
 * with the float that is nearest to a double, and those who compare it as a double; longs as doubles; and virtual
 * columns that take a column's indexes for their own and cast its values. And filters of which Druid's index and its
 * matchers differ, where an index of numbers lets it take the other one. All find the rows that Druid's columns have.
 */
@Tag("slow")
class AlikeFiltersTest {
  private static final int ROWS = 5000;
  private static final IndexSpec DEFAULT = ShapeShiftIndexSpec.of(TestSegments.STOCK, new EncodingStrategies(
      EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.SMALL), Map.of()));

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
    ExpressionProcessing.initializeForTests();
  }

  private static IncrementalIndex rows;

  @TempDir
  private File folder;

  @BeforeAll
  static void makeRows() {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(
            new FloatDimensionSchema("f"),
            new LongDimensionSchema("l"),
            new DoubleDimensionSchema("d"),
            new DoubleDimensionSchema("n"),
            new FloatDimensionSchema("g"),
            new StringDimensionSchema("s", null, false),
            StringDimensionSchema.create("t"),
            new NewSpatialDimensionSchema("place", List.of("x", "y")),
            AutoTypeColumnSchema.of("al"),
            AutoTypeColumnSchema.of("big"),
            AutoTypeColumnSchema.of("ad"),
            AutoTypeColumnSchema.of("am"),
            AutoTypeColumnSchema.of("as"),
            AutoTypeColumnSchema.of("aj")
        )))
        .withRollup(false)
        .build();
    rows = TestSegments.rowsInMemory(schema, IntStream.range(0, ROWS).mapToObj(AlikeFiltersTest::row).toList());
  }

  @AfterAll
  static void forgetRows() {
    rows.close();
    rows = null;
  }

  private QueryableIndex write(String name, IndexSpec spec) {
    return TestSegments.open(TestSegments.persist(rows, new File(folder, name), spec, Version.V9));
  }

  /** A few rows of 700 have what filters do not agree on: so few that an index is worth it where it is asked. */
  private static Map<String, Object> row(int number) {
    final int kind = number % 700;
    final Map<String, Object> row = new HashMap<>();
    row.put("time", DateTimes.utc(number).toString());
    row.put("f", kind == 0 ? 0.1f : kind == 100 ? 16777216f : kind == 200 ? 0.5f : number % 31 + 2f);
    row.put("l", switch (kind) {
      case 0 -> (1L << 53) + 1;
      case 100 -> Long.MAX_VALUE;
      case 200 -> Long.MAX_VALUE - 300;
      case 300 -> 5L;
      default -> number % 31 + 20L;
    });
    row.put("d", kind == 0 ? 1.5 : kind == 100 ? 1.0 : kind == 200 ? (double) 0.1f : number % 31 + 2.25);
    row.put("n", kind == 0 ? Double.valueOf(1.5) : number % 3 == 0 ? null : Double.valueOf(number % 31 + 2.25));
    row.put("g", kind == 0 ? Float.valueOf(0.1f) : number % 3 == 0 ? null : Float.valueOf(number % 31 + 2f));
    row.put("al", number % 5 == 0 ? null : Long.valueOf(number % 5 + 4));
    row.put("big", kind == 0 ? (1L << 53) + number % 3 : number % 3000);
    row.put("ad", number % 5 == 0 ? null : Double.valueOf(number % 11 == 0 ? -0.0 : number % 7 / 2.0 + 3));
    row.put("am", number % 5 == 0 ? null : number % 2 == 0 ? Long.valueOf(number % 5 + 4) : "" + number % 7);
    row.put("as", number % 5 == 0 ? null : "" + number % 7);
    row.put("aj", number % 5 == 0 ? null : Map.of("x", number % 3 == 0 ? (Object) "5" : (Object) (number % 7)));
    row.put("s", kind == 0 ? "05" : kind == 100 ? "abc\uFFFF1" : kind < 400 ? "abc1"
        : kind == 500 ? "x7\n" : kind == 501 ? "{}" : "x" + number % 50);
    row.put("t", kind == 0 ? "oops" : kind == 501 ? "NaN" : "{\"a\": " + number % 9 + "}");
    if (number % 4 != 0) {
      row.put("x", number % 100);
      row.put("y", number % 9);
    }
    return row;
  }

  private static VirtualColumn nested(String column, ColumnType type) {
    return new NestedFieldVirtualColumn(column, "$.", "v", type);
  }

  private static VirtualColumn identifier(String column, ColumnType type) {
    return new ExpressionVirtualColumn("v", column, type, TestExprMacroTable.INSTANCE);
  }

  private static DimFilter not(DimFilter filter) {
    return new NotDimFilter(filter);
  }

  private static DimFilter expression(String expression) {
    return new ExpressionDimFilter(expression, TestExprMacroTable.INSTANCE);
  }

  /** What is asked: a filter, and a virtual column for it. */
  private record Question(DimFilter filter, List<VirtualColumn> virtualColumns) {
    private Question(DimFilter filter, VirtualColumn... virtualColumns) {
      this(filter, List.of(virtualColumns));
    }
  }

  private static List<Question> questions() {
    final List<Question> questions = new ArrayList<>();
    for (String expression : List.of(
        "f == 0.1", "f == '0.1'", "f == 16777217", "f == 16777216", "f == 0.5", "f == '0.5'",
        "l == 9007199254740992.0", "l == '9007199254740992'", "l == 9007199254740993", "l == 9223372036854775808.0",
        "l == 5.0", "l == '5'", "d == 1.5", "d == '1.5'", "d == 0.10000000149011612",
        "mv_overlap(f, ['0.1'])", "mv_overlap(f, ['0.5'])", "mv_overlap(l, ['9007199254740992'])",
        "mv_contains(f, '0.1')", "s == '05'")) {
      questions.add(new Question(expression(expression)));
    }
    questions.add(new Question(new EqualityFilter("f", ColumnType.DOUBLE, 0.1, null)));
    questions.add(new Question(new EqualityFilter("f", ColumnType.FLOAT, 0.1f, null)));
    questions.add(new Question(new EqualityFilter("f", ColumnType.STRING, "0.1", null)));
    questions.add(new Question(new EqualityFilter("l", ColumnType.DOUBLE, 0x1p53, null)));
    questions.add(new Question(new EqualityFilter("l", ColumnType.STRING, "9007199254740993", null)));
    questions.add(new Question(new TypedInFilter("f", ColumnType.STRING, List.of("0.1", "7"), null, null)));
    questions.add(new Question(new TypedInFilter("f", ColumnType.DOUBLE, List.of(0.1, 7.0), null, null)));
    // Both have rows in the last word of a Concise bitmap, but none that is the same.
    questions.add(new Question(not(new AndDimFilter(List.of(
        new InDimFilter("l", List.of("5", "24"), null), new SelectorDimFilter("f", "7.0", null))))));
    for (String column : List.of("s", "l", "f")) {
      questions.add(new Question(new ArrayContainsElementFilter(column, ColumnType.LONG, 5L, null)));
      questions.add(new Question(not(new ArrayContainsElementFilter(column, ColumnType.LONG, 5L, null))));
      questions.add(new Question(new ArrayContainsElementFilter(column, ColumnType.STRING, "05", null)));
    }
    for (String pattern : List.of("abc%1", "abc%", "abc\uFFFF%", "ab_1", "%1", "x7", "x8", "x7\n")) {
      questions.add(new Question(new LikeDimFilter("s", pattern, null, null)));
    }
    return questions;
  }

  /** Ranges of each column to and from each bound, and virtual columns of each type. */
  private static List<Question> rangesAndVirtualColumns() {
    final List<Question> questions = new ArrayList<>();
    for (String column : List.of("f", "g", "n", "l", "d")) {
      for (Double bound : new Double[] {null, 0.1, 0.5, 1.5, 2.25, 1e-60, 1e300}) {
        for (boolean isOpen : new boolean[] {false, true}) {
          if (bound != null) {
            questions.add(new Question(new RangeFilter(column, ColumnType.DOUBLE, null, bound, false, isOpen, null)));
            questions.add(new Question(new RangeFilter(column, ColumnType.DOUBLE, bound, null, isOpen, false, null)));
            questions.add(new Question(new BoundDimFilter(
                column, null, bound.toString(), false, isOpen, null, null, StringComparators.NUMERIC)));
            questions.add(new Question(not(new RangeFilter(
                column, ColumnType.DOUBLE, null, bound, false, isOpen, null))));
            questions.add(new Question(new OrDimFilter(List.of(
                new RangeFilter(column, ColumnType.DOUBLE, null, bound, false, isOpen, null),
                new EqualityFilter(column, ColumnType.DOUBLE, bound, null)))));
          }
        }
        if (bound != null) {
          questions.add(new Question(new EqualityFilter(column, ColumnType.DOUBLE, bound, null)));
          questions.add(new Question(not(new EqualityFilter(column, ColumnType.DOUBLE, bound, null))));
        }
      }
    }
    for (String column : List.of("f", "l", "d", "s")) {
      for (ColumnType type : List.of(ColumnType.LONG, ColumnType.DOUBLE, ColumnType.FLOAT, ColumnType.STRING)) {
        for (VirtualColumn virtual : List.of(nested(column, type), identifier(column, type))) {
          for (DimFilter filter : List.of(
              new EqualityFilter("v", ColumnType.LONG, 1L, null),
              new EqualityFilter("v", ColumnType.LONG, 5L, null),
              new EqualityFilter("v", ColumnType.DOUBLE, 0.1, null),
              new EqualityFilter("v", ColumnType.DOUBLE, 5.0, null),
              new EqualityFilter("v", ColumnType.STRING, "1.5", null),
              new EqualityFilter("v", ColumnType.STRING, "05", null),
              new RangeFilter("v", ColumnType.LONG, 1L, 2L, true, false, null),
              new RangeFilter("v", ColumnType.DOUBLE, 1.2, 1.9, false, false, null))) {
            questions.add(new Question(filter, virtual));
          }
        }
      }
    }
    return questions;
  }

  /** Texts that an index takes for other longs than matchers, beside a number whose index leaves few rows. */
  private static List<Question> boundsOfLongs() {
    final DimFilter few = new EqualityFilter("d", ColumnType.DOUBLE, 1.5, null);
    final List<Question> questions = new ArrayList<>();
    for (String column : List.of("al", "big", "l")) {
      for (String text : List.of("9007199254740993", "9007199254740992", "-9007199254740993", "9223372036854775807",
          "5", "5.5", "4.99999999999999999999", "5.00000000000000000001", "5d", "0x1p3", "NaN", "1e300", "-Infinity")) {
        for (boolean isStrict : new boolean[] {false, true}) {
          for (BoundDimFilter bound : List.of(
              new BoundDimFilter(column, text, null, isStrict, false, null, null, StringComparators.NUMERIC),
              new BoundDimFilter(column, null, text, false, isStrict, null, null, StringComparators.NUMERIC),
              new BoundDimFilter(column, text, text, isStrict, isStrict, null, null, StringComparators.NUMERIC))) {
            questions.add(new Question(bound));
            questions.add(new Question(new AndDimFilter(List.of(bound, few))));
          }
        }
      }
    }
    return questions;
  }

  /** Beside filters on a number, which has no index in Druid's columns, so that it tests all of it by rows. */
  private static List<Question> negatedAmongOthers() {
    final List<Question> questions = new ArrayList<>();
    final DimFilter number = new SelectorDimFilter("l", "25", null);
    final Map<String, VirtualColumn> columns = new LinkedHashMap<>();
    for (String column : List.of("al", "ad", "am", "as")) {
      columns.put(column, identifier("l", ColumnType.LONG));
    }
    columns.put("v", new NestedFieldVirtualColumn("aj", "$.x", "v", ColumnType.LONG));
    columns.put("v ", identifier("al + 0", ColumnType.LONG));
    columns.put("v  ", identifier("concat(as, '')", ColumnType.STRING));
    for (String column : List.of("s", "t")) {
      columns.put(column, identifier("l", ColumnType.LONG));
    }
    columns.forEach((name, virtual) -> {
      final String column = name.trim();
      final List<DimFilter> filters = new ArrayList<>();
      for (String text : List.of("5", "5.0", "05", column.equals("s") ? "x7" : "abc", "5.5")) {
        filters.add(new SelectorDimFilter(column, text, null));
        filters.add(new LikeDimFilter(column, text, null, null));
        filters.add(new LikeDimFilter(column, text.charAt(0) + "%", null, null));
        filters.add(new InDimFilter(column, List.of(text, "6", "7.0"), null));
        filters.add(new RegexDimFilter(column, text, null, null));
        filters.add(new EqualityFilter(column, ColumnType.STRING, text, null));
        filters.add(new RangeFilter(column, ColumnType.STRING, text, null, false, true, null));
        filters.add(new BoundDimFilter(column, text, null, true, false, null, null, StringComparators.NUMERIC));
      }
      filters.add(new EqualityFilter(column, ColumnType.LONG, 5L, null));
      filters.add(new EqualityFilter(column, ColumnType.LONG, 0L, null));
      filters.add(new EqualityFilter(column, ColumnType.LONG, "0", null));
      filters.add(new RangeFilter(column, ColumnType.LONG, 0L, 4L, false, false, null));
      filters.add(new RangeFilter(column, ColumnType.LONG, 0L, null, true, false, null));
      filters.add(new EqualityFilter(column, ColumnType.DOUBLE, 5.0, null));
      filters.add(new EqualityFilter(column, ColumnType.DOUBLE, 5.5, null));
      filters.add(new RangeFilter(column, ColumnType.LONG, 5L, 6L, false, true, null));
      filters.add(new RangeFilter(column, ColumnType.DOUBLE, null, 5.0, true, true, null));
      filters.add(new TypedInFilter(column, ColumnType.LONG, Arrays.asList(null, 5L), null, null));
      filters.add(new TypedInFilter(
          column, ColumnType.LONG, Arrays.asList(null, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L), null, null));
      filters.add(new TypedInFilter(column, ColumnType.STRING, List.of("5.0", "6"), null, null));
      filters.add(new TypedInFilter(column, ColumnType.STRING, List.of("6", "abc"), null, null));
      filters.add(new EqualityFilter(column, ColumnType.DOUBLE, 0.0, null));
      filters.add(new EqualityFilter(column, ColumnType.DOUBLE, -0.0, null));
      filters.add(new RangeFilter(column, ColumnType.DOUBLE, 0.0, 4.0, false, false, null));
      filters.add(new RangeFilter(column, ColumnType.DOUBLE, null, 0.0, false, true, null));
      filters.add(new NullFilter(column, null));
      for (DimFilter filter : filters) {
        questions.addAll(negated(filter, number, virtual));
      }
    });
    final VirtualColumn other = identifier("l", ColumnType.LONG);
    questions.addAll(negated(
        new SpatialDimFilter("place", new RectangularBound(new float[] {0, 0}, new float[] {30, 9})), number, other));
    questions.addAll(negated(expression("t > 5"), number, other));
    return questions;
  }

  private static List<Question> negated(DimFilter filter, DimFilter number, VirtualColumn virtual) {
    return List.of(
        new Question(not(new OrDimFilter(List.of(filter, number))), virtual),
        new Question(not(new AndDimFilter(List.of(not(filter), not(number)))), virtual),
        new Question(IsTrueDimFilter.of(new OrDimFilter(List.of(filter, number))), virtual)
    );
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "hash indexes", "smaller", "concise"})
  void findWhatDruidFinds(String kind) {
    final IndexSpec stock = kind.equals("concise")
        ? IndexSpec.builder().withBitmapSerdeFactory(new ConciseBitmapSerdeFactory()).build() : TestSegments.STOCK;
    final OptimizationTarget target =
        kind.equals("smaller") ? OptimizationTarget.SMALLER : OptimizationTarget.FASTBUTSMALLISH;
    final IndexSpec spec = ShapeShiftIndexSpec.of(stock, TestSegments.withHashIndexes(
        EncodingStrategy.shapeShift(target, BlockSize.SMALL),
        kind.equals("hash indexes") ? Set.of("f", "l", "d") : Set.of()
    ));
    try (QueryableIndex theirs = write("stock", stock); QueryableIndex ours = write("ours", spec)) {
      // These depend on the kind of index little: a few of them otherwise.
      final boolean isDefault = kind.equals("default");
      final List<Boolean> both = List.of(false, true);
      compare(
          theirs,
          ours,
          Iterables.concat(
              questions(),
              everyNth(isDefault ? 1 : Tier.pick(5, 1), rangesAndVirtualColumns()),
              everyNth(isDefault ? Tier.pick(2, 1) : Tier.pick(11, 5), negatedAmongOthers())
          ),
          number -> Tier.pick(List.of(!isDefault || number % 5 % 2 == 0), both)
      );
    }
  }

  private static List<Question> everyNth(int step, List<Question> questions) {
    return IntStream.range(0, questions.size()).filter(i -> i % step == 0).mapToObj(questions::get).toList();
  }

  /**
   * Compares answers.
   *
   * @param areAggregates by the number of a question whether its rows are read, or aggregated, or each of them
   */
  private static void compare(
      QueryableIndex stock,
      QueryableIndex ours,
      Iterable<Question> questions,
      IntFunction<List<Boolean>> areAggregates
  ) {
    final List<String> differences = new ArrayList<>();
    int found = 0;
    int number = 0;
    for (Question question : questions) {
      for (boolean isAggregate : areAggregates.apply(number++)) {
        final CursorBuildSpec spec = spec(question, isAggregate);
        final List<Long> byRow = CursorRows.longsRowByRow(stock, ColumnHolder.TIME_COLUMN_NAME, spec);
        found += byRow.isEmpty() ? 0 : 1;
        if (!byRow.equals(CursorRows.longsRowByRow(ours, ColumnHolder.TIME_COLUMN_NAME, spec))) {
          differences.add("by row: " + question.filter() + ", " + question.virtualColumns());
        }
        if (!Objects.equals(
            CursorRows.longsByVectorsAlone(stock, ColumnHolder.TIME_COLUMN_NAME, spec),
            CursorRows.longsByVectorsAlone(ours, ColumnHolder.TIME_COLUMN_NAME, spec))) {
          differences.add("by vector: " + question.filter() + ", " + question.virtualColumns());
        }
      }
    }
    assertEquals(List.of(), differences);
    assertFalse(found < 50, "too few have rows to prove anything");
  }

  @Test
  void findTheLongsThatDruidFindsByABound() {
    try (QueryableIndex stock = write("stock", TestSegments.STOCK); QueryableIndex ours = write("ours", DEFAULT)) {
      compare(stock, ours, boundsOfLongs(), number -> List.of(true));
    }
  }

  /** As one of another extension may be, alone or among others. */
  @Test
  void filtersWithoutColumns() {
    final Filter unknown = new SelectorFilter("l", "5") {
      @Nullable
      @Override
      @SuppressWarnings("NullableProblems") // Druid lets it pass.
      public Set<String> getRequiredColumns() {
        return null;
      }
    };
    try (QueryableIndex stock = write("stock", TestSegments.STOCK); QueryableIndex ours = write("ours", DEFAULT)) {
      for (Filter filter : List.of(
          unknown,
          new NotFilter(unknown),
          new AndFilter(List.of(unknown, new SelectorFilter("s", "abc1"))),
          new OrFilter(List.of(new SelectorFilter("s", "x7"), new NotFilter(unknown))))) {
        final CursorBuildSpec asked = CursorBuildSpec.builder().setFilter(filter).build();
        final List<Object> rows = CursorRows.rowByRow(stock, List.of("__time"), asked);
        assertFalse(rows.isEmpty());
        assertEquals(rows, CursorRows.rowByRow(ours, List.of("__time"), asked));
      }
    }
  }

  private static CursorBuildSpec spec(Question question, boolean isAggregate) {
    final CursorBuildSpec.CursorBuildSpecBuilder spec = CursorBuildSpec
        .builder()
        .setFilter(question.filter().toFilter())
        .setVirtualColumns(VirtualColumns.create(question.virtualColumns()));
    return isAggregate ? spec.setAggregators(List.<AggregatorFactory>of(new CountAggregatorFactory("n"))).build()
                       : spec.build();
  }
}
