// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.metrics.Totals;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.OrDimFilter;
import org.apache.druid.query.search.ContainsSearchQuerySpec;
import org.apache.druid.query.search.InsensitiveContainsSearchQuerySpec;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumn;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.filter.NotFilter;
import org.apache.druid.segment.filter.RegexFilter;
import org.apache.druid.segment.filter.SearchQueryFilter;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.virtual.NestedFieldVirtualColumn;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters for parts of texts find the same rows in columns with text indexes as in Druid's own columns. */
@ExtendWith(RandomData.Seeded.class)
class TextIndexSegmentTest {
  private static final int NUM_ROWS = 4000;
  private static final List<String> COLUMNS = List.of("plain", "several", "auto", "nested");
  private static final VirtualColumn FIELD_COLUMN = new NestedFieldVirtualColumn("nested", "$.text", "field");
  private static final VirtualColumns FIELD = VirtualColumns.create(FIELD_COLUMN);
  /** Random expressions per part. */
  private static final int EXPRESSIONS = Tier.pick(10, 200);

  static {
    ExpressionProcessing.initializeForTests();
  }

  @TempDir
  private File folder;

  private static IndexSpec spec(boolean isIndexed) {
    final EncodingStrategy strategy = EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(strategy, Map.of()).withColumns(COLUMNS.stream().collect(Collectors.toMap(
            Function.identity(), column -> new ColumnOptions(new TypeStrategies(null, Map.of()), null, isIndexed))))
    );
  }

  private static String text(RandomData random, List<String> words) {
    return "https://www." + random.oneOf(words) + ".example/" + random.oneOf(words) + "/" + random.oneOf(words) + "?id="
        + random.nextInt(100_000);
  }

  private static IncrementalIndex inMemory(RandomData random, List<String> words) {
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < NUM_ROWS; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(1000L * i).toString());
      row.put("row", (long) i);
      row.put("plain", random.nextInt(20) == 0 ? null : text(random, words));
      row.put("several", Arrays.asList(text(random, words), text(random, words), null).subList(0, random.nextInt(4)));
      row.put("auto", random.nextInt(20) == 0 ? null : text(random, words));
      row.put("nested", random.nextInt(20) == 0 ? Map.of() : Map.of("text", text(random, words), "number", i));
      rows.add(row);
    }
    return TestSegments.rowsInMemory(
        IncrementalIndexSchema
            .builder()
            .withDimensionsSpec(new DimensionsSpec(List.of(
                new LongDimensionSchema("row"),
                new StringDimensionSchema("plain"),
                new StringDimensionSchema("several"),
                AutoTypeColumnSchema.of("auto"),
                AutoTypeColumnSchema.of("nested")
            )))
            .withRollup(false)
            .build(),
        rows
    );
  }

  private static List<Filter> filters(String column, String part) {
    final Filter like = new LikeDimFilter(column, "%" + part + "%", null, null).toFilter();
    return List.of(
        like,
        new NotFilter(like),
        new LikeDimFilter(column, "https%" + part + "_%=%1%", null, null).toFilter(),
        new SearchQueryFilter(column, new ContainsSearchQuerySpec(part, true), null, null),
        new SearchQueryFilter(column, new InsensitiveContainsSearchQuerySpec(part.toUpperCase()), null, null),
        new RegexFilter(column, Pattern.compile(Pattern.quote(part) + "|none"), null, null),
        new RegexFilter(column, Pattern.compile(part.replaceAll("\\W", ".") + "[0-9a-z]+"), null, null)
    );
  }

  private static List<Long> rows(QueryableIndex index, VirtualColumns columns, Filter filter) {
    final List<Long> rows = new ArrayList<>();
    try (CursorHolder holder = CursorRows.open(
        index, CursorBuildSpec.builder().setFilter(filter).setVirtualColumns(columns).build())) {
      final Cursor cursor = holder.asCursor();
      final var selector = cursor.getColumnSelectorFactory().makeColumnValueSelector("row");
      for (; !cursor.isDone(); cursor.advance()) {
        rows.add(selector.getLong());
      }
    }
    return rows;
  }

  private static long indexBytes() {
    final long[] sum = {0};
    Totals.forEach((metric, total) -> {
      if ("text indexes".equals(metric.dimensions().get("part"))) {
        sum[0] += total;
      }
    });
    return sum[0];
  }

  private static void assertSameRows(File stockFile, File ourFile, List<String> words, RandomData random) {
    int found = 0;
    int expressed = 0;
    try (QueryableIndex stock = TestSegments.open(stockFile); QueryableIndex ours = TestSegments.open(ourFile)) {
      for (String column : List.of("plain", "several", "auto", "field")) {
        for (int i = 0; i < 20; i++) {
          final String text = text(random, words);
          final int from = random.nextInt(text.length());
          final String part = text.substring(from, random.between(from + 1, Math.min(text.length(), from + 12)));
          for (Filter filter : filters(column, part)) {
            final List<Long> expected = rows(stock, FIELD, filter);
            assertEquals(expected, rows(ours, FIELD, filter), filter::toString);
            found += Math.min(1, expected.size());
          }
          expressed += assertSameRowsOfExpressions(stock, ours, column, part, random);
        }
      }
    }
    assertTrue(found > 100, found + " found rows");
    assertTrue(expressed > EXPRESSIONS * 20, expressed + " expressions found rows");
  }

  private static int assertSameRowsOfExpressions(
      QueryableIndex stock, QueryableIndex ours, String column, String part, RandomData random) {
    int found = 0;
    final List<String> parts = List.of(
        part, part, part.substring(part.length() / 2), part.toUpperCase(Locale.ROOT), "https", "", "?", ".example/");
    final TextExpressions expressions = new TextExpressions(random, () -> random.oneOf(parts), true);
    for (int i = 0; i < EXPRESSIONS; i++) {
      final boolean isVirtual = random.nextInt(2) == 0;
      final TextExpressions.Virtual virtual = expressions.virtual("v", column);
      final DimFilter filter = isVirtual ? virtual.filter() : expressions.filter(column);
      final VirtualColumns columns = isVirtual ? VirtualColumns.create(virtual.column(), FIELD_COLUMN) : FIELD;
      final DimFilter asked = random.oneOf(List.of(
          filter, new NotDimFilter(filter), new OrDimFilter(filter, new NullFilter(column, null))));
      final Object expected = orFailure(() -> rows(stock, columns, asked.toFilter()));
      assertEquals(
          expected, orFailure(() -> rows(ours, columns, asked.toFilter())), () -> asked + " of " + virtual.column());
      found += expected.equals(List.of()) ? 0 : 1;
    }
    return found;
  }

  /** The rows found, or the class of the exception of an expression. */
  private static Object orFailure(Supplier<List<Long>> rows) {
    try {
      return rows.get();
    } catch (RuntimeException e) {
      return e.getClass();
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void persistedAndMerged(Version version, RandomData random) throws IOException {
    final List<String> words = Stream.generate(() -> {
      final StringBuilder word = new StringBuilder();
      for (int i = random.between(4, 8); i > 0; i--) {
        word.append("etaoinshrdlucmfw".charAt(random.nextInt(16)));
      }
      return word.toString();
    }).limit(300).toList();
    final List<File> parts = new ArrayList<>();
    for (boolean isIndexed : new boolean[] {true, false}) {
      final IncrementalIndex rows = inMemory(random, words);
      final File stock =
          TestSegments.persist(rows, new File(folder, "stock" + isIndexed), TestSegments.STOCK, version);
      final long before = indexBytes();
      parts.add(TestSegments.persist(rows, new File(folder, "ours" + isIndexed), spec(isIndexed), version));
      assertEquals(isIndexed, indexBytes() > before);
      assertSameRows(stock, parts.get(parts.size() - 1), words, random);
    }
    final File stock = merge(parts, "stock", TestSegments.STOCK, version);
    final long before = indexBytes();
    final File ours = merge(parts, "ours", spec(true), version);
    assertTrue(indexBytes() > before + (1 << 16), indexBytes() + " after " + before);
    SegmentAssertions.assertSameContent(stock, ours, List.of());
    assertSameRows(stock, ours, words, random);
    final long withIndex = indexBytes();
    merge(List.of(ours), "without", spec(false), version);
    assertEquals(withIndex, indexBytes());
  }

  private File merge(List<File> parts, String name, IndexSpec spec, Version version) throws IOException {
    return TestSegments.mergeFiles(
        parts, new AggregatorFactory[0], null, false, new File(folder, "merged " + name), spec, version);
  }
}
