// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.index.KeyIndex;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.LongMaxAggregatorFactory;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.InDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.TypedInFilter;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ConciseBitmapSerdeFactory;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.filter.AndFilter;
import org.apache.druid.segment.filter.NotFilter;
import org.apache.druid.segment.filter.OrFilter;
import org.apache.druid.segment.filter.SelectorFilter;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.index.semantic.ValueSetIndexes;
import org.apache.druid.segment.vector.VectorCursor;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters on columns that have a hash index find the rows that they find in Druid's own columns. */
@ExtendWith(RandomData.Seeded.class)
class HashIndexSegmentTest {
  private static final int NUM_ROWS = 3000;
  private static final String PROJECTION = "byFew";
  private static final Set<String> INDEXED =
      new TreeSet<>(Set.of("unique", "uniqueOrNull", "few", "onlyNull", "most", "double", "word", "none such"));
  /** Those of longs that get an index. */
  private static final List<String> LONGS = List.of("unique", "uniqueOrNull", "few", "onlyNull", "most");

  @TempDir
  private File folder;

  private static IndexSpec spec(BitmapSerdeFactory bitmaps, Set<String> hashIndexes) {
    final EncodingStrategy strategy =
        EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
    return ShapeShiftIndexSpec.of(
        stock(bitmaps), TestSegments.withHashIndexes(strategy, hashIndexes));
  }

  private static IndexSpec stock(BitmapSerdeFactory bitmaps) {
    return IndexSpec.builder().withBitmapSerdeFactory(bitmaps).build();
  }

  private static IncrementalIndex inMemory(RandomData random, int numRows) {
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < numRows; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(1000L * i).toString());
      row.put("unique", unique(i));
      row.put("uniqueOrNull", random.nextInt(3) == 0 ? null : unique(i));
      row.put("few", random.nextInt(20) == 0 ? null : (long) random.nextInt(20));
      row.put("onlyNull", null);
      row.put("m", i % 4 == 0 ? null : random.nextInt(2000));
      row.put("double", i / 2.0);
      row.put("word", "word" + i);
      rows.add(row);
    }
    return TestSegments.rowsInMemory(
        IncrementalIndexSchema
            .builder()
            .withDimensionsSpec(new DimensionsSpec(List.of(
                new LongDimensionSchema("unique"),
                new LongDimensionSchema("uniqueOrNull"),
                new LongDimensionSchema("few"),
                new LongDimensionSchema("onlyNull"),
                new DoubleDimensionSchema("double"),
                new StringDimensionSchema("word")
            )))
            .withMetrics(new AggregatorFactory[] {new LongMaxAggregatorFactory("most", "m")})
            .withRollup(false)
            .withProjections(List.of(
                AggregateProjectionSpec
                    .builder(PROJECTION)
                    .groupingColumns(new LongDimensionSchema("uniqueOrNull"), new LongDimensionSchema("few"))
                    .aggregators(new LongMaxAggregatorFactory("most", "most"))
                    .build()
            ))
            .build(),
        rows
    );
  }

  private static long unique(int i) {
    return i * 0x9E37_79B9_7F4AL % (1L << 50);
  }

  /** For each column filters for values that it has, and that it has not, in all words that Druid has for them. */
  private static List<Filter> filters(RandomData random) {
    final List<Filter> filters = new ArrayList<>();
    for (String column : LONGS) {
      final List<Object> values = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        values.add(unique(random.nextInt(NUM_ROWS)));
        values.add((long) random.nextInt(30));
      }
      for (Object value : values) {
        filters.add(new EqualityFilter(column, ColumnType.LONG, value, null));
        filters.add(new SelectorFilter(column, value.toString()));
      }
      final Object value = values.get(1);
      filters.add(new NotFilter(new EqualityFilter(column, ColumnType.LONG, value, null)));
      filters.add(new NotFilter(new SelectorFilter(column, value.toString())));
      filters.add(new EqualityFilter(column, ColumnType.DOUBLE, ((Long) value).doubleValue(), null));
      filters.add(new EqualityFilter(column, ColumnType.DOUBLE, 3.5, null));
      filters.add(new NotFilter(new EqualityFilter(column, ColumnType.DOUBLE, 3.5, null)));
      filters.add(new EqualityFilter(column, ColumnType.FLOAT, 3f, null));
      filters.add(new EqualityFilter(column, ColumnType.STRING, value.toString(), null));
      for (String text : List.of("3.0", "3.5", "+3", "03", " 3", "three", "1e1", "9223372036854775808")) {
        filters.add(new EqualityFilter(column, ColumnType.STRING, text, null));
        filters.add(new SelectorFilter(column, text));
        filters.add(new NotFilter(new SelectorFilter(column, text)));
        filters.add(new InDimFilter(column, new HashSet<>(Arrays.asList(text, "5")), null).toFilter());
        filters.add(typedIn(column, ColumnType.STRING, new ArrayList<>(new TreeSet<>(List.of(text, "5")))));
      }
      filters.add(new EqualityFilter(column, ColumnType.LONG_ARRAY, new Object[] {3L}, null));
      filters.add(new SelectorFilter(column, null));
      filters.add(NullFilter.forColumn(column));
      final Set<String> texts = new HashSet<>();
      values.forEach(each -> texts.add(each.toString()));
      filters.add(new InDimFilter(column, texts, null).toFilter());
      filters.add(new NotFilter(new InDimFilter(column, texts, null).toFilter()));
      final Set<String> textsOrNull = new HashSet<>(texts);
      textsOrNull.add(null);
      filters.add(new InDimFilter(column, textsOrNull, null).toFilter());
      filters.add(new NotFilter(new InDimFilter(column, textsOrNull, null).toFilter()));
      filters.add(typedIn(column, ColumnType.LONG, values));
      filters.add(new NotFilter(typedIn(column, ColumnType.LONG, values)));
      filters.add(typedIn(column, ColumnType.LONG, Arrays.asList(null, 3L, 4L)));
      filters.add(new NotFilter(typedIn(column, ColumnType.LONG, Arrays.asList(null, 3L, 4L))));
      filters.add(typedIn(column, ColumnType.DOUBLE, List.of(3.0, 4.5)));
      // More than are worth it.
      final List<Object> many = new ArrayList<>();
      for (int i = 0; i < NUM_ROWS; i += 7) {
        many.add(unique(i));
      }
      filters.add(typedIn(column, ColumnType.LONG, many));
      final Filter range = new RangeFilter(column, ColumnType.LONG, 5L, 1L << 48, false, true, null);
      filters.add(new AndFilter(List.of(range, typedIn(column, ColumnType.LONG, values))));
      filters.add(new OrFilter(List.of(range, new EqualityFilter(column, ColumnType.LONG, value, null))));
      filters.add(new AndFilter(List.of(
          new SelectorFilter("word", "word17"), new EqualityFilter(column, ColumnType.LONG, unique(17), null))));
    }
    return filters;
  }

  private static Filter typedIn(String column, ColumnType type, List<?> values) {
    return new TypedInFilter(column, type, values, null, null);
  }

  private static CursorBuildSpec spec(Filter filter) {
    return CursorBuildSpec.builder().setFilter(filter).build();
  }

  private static List<Long> byRow(QueryableIndex index, Filter filter, String column) {
    final List<Long> values = new ArrayList<>();
    try (CursorHolder holder = CursorRows.open(index, spec(filter))) {
      final Cursor cursor = holder.asCursor();
      final var selector = cursor.getColumnSelectorFactory().makeColumnValueSelector(column);
      for (; !cursor.isDone(); cursor.advance()) {
        values.add(selector.isNull() ? null : selector.getLong());
      }
    }
    return values;
  }

  private static List<Long> byVector(QueryableIndex index, Filter filter, String column) {
    final List<Long> values = new ArrayList<>();
    try (CursorHolder holder = CursorRows.open(index, spec(filter))) {
      assertTrue(holder.canVectorize(), filter::toString);
      final VectorCursor cursor = holder.asVectorCursor();
      final var selector = cursor.getColumnSelectorFactory().makeValueSelector(column);
      for (; !cursor.isDone(); cursor.advance()) {
        @Nullable final boolean[] nulls = selector.getNullVector();
        for (int i = 0; i < cursor.getCurrentVectorSize(); i++) {
          values.add(nulls != null && nulls[i] ? null : selector.getLongVector()[i]);
        }
      }
    }
    return values;
  }

  private static void assertSameRows(QueryableIndex stock, QueryableIndex ours, String column, RandomData random) {
    for (Filter filter : filters(random)) {
      // A projection lacks columns.
      if (filter.getRequiredColumns().stream().allMatch(required -> stock.getColumnHolder(required) != null)) {
        assertEquals(byRow(stock, filter, column), byRow(ours, filter, column), filter::toString);
        assertEquals(byVector(stock, filter, column), byVector(ours, filter, column), filter::toString);
      }
    }
  }

  private static void assertIndexed(QueryableIndex index, List<String> columns) {
    for (String column : columns) {
      final ColumnIndexSupplier indexes = SegmentAssertions.queried(index, column);
      assertNotNull(indexes.as(KeyIndex.class), column);
      assertNotNull(indexes.as(ValueIndexes.class).forValue(3L, ColumnType.LONG), column);
      assertNotNull(indexes.as(NullValueIndex.class), column);
      assertFalse(index.getColumnHolder(column).getCapabilities().hasBitmapIndexes(), column);
    }
  }

  private void assertSameAsStock(File stockFile, File ourFile, RandomData random) throws IOException {
    SegmentAssertions.assertSameContent(stockFile, ourFile, List.of(PROJECTION));
    try (QueryableIndex stock = TestSegments.open(stockFile); QueryableIndex ours = TestSegments.open(ourFile)) {
      assertIndexed(ours, LONGS);
      assertNotNull(ours.getColumnHolder("double").getIndexSupplier().as(KeyIndex.class));
      assertNull(stock.getColumnHolder("unique").getIndexSupplier().as(ValueIndexes.class));
      assertNull(ours.getColumnHolder(ColumnHolder.TIME_COLUMN_NAME).getIndexSupplier().as(KeyIndex.class));
      assertSameRows(stock, ours, "unique", random);
      final QueryableIndex projection = ours.getProjectionQueryableIndex(PROJECTION);
      assertIndexed(projection, List.of("uniqueOrNull", "few", "most"));
      assertSameRows(stock.getProjectionQueryableIndex(PROJECTION), projection, "uniqueOrNull", random);
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void persisted(Version version, RandomData random) throws IOException {
    final IncrementalIndex rows = inMemory(random, NUM_ROWS);
    int combination = version.ordinal();
    for (BitmapSerdeFactory bitmaps
        : List.of(RoaringBitmapSerdeFactory.getInstance(), new ConciseBitmapSerdeFactory())) {
      if (!Tier.tries(combination++, 2)) {
        continue;
      }
      final String name = bitmaps.getClass().getSimpleName();
      assertSameAsStock(
          TestSegments.persist(rows, new File(folder, "stock" + name), stock(bitmaps), version),
          TestSegments.persist(rows, new File(folder, "ours" + name), spec(bitmaps, INDEXED), version),
          random
      );
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void oneRow(Version version, RandomData random) throws IOException {
    final IncrementalIndex rows = inMemory(random, 1);
    final BitmapSerdeFactory bitmaps = RoaringBitmapSerdeFactory.getInstance();
    assertSameAsStock(
        TestSegments.persist(rows, new File(folder, "stock"), stock(bitmaps), version),
        TestSegments.persist(rows, new File(folder, "ours"), spec(bitmaps, INDEXED), version),
        random
    );
  }

  /** Of segments with hash indexes, without, and Druid's own. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void merged(Version version, RandomData random) throws IOException {
    final BitmapSerdeFactory bitmaps = RoaringBitmapSerdeFactory.getInstance();
    final List<IndexSpec> specs =
        List.of(stock(bitmaps), spec(bitmaps, INDEXED), spec(bitmaps, Set.of()), spec(bitmaps, Set.of("few")));
    final List<QueryableIndex> inputs = new ArrayList<>();
    for (IndexSpec spec : specs) {
      final File directory = new File(folder, "input" + inputs.size());
      inputs.add(TestSegments.open(
          TestSegments.persist(inMemory(random, NUM_ROWS / specs.size()), directory, spec, version)));
    }
    try {
      assertSameAsStock(
          merge(inputs, stock(bitmaps), "stock", version),
          merge(inputs, spec(bitmaps, INDEXED), "ours", version),
          random
      );
      // What has an index loses it where none is asked for.
      try (QueryableIndex without = TestSegments.open(merge(inputs, spec(bitmaps, Set.of()), "without", version))) {
        assertNull(without.getColumnHolder("unique").getIndexSupplier().as(KeyIndex.class));
      }
    } finally {
      inputs.forEach(QueryableIndex::close);
    }
  }

  private File merge(List<QueryableIndex> inputs, IndexSpec spec, String name, Version version) throws IOException {
    return TestSegments.merge(
        inputs,
        new AggregatorFactory[] {new LongMaxAggregatorFactory("most", "most")},
        null,
        false,
        new File(folder, name),
        spec,
        version
    );
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void theTime(Version version, RandomData random) throws IOException {
    final File file = TestSegments.persist(
        inMemory(random, NUM_ROWS),
        new File(folder, "ours"),
        spec(RoaringBitmapSerdeFactory.getInstance(), Set.of(ColumnHolder.TIME_COLUMN_NAME)),
        version
    );
    try (QueryableIndex index = TestSegments.open(file)) {
      assertIndexed(index, List.of(ColumnHolder.TIME_COLUMN_NAME));
      final Filter filter = new EqualityFilter(ColumnHolder.TIME_COLUMN_NAME, ColumnType.LONG, 17_000L, null);
      assertEquals(List.of(unique(17)), byRow(index, filter, "unique"));
    }
  }

  /** Few rows that are left are matched, and for many values all rows are scanned. */
  @ParameterizedTest
  @EnumSource(Version.class)
  @SuppressWarnings("deprecation") // Druid still asks for StringValueSetIndexes.
  void anIndexIsUsedWhereItIsFaster(Version version, RandomData random) throws IOException {
    final BitmapSerdeFactory bitmaps = RoaringBitmapSerdeFactory.getInstance();
    final File file = TestSegments.persist(
        inMemory(random, NUM_ROWS), new File(folder, "ours"), spec(bitmaps, INDEXED), version);
    try (QueryableIndex index = TestSegments.open(file)) {
      final ColumnIndexSupplier indexes = SegmentAssertions.queried(index, "unique");
      final BitmapColumnIndex one = indexes.as(ValueIndexes.class).forValue(unique(5), ColumnType.LONG);
      final var results = new DefaultBitmapResultFactory(bitmaps.getBitmapFactory());
      assertEquals(1, one.estimatedComputeCost());
      assertEquals(1, one.computeBitmapResult(results, NUM_ROWS, NUM_ROWS, false).size());
      assertEquals(1, one.computeBitmapResult(results, 500, NUM_ROWS, false).size());
      assertNull(one.computeBitmapResult(results, 5, NUM_ROWS, false));
      assertEquals(1, one.computeBitmapResult(results, false).size());
      final ValueSetIndexes sets = indexes.as(ValueSetIndexes.class);
      final List<Long> values = new ArrayList<>(List.of(unique(1), unique(2)));
      assertEquals(2, sets.forSortedValues(values, ColumnType.LONG).estimatedComputeCost());
      for (int i = 3; i < 100; i++) {
        values.add(unique(i));
      }
      // By a scan.
      assertEquals(1, sets.forSortedValues(values, ColumnType.LONG).estimatedComputeCost());
      final var ofTexts = indexes.as(org.apache.druid.segment.index.semantic.StringValueSetIndexes.class);
      assertEquals(1, ofTexts.forValue("1").estimatedComputeCost());
      assertNull(ofTexts.forValue("1.0"));
    }
  }
}
