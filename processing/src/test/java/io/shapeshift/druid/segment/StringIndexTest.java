// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.NewSpatialDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.expression.TestExprMacroTable;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.ConciseBitmapSerdeFactory;
import org.apache.druid.segment.data.FrontCodedIndexed;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.virtual.ExpressionVirtualColumn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Columns of strings whose ids and indexes shape-shift, each or both, have the rows and the lists of rows that Druid's
 * have: {@link SegmentAssertions} compares them value by value.
 */
class StringIndexTest {
  private static final List<String> PROJECTIONS = List.of("byMulti", "byNullable", "byVirtual", "empty");
  private static final AggregatorFactory[] METRICS = {new CountAggregatorFactory("count")};
  private static final IndexSpec FRONT_CODED = IndexSpec
      .builder()
      .withStringDictionaryEncoding(new StringEncodingStrategy.FrontCoded(4, FrontCodedIndexed.V1))
      .build();
  private static final EncodingStrategy STRATEGY =
      EncodingStrategy.shapeShift(OptimizationTarget.SMALLER, BlockSize.SMALL);
  private static final int NUM_ROWS = Tier.pick(1500, 3000);

  static {
    // One of the projections has an expression.
    ExpressionProcessing.initializeForTests();
  }

  @TempDir
  private File folder;

  private static IncrementalIndexSchema schema(boolean rollup) {
    final List<DimensionSchema> dimensions = List.of(
        new StringDimensionSchema("few"),
        new StringDimensionSchema("unique"),
        new StringDimensionSchema("constant"),
        new StringDimensionSchema("nullable"),
        new StringDimensionSchema("emptyOrNull"),
        new StringDimensionSchema("sometimes"),
        new StringDimensionSchema("nullOnly"),
        new StringDimensionSchema("unindexed", null, false),
        new StringDimensionSchema("repeated", MultiValueHandling.ARRAY, true),
        new StringDimensionSchema("sorted", MultiValueHandling.SORTED_ARRAY, true),
        new StringDimensionSchema("multi", MultiValueHandling.SORTED_SET, true),
        new StringDimensionSchema("multiUnindexed", MultiValueHandling.ARRAY, false),
        new NewSpatialDimensionSchema("place", List.of("x", "y"))
    );
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(dimensions))
        .withMetrics(METRICS)
        .withQueryGranularity(rollup ? Granularities.HOUR : Granularities.NONE)
        .withRollup(rollup)
        .withProjections(List.of(
            AggregateProjectionSpec
                .builder("byMulti")
                .groupingColumns(
                    new StringDimensionSchema("multi", MultiValueHandling.SORTED_SET, true),
                    new StringDimensionSchema("few")
                )
                .aggregators(new CountAggregatorFactory("rows"))
                .build(),
            AggregateProjectionSpec
                .builder("byNullable")
                .groupingColumns(
                    new StringDimensionSchema("nullable"),
                    new StringDimensionSchema("unindexed", null, false),
                    new StringDimensionSchema("constant")
                )
                .aggregators(new CountAggregatorFactory("rows"))
                .build(),
            AggregateProjectionSpec
                .builder("bySometimes")
                .groupingColumns(new StringDimensionSchema("sometimes"), new StringDimensionSchema("few"))
                .aggregators(new CountAggregatorFactory("rows"))
                .build(),
            AggregateProjectionSpec
                .builder("byVirtual")
                .virtualColumns(VirtualColumns.create(new ExpressionVirtualColumn(
                    "multiVirtual",
                    "concat(multi, '!')",
                    ColumnType.STRING,
                    TestExprMacroTable.INSTANCE
                )))
                .groupingColumns(new StringDimensionSchema("multiVirtual"), new StringDimensionSchema("few"))
                .aggregators(new CountAggregatorFactory("rows"))
                .build(),
            AggregateProjectionSpec
                .builder("empty")
                .filter(new SelectorDimFilter("few", "none such", null))
                .groupingColumns(new StringDimensionSchema("few"), new StringDimensionSchema("nullable"))
                .aggregators(new CountAggregatorFactory("rows"))
                .build()
        ))
        .build();
  }

  /**
   * Rows of every shape.
   *
   * @param part rows of different parts have the same and other values, {@code sometimes} not at all in those of even
   *     parts, nulls of {@code nullable} only in those above 1
   */
  private static List<Map<String, Object>> rows(int part, int count, boolean rollup) {
    final Random random = new Random(part);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.of("2026-01-01T00:00:00Z").plusMillis(i).toString());
      row.put("few", "f" + (random.nextInt(3) + part));
      if (!rollup) {
        row.put("unique", "u" + i * 7919 % count + "." + part);
        row.put("x", random.nextInt(10));
        row.put("y", random.nextInt(10));
        row.put("repeated", switch (random.nextInt(4)) {
          case 0 -> null;
          case 1 -> List.of();
          case 2 -> Arrays.asList("r" + random.nextInt(20), null, "r" + part, "", "r" + part, null);
          default -> List.of("r" + random.nextInt(200));
        });
        row.put("sorted", Stream.generate(() -> "s" + random.nextInt(5)).limit(random.nextInt(8)).toList());
        row.put("multiUnindexed", List.of("a", "b" + random.nextInt(5)));
      }
      row.put("constant", "c");
      row.put("nullable", part > 1 && random.nextBoolean() ? null : "n" + random.nextInt(3));
      row.put("emptyOrNull", random.nextBoolean() ? "" : null);
      row.put("nullOnly", null);
      if (part % 2 == 1) {
        row.put("sometimes", "t" + random.nextInt(5));
      }
      row.put("unindexed", "v" + random.nextInt(2));
      row.put("multi", switch (random.nextInt(3)) {
        case 0 -> List.of();
        case 1 -> Arrays.asList("m0", null);
        default -> List.of("m" + part, "m" + random.nextInt(2));
      });
      rows.add(row);
    }
    return rows;
  }

  private static IncrementalIndex inMemory(int part, int count, boolean rollup) {
    return TestSegments.rowsInMemory(schema(rollup), rows(part, count, rollup));
  }

  /** An indexSpec by which some parts of columns of strings shape-shift. */
  private static IndexSpec spec(IndexSpec base, Set<StringColumnPart> parts) {
    final Map<EncodedType, EncodingStrategy> strategies = new HashMap<>();
    if (parts.contains(StringColumnPart.IDS)) {
      strategies.put(EncodedType.INT, STRATEGY);
    }
    if (parts.contains(StringColumnPart.INDEXES)) {
      strategies.put(EncodedType.INDEX, STRATEGY);
    }
    if (parts.contains(StringColumnPart.DICTIONARY)) {
      strategies.put(EncodedType.DICTIONARY, STRATEGY);
    }
    return ShapeShiftIndexSpec.of(base, new EncodingStrategies(null, strategies));
  }

  private static List<Set<StringColumnPart>> combinations() {
    return List.of(
        EnumSet.noneOf(StringColumnPart.class),
        EnumSet.of(StringColumnPart.IDS),
        EnumSet.of(StringColumnPart.INDEXES),
        EnumSet.of(StringColumnPart.DICTIONARY),
        EnumSet.allOf(StringColumnPart.class)
    );
  }

  /** Each version, and each combination of parts with one or both of them. */
  private static List<Arguments> versionsAndParts() {
    return Tier.oneIn(2, Stream.of(Version.values()).flatMap(
        version -> combinations().stream().map(parts -> Arguments.of(version, parts))
    ));
  }

  /** Asserts that the descriptors say what shape-shifts, of columns of each kind. */
  private static void assertParts(File directory, Set<StringColumnPart> asked) throws IOException {
    try (StoredSegment segment = StoredSegment.open(directory)) {
      int columns = 0;
      for (StoredSegment.Column column : segment.columns()) {
        // Druid stores a column of nulls as a mere note of that.
        if (!column.partType().endsWith("stringDictionary")) {
          continue;
        }
        columns++;
        final Set<StringColumnPart> expected = EnumSet.noneOf(StringColumnPart.class);
        expected.addAll(asked);
        // In projections Druid indexes more of a dimension with several values per row than it stores.
        final boolean isOfProjection = column.file().startsWith("byMulti") || column.file().startsWith("byVirtual");
        if (column.name().endsWith("nindexed")
            || column.name().equals("place")
            || (isOfProjection && column.name().startsWith("multi"))) {
          expected.remove(StringColumnPart.INDEXES);
        }
        if (column.name().equals("place")) {
          expected.remove(StringColumnPart.DICTIONARY);
        }
        assertEquals(
            expected.isEmpty() ? "stringDictionary" : ShapeShiftStringColumnPartSerde.TYPE,
            column.partType(),
            column.file()
        );
        assertEquals(
            expected.stream().map(StringColumnPart::json).toList(),
            StreamSupport.stream(column.part().path("parts").spliterator(), false).map(part -> part.asText()).toList(),
            column.file()
        );
      }
      assertTrue(columns > 8, "columns: " + columns);
    }
  }

  @ParameterizedTest
  @MethodSource("versionsAndParts")
  void persisted(Version version, Set<StringColumnPart> parts) throws IOException {
    final IncrementalIndex rows = inMemory(3, NUM_ROWS, false);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), spec(TestSegments.STOCK, parts), version);
    SegmentAssertions.assertSameContent(stock, ours, PROJECTIONS);
    assertParts(ours, parts);
    if (parts.isEmpty()) {
      assertEquals(bodies(stock), bodies(ours));
    }
  }

  private static Map<String, List<Byte>> bodies(File directory) throws IOException {
    try (StoredSegment segment = StoredSegment.open(directory)) {
      return segment.columns().stream().collect(Collectors.toMap(StoredSegment.Column::file, column -> {
        final List<Byte> bytes = new ArrayList<>();
        for (var body = column.body(); body.hasRemaining(); ) {
          bytes.add(body.get());
        }
        return bytes;
      }));
    }
  }

  /** Druid's ids are then stored in other ways, which the start of the column tells. */
  @ParameterizedTest
  @MethodSource("versionsAndParts")
  void withUncompressedIdsAndConcise(Version version, Set<StringColumnPart> parts) throws IOException {
    final IncrementalIndex rows = TestSegments.rowsInMemory(
        IncrementalIndexSchema
            .builder()
            .withDimensionsSpec(schema(false).getDimensionsSpec())
            .withMetrics(METRICS)
            .withRollup(false)
            .build(),
        rows(3, NUM_ROWS, false)
    );
    final IndexSpec base = IndexSpec
        .builder()
        .withDimensionCompression(CompressionStrategy.UNCOMPRESSED)
        .withBitmapSerdeFactory(new ConciseBitmapSerdeFactory())
        .build();
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), base, version);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), spec(base, parts), version);
    SegmentAssertions.assertSameContent(stock, ours, List.of());
    assertParts(ours, parts);
  }

  @ParameterizedTest
  @MethodSource("versionsAndParts")
  void oneRow(Version version, Set<StringColumnPart> parts) throws IOException {
    for (int part : new int[]{2, 3}) {
      final IncrementalIndex rows = inMemory(part, 1, false);
      final File stock = TestSegments.persist(rows, new File(folder, "stock" + part), TestSegments.STOCK, version);
      final File ours =
          TestSegments.persist(rows, new File(folder, "ours" + part), spec(TestSegments.STOCK, parts), version);
      SegmentAssertions.assertSameContent(stock, ours, PROJECTIONS);
    }
  }

  /**
   * Dictionaries that overlap, columns and nulls that some inputs do not have, rows of several inputs that become one;
   * inputs that are Druid's, some of them front-coded, ours and both.
   */
  @ParameterizedTest
  @MethodSource("versionsAndParts")
  void merged(Version version, Set<StringColumnPart> parts) throws IOException {
    int combination = parts.size() + (version == Version.V9 ? 0 : 1);
    for (boolean rollup : new boolean[]{false, true}) {
      final List<File> stock = new ArrayList<>();
      final List<File> mixed = new ArrayList<>();
      for (int part = 0; part < 4; part++) {
        final IncrementalIndex rows = inMemory(part, 500, rollup);
        final String name = (rollup ? "rollup" : "plain") + part;
        stock.add(TestSegments.persist(rows, new File(folder, "stock" + name), TestSegments.STOCK, version));
        mixed.add(TestSegments.persist(
            rows,
            new File(folder, "ours" + name),
            spec(part % 2 == 0 ? FRONT_CODED : TestSegments.STOCK,
                combinations().get((part + parts.size()) % combinations().size())),
            version
        ));
      }
      // Also of the two that never have nulls, and of one alone.
      for (int[] range : new int[][]{{0, 4}, {0, 2}, {1, 2}, {2, 3}, {1, 3}}) {
        if (!Tier.tries(combination++, 3)) {
          continue;
        }
        final String name = (rollup ? "rollup" : "plain") + range[0] + range[1];
        final List<File> stockInputs = stock.subList(range[0], range[1]);
        final File reference = merge(stockInputs, "reference" + name, TestSegments.STOCK, rollup, version);
        final IndexSpec spec = spec(TestSegments.STOCK, parts);
        final File ofStock = merge(stockInputs, "ofStock" + name, spec, rollup, version);
        SegmentAssertions.assertSameContent(reference, ofStock, PROJECTIONS);
        final File ofMixed = merge(mixed.subList(range[0], range[1]), "ofMixed" + name, spec, rollup, version);
        SegmentAssertions.assertSameContent(reference, ofMixed, PROJECTIONS);
      }
    }
  }

  /** Druid 37 merges indexes, and loses these rows from the index of null: the input's column has none. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void nullsOfAProjectionWhoseInputDoesNotHaveTheDimension(Version version) throws IOException {
    final List<File> inputs = new ArrayList<>();
    for (int part = 0; part < 2; part++) {
      inputs.add(TestSegments.persist(
          inMemory(part, 500, false), new File(folder, "input" + part), TestSegments.STOCK, version));
    }
    final IndexSpec spec = spec(TestSegments.STOCK, EnumSet.of(StringColumnPart.INDEXES));
    try (QueryableIndex index = TestSegments.open(merge(inputs, "merged", spec, false, version))) {
      final QueryableIndex projection = index.getProjectionQueryableIndex("bySometimes");
      final List<Integer> nulls = new ArrayList<>();
      try (var column = (StringUtf8DictionaryEncodedColumn) projection.getColumnHolder("sometimes").getColumn()) {
        for (int row = 0; row < column.length(); row++) {
          if (column.lookupName(column.getSingleValueRow(row)) == null) {
            nulls.add(row);
          }
        }
      }
      final List<Integer> list = new ArrayList<>();
      final var rows = projection
          .getColumnHolder("sometimes")
          .getIndexSupplier()
          .as(DictionaryEncodedStringValueIndex.class)
          .getBitmap(0)
          .iterator();
      while (rows.hasNext()) {
        list.add(rows.next());
      }
      assertEquals(nulls, list);
      assertFalse(nulls.isEmpty());
    }
  }

  private File merge(List<File> inputs, String name, IndexSpec spec, boolean rollup, Version version)
      throws IOException {
    return TestSegments.mergeFiles(
        inputs,
        METRICS,
        schema(rollup).getDimensionsSpec(),
        rollup,
        new File(folder, name),
        spec,
        version
    );
  }

  /** Names in descriptors are for ever. */
  @Test
  void namesOfParts() {
    assertEquals(
        Set.of("ids", "indexes", "dictionary"),
        Arrays.stream(StringColumnPart.values()).map(StringColumnPart::json).collect(Collectors.toSet())
    );
  }
}
