// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.index.semantic.ArrayElementIndexes;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The indexes of columns of type {@code auto} in segments, as posting lists and as Druid's own bitmaps. */
@ExtendWith(RandomData.Seeded.class)
@Tag("slow")
class AutoIndexTest {
  private static final int NUM_ROWS = 700;
  private static final String PROJECTION = "bySome";
  private static final String EMPTY_PROJECTION = "empty";
  private static final List<String> PROJECTED =
      List.of("fewWords", "manyWords", "fewLongs", "fewDoubles", "onlyNullLongs", "words[]", "wordsOrLongs");

  /** By name of a column what makes the value of a row. */
  private static final Map<String, Values> COLUMNS = new TreeMap<>(Map.ofEntries(
      Map.entry("fewWords", (random, row) -> orNull(random, random.nextInt(4) == 0 ? "" : word(random, 6))),
      Map.entry("manyWords", (random, row) -> word(random, 500)),
      Map.entry("uniqueWords", (random, row) -> "u" + row * 457 % NUM_ROWS),
      Map.entry("sortedWords", (random, row) -> "s" + (100 + row / 40)),
      Map.entry("oneWord", (random, row) -> "w1"),
      Map.entry("rareWord", (random, row) -> row == 33 ? "w1" : null),
      Map.entry("onlyNull", (random, row) -> null),
      Map.entry("fewLongs", (random, row) -> orNull(random, (long) random.between(-2, 2))),
      Map.entry("manyLongs", (random, row) -> (long) random.between(-1500, 1500)),
      Map.entry("uniqueLongs", (random, row) -> row * 457L % NUM_ROWS),
      Map.entry("sortedLongs", (random, row) -> row < 90 ? null : row / 40L),
      Map.entry("oneLong", (random, row) -> 1L),
      Map.entry("onlyNullLongs", (random, row) -> null),
      Map.entry("fewDoubles", (random, row) -> orNull(random, random.between(-2, 2) / 2.0)),
      Map.entry("manyDoubles", (random, row) -> random.between(-1500, 1500) / 2.0),
      Map.entry("uniqueDoubles", (random, row) -> row * 457 % NUM_ROWS / 2.0),
      Map.entry("oneDouble", (random, row) -> 1.5),
      Map.entry("onlyNullDoubles", (random, row) -> null),
      Map.entry("words[]", (random, row) -> orNull(random, array(random, i -> orNull(random, word(i, 5))))),
      Map.entry("longs[]", (random, row) -> array(random, i -> orNull(random, (long) i.nextInt(4)))),
      Map.entry("doubles[]", (random, row) -> orNull(random, array(random, i -> i.nextInt(4) / 2.0))),
      Map.entry("wordsOrLongs", (random, row) -> orNull(random, either(random, word(random, 9), random.nextInt(9)))),
      Map.entry("mixed", (random, row) -> either(random, array(random, i -> (long) i.nextInt(4)), word(random, 9)))
  ));

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  @TempDir
  private File folder;

  /** Makes the value of a row. */
  private interface Values {
    @Nullable
    Object of(RandomData random, int row);
  }

  @Nullable
  private static <T> T orNull(RandomData random, T value) {
    return random.nextInt(3) == 0 ? null : value;
  }

  private static Object either(RandomData random, Object one, Object other) {
    return random.nextInt(2) == 0 ? one : other;
  }

  private static String word(RandomData random, int count) {
    return "w" + random.nextInt(count);
  }

  private static List<Object> array(RandomData random, Function<RandomData, Object> element) {
    final List<Object> array = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      array.add(element.apply(random));
    }
    return array;
  }

  private static IncrementalIndexSchema schema() {
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(COLUMNS.keySet().stream().map(AutoIndexTest::dimension).toList()))
        .withRollup(false)
        .withProjections(List.of(
            AggregateProjectionSpec
                .builder(PROJECTION)
                .groupingColumns(PROJECTED.stream().map(AutoIndexTest::dimension).toList())
                .aggregators(new CountAggregatorFactory("count"))
                .build(),
            AggregateProjectionSpec
                .builder(EMPTY_PROJECTION)
                .filter(new SelectorDimFilter("fewWords", "none such", null))
                .groupingColumns(PROJECTED.stream().map(AutoIndexTest::dimension).toList())
                .aggregators(new CountAggregatorFactory("count"))
                .build()
        ))
        .build();
  }

  private static DimensionSchema dimension(String column) {
    return switch (column) {
      case "onlyNullLongs" -> new AutoTypeColumnSchema(column, ColumnType.LONG, null);
      case "onlyNullDoubles" -> new AutoTypeColumnSchema(column, ColumnType.DOUBLE, null);
      default -> AutoTypeColumnSchema.of(column);
    };
  }

  private static IncrementalIndex inMemory(RandomData random, int hour, int count) {
    return TestSegments.rowsInMemory(schema(), IntStream.range(0, count).mapToObj(row -> {
      final Map<String, Object> values = new HashMap<>();
      values.put("time", DateTimes.of("2026-01-01T00:00:00Z").plusHours(hour).plusMillis(row).toString());
      COLUMNS.forEach((column, value) -> values.put(column, value.of(random, row)));
      return values;
    }).toList());
  }

  private static IndexSpec stock(BitmapSerdeFactory bitmaps) {
    return IndexSpec.builder().withBitmapSerdeFactory(bitmaps).build();
  }

  /** An indexSpec by which columns of some types shape-shift, for any target. */
  private static IndexSpec ours(BitmapSerdeFactory bitmaps, RandomData random, List<EncodedType> types) {
    final Map<EncodedType, EncodingStrategy> strategies = new HashMap<>();
    for (EncodedType type : types) {
      final OptimizationTarget target = random.oneOf(List.of(OptimizationTarget.values()));
      strategies.put(type, EncodingStrategy.shapeShift(target, BlockSize.LARGE));
    }
    return ShapeShiftIndexSpec.of(stock(bitmaps), new EncodingStrategies(null, strategies));
  }

  private static List<Arguments> specs() {
    return Tier.oneIn(3, IndexComparison.serdes().flatMap(bitmaps -> Stream.of(Version.values()).flatMap(
        version -> Stream.of(
            Arguments.of(version, bitmaps, List.of(EncodedType.INDEX)),
            Arguments.of(version, bitmaps, List.of(EncodedType.values()))
        )
    )));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void answersAsDruidDoes(Version version, BitmapSerdeFactory bitmaps, List<EncodedType> types, RandomData random)
      throws IOException {
    for (int count : new int[] {1, NUM_ROWS}) {
      final IncrementalIndex rows = inMemory(random, 0, count);
      compare(
          TestSegments.persist(rows, new File(folder, "stock" + count), stock(bitmaps), version),
          TestSegments.persist(rows, new File(folder, "ours" + count), ours(bitmaps, random, types), version),
          true,
          bitmaps,
          random
      );
    }
  }

  /** Lists that Druid merges into bitmaps, and lists and bitmaps that are merged into lists. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void mergedAnswersAsDruidDoes(Version version, RandomData random) throws IOException {
    final BitmapSerdeFactory bitmaps = random.oneOf(IndexComparison.serdes().toList());
    final List<File> stock = new ArrayList<>();
    final List<File> ours = new ArrayList<>();
    for (int hour = 0; hour < 2; hour++) {
      final IncrementalIndex rows = inMemory(random, hour, NUM_ROWS / 2);
      final IndexSpec spec = ours(bitmaps, random, List.of(EncodedType.values()));
      stock.add(TestSegments.persist(rows, new File(folder, "stock" + hour), stock(bitmaps), version));
      ours.add(TestSegments.persist(rows, new File(folder, "ours" + hour), spec, version));
    }
    final File reference = merge(stock, "reference", stock(bitmaps), version);
    final IndexSpec spec = ours(bitmaps, random, List.of(EncodedType.INDEX));
    compare(reference, merge(ours, "intoBitmaps", stock(bitmaps), version), false, bitmaps, random);
    compare(reference, merge(ours, "intoLists", spec, version), true, bitmaps, random);
    compare(reference, merge(List.of(ours.get(0), stock.get(1)), "ofBoth", spec, version), true, bitmaps, random);
  }

  private File merge(List<File> inputs, String name, IndexSpec spec, Version version) throws IOException {
    return TestSegments.mergeFiles(
        inputs,
        new AggregatorFactory[0],
        schema().getDimensionsSpec(),
        false,
        new File(folder, name),
        spec,
        version
    );
  }

  private static void compare(
      File expected,
      File actual,
      boolean isShapeShifting,
      BitmapSerdeFactory bitmaps,
      RandomData random
  ) throws IOException {
    try (QueryableIndex expectedIndex = TestSegments.open(expected);
         QueryableIndex actualIndex = TestSegments.open(actual)) {
      for (String column : COLUMNS.keySet()) {
        compare(expectedIndex, actualIndex, column, false, isShapeShifting, bitmaps, random);
      }
      for (String projection : List.of(PROJECTION, EMPTY_PROJECTION)) {
        for (String column : PROJECTED) {
          compare(
              expectedIndex.getProjectionQueryableIndex(projection),
              actualIndex.getProjectionQueryableIndex(projection),
              column,
              true,
              isShapeShifting,
              bitmaps,
              random
          );
        }
      }
    }
  }

  private static void compare(
      QueryableIndex expected,
      QueryableIndex actual,
      String column,
      boolean isProjection,
      boolean isShapeShifting,
      BitmapSerdeFactory bitmaps,
      RandomData random
  ) {
    final ColumnIndexSupplier stock = expected.getColumnHolder(column).getIndexSupplier();
    final ColumnIndexSupplier ours = actual.getColumnHolder(column).getIndexSupplier();
    if (isShapeShifting) {
      assertNotEquals(stock.getClass(), ours.getClass(), column);
    } else {
      assertEquals(stock.getClass(), ours.getClass(), column);
    }
    @Nullable final DictionaryEncodedStringValueIndex values = stock.as(DictionaryEncodedStringValueIndex.class);
    final IndexComparison comparison = new IndexComparison(
        stock,
        ours,
        bitmaps.getBitmapFactory(),
        expected.getNumRows(),
        values == null ? 0 : values.getCardinality(),
        random
    );
    comparison.assertSameKinds();
    if (stock.as(ValueIndexes.class) == null) {
      // Of mixed types Druid has the index of nulls alone.
      return;
    }
    final ColumnType type = expected.getColumnHolder(column).getCapabilities().toColumnType();
    for (int i = Tier.pick(2, 40); i > 0; i--) {
      if (type.equals(ColumnType.STRING)) {
        StringIndexSupplierTest.compareFilters(comparison, values(values, text -> text), random);
      } else if (type.equals(ColumnType.LONG)) {
        NumberIndexSuppliersTest.compareFilters(
            comparison, values(values, Long::valueOf), type, NumberIndexSuppliersTest::randomLong, random);
      } else if (type.equals(ColumnType.DOUBLE)) {
        NumberIndexSuppliersTest.compareFilters(
            comparison, values(values, Double::valueOf), type, NumberIndexSuppliersTest::randomDouble, random);
      } else {
        compareArrays(comparison, column, type, isProjection, random);
      }
    }
  }

  private static <T> List<T> values(DictionaryEncodedStringValueIndex index, Function<String, T> parse) {
    final List<T> values = new ArrayList<>();
    for (int id = 0; id < index.getCardinality(); id++) {
      @Nullable final String text = index.getValue(id);
      values.add(text == null ? null : parse.apply(text));
    }
    return values;
  }

  private static void compareArrays(
      IndexComparison comparison,
      String column,
      ColumnType type,
      boolean isProjection,
      RandomData random
  ) {
    for (int row = 0; row < Tier.pick(10, 30); row++) {
      // A single row of mixed types is of one type.
      if (!(COLUMNS.get(column).of(random, row) instanceof List<?> array)) {
        continue;
      }
      comparison.assertSame("= " + array, ValueIndexes.class, index -> index.forValue(array.toArray(), type));
      comparison.assertSame("= no array", ValueIndexes.class, index -> index.forValue("w1", ColumnType.STRING));
      // Druid 37 leaves the index of arrays' elements empty in projections, and fails to read it.
      for (Object element : isProjection ? List.of() : array) {
        comparison.assertSame(
            "contains " + element,
            ArrayElementIndexes.class,
            index -> index.containsValue(element, (ColumnType) type.getElementType())
        );
      }
      if (!isProjection) {
        comparison.assertSame(
            "contains 3", ArrayElementIndexes.class, index -> index.containsValue(3L, ColumnType.LONG));
        comparison.assertSame(
            "contains w9", ArrayElementIndexes.class, index -> index.containsValue("w9", ColumnType.STRING));
      }
    }
  }
}
