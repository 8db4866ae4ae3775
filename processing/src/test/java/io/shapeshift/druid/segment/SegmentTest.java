// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Throwables;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.testing.ColumnLayout;
import io.shapeshift.druid.tool.encoding.FormUsage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.NewSpatialDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesSerde;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.TestHelper;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.serde.ComplexMetrics;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Segments with every kind of column, written with and without shape-shifting, have the same content. */
class SegmentTest {
  private static final String PROJECTION = "byPlain";
  private static final List<String> PROJECTIONS = List.of(PROJECTION);
  private static final int NUM_ROWS = 20_000;
  private static final AggregatorFactory[] METRICS = {
      new CountAggregatorFactory("count"),
      new LongSumAggregatorFactory("sum", "number"),
      new HyperUniquesAggregatorFactory("unique", "plain")
  };

  @TempDir
  private File folder;

  @BeforeAll
  static void registerComplexMetric() {
    ComplexMetrics.registerSerde("hyperUnique", new HyperUniquesSerde());
  }

  private static IncrementalIndexSchema schema(boolean rollup) {
    final List<DimensionSchema> dimensions = List.of(
        new StringDimensionSchema("plain"),
        new StringDimensionSchema("unindexed", null, false),
        new StringDimensionSchema("skewed"),
        new StringDimensionSchema("multi", MultiValueHandling.ARRAY, true),
        new StringDimensionSchema("multiUnindexed", MultiValueHandling.SORTED_SET, false),
        new StringDimensionSchema("withNulls"),
        new StringDimensionSchema("emptyStrings"),
        new StringDimensionSchema("constant"),
        new StringDimensionSchema("nullOnly"),
        new StringDimensionSchema("sometimes"),
        new NewSpatialDimensionSchema("place", List.of("x", "y")),
        new LongDimensionSchema("number"),
        new DoubleDimensionSchema("real"),
        AutoTypeColumnSchema.of("auto"),
        AutoTypeColumnSchema.of("json")
    );
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(dimensions))
        .withMetrics(METRICS)
        .withRollup(rollup)
        .withProjections(List.of(
            AggregateProjectionSpec
                .builder(PROJECTION)
                .groupingColumns(
                    new StringDimensionSchema("plain"),
                    new StringDimensionSchema("withNulls"),
                    new LongDimensionSchema("number")
                )
                .aggregators(new LongSumAggregatorFactory("projected", "number"))
                .build()
        ))
        .build();
  }

  /**
   * Rows of every shape.
   *
   * @param hour rows of different hours overlap in some values only
   */
  private static List<Map<String, Object>> rows(int hour, int count) {
    final Random random = new Random(hour);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.of("2026-01-01T00:00:00Z").plusHours(hour).plusMillis(i).toString());
      row.put("plain", "p" + (random.nextInt(300) + 100 * hour));
      row.put("unindexed", "u" + i / 100);
      row.put("skewed", random.nextInt(10) == 0 ? "s" + random.nextInt(100_000) : "s0");
      row.put("multi", switch (random.nextInt(5)) {
        case 0 -> null;
        case 1 -> List.of();
        case 2 -> List.of("m" + random.nextInt(10));
        case 3 -> Arrays.asList("m" + random.nextInt(10), null, "");
        default -> List.of("b", "a", "m" + random.nextInt(1000), "a");
      });
      row.put("multiUnindexed", List.of("x" + random.nextInt(3), "y" + random.nextInt(3)));
      row.put("withNulls", random.nextBoolean() ? null : "w" + random.nextInt(50));
      row.put("emptyStrings", random.nextBoolean() ? "" : random.nextBoolean() ? null : "e");
      row.put("constant", "c");
      if (hour % 2 == 1) {
        row.put("sometimes", "t" + random.nextInt(5));
      }
      row.put("x", random.nextInt(10));
      row.put("y", random.nextInt(10));
      row.put("number", random.nextInt(1000));
      row.put("real", random.nextDouble());
      row.put("auto", random.nextBoolean() ? "word" : (Object) random.nextInt(10));
      row.put("json", Map.of("a", random.nextInt(10), "b", Map.of("c", "d" + i % 7)));
      rows.add(row);
    }
    return rows;
  }

  private static IncrementalIndex inMemory(int hour, int count) {
    return TestSegments.rowsInMemory(schema(false), rows(hour, count));
  }

  /** Each version with each target and each block size. */
  static Stream<Arguments> specs() {
    return Stream.of(Version.values()).flatMap(version -> Stream.of(
        Arguments.of(version, OptimizationTarget.SMALLER, BlockSize.LARGE),
        Arguments.of(version, OptimizationTarget.FASTBUTSMALLISH, BlockSize.MIDDLE),
        Arguments.of(version, OptimizationTarget.FASTER, BlockSize.SMALL)
    ));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void persistedSegmentsHaveTheSameContent(Version version, OptimizationTarget target, BlockSize size)
      throws IOException {
    final IncrementalIndex rows = inMemory(1, NUM_ROWS);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours =
        TestSegments.persist(rows, new File(folder, "ours"), TestSegments.shapeShift(target, size), version);
    SegmentAssertions.assertSameContent(stock, ours, PROJECTIONS);
    assertShapeShifting(ours, true);
    assertShapeShifting(stock, false);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void uncompressedDimensionsShapeShift(Version version) throws IOException {
    final IncrementalIndex rows = inMemory(1, 3000);
    final IndexSpec uncompressed =
        IndexSpec.builder().withDimensionCompression(CompressionStrategy.UNCOMPRESSED).build();
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), uncompressed, version);
    final File ours = TestSegments.persist(
        rows,
        new File(folder, "ours"),
        ShapeShiftIndexSpec.of(
            uncompressed,
            IntEncodingStrategy.shapeShift(OptimizationTarget.FASTER, BlockSize.SMALL)
        ),
        version
    );
    SegmentAssertions.assertSameContent(stock, ours, PROJECTIONS);
    assertShapeShifting(ours, true);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void oneRow(Version version) throws IOException {
    final IncrementalIndex rows = inMemory(1, 1);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.SHAPE_SHIFT, version);
    SegmentAssertions.assertSameContent(stock, ours, PROJECTIONS);
    assertShapeShifting(ours, true);
  }

  /** All ways to merge: from stock and shape-shifting segments and both, into either, in one step and in several. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void mergedSegmentsHaveTheSameContent(Version version) throws IOException {
    final List<File> stockInputs = new ArrayList<>();
    final List<File> ourInputs = new ArrayList<>();
    final List<File> mixedInputs = new ArrayList<>();
    for (int hour = 0; hour < 4; hour++) {
      final IncrementalIndex rows = inMemory(hour, 1500);
      stockInputs.add(
          TestSegments.persist(rows, new File(folder, "stock" + hour), TestSegments.STOCK, version));
      ourInputs.add(
          TestSegments.persist(rows, new File(folder, "ours" + hour), TestSegments.SHAPE_SHIFT, version));
      mixedInputs.add(hour % 2 == 0 ? stockInputs.get(hour) : ourInputs.get(hour));
    }
    final int allAtOnce = IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE;
    final File reference = merge(stockInputs, "reference", TestSegments.STOCK, allAtOnce, version);
    assertShapeShifting(reference, false);
    int merges = 0;
    for (List<File> inputs : List.of(stockInputs, ourInputs, mixedInputs)) {
      for (int maxColumns : new int[]{allAtOnce, 40}) {
        final File ours = merge(inputs, "merge" + merges++, TestSegments.SHAPE_SHIFT, maxColumns, version);
        SegmentAssertions.assertSameContent(reference, ours, PROJECTIONS);
        assertShapeShifting(ours, true);
      }
      final File stock = merge(inputs, "merge" + merges++, TestSegments.STOCK, allAtOnce, version);
      SegmentAssertions.assertSameContent(reference, stock, PROJECTIONS);
      assertShapeShifting(stock, false);
    }
  }

  private File merge(List<File> inputs, String name, IndexSpec spec, int maxColumns, Version version)
      throws IOException {
    final List<QueryableIndex> indexes = inputs.stream().map(TestSegments::open).toList();
    final File merged = TestSegments.merger(version).mergeQueryableIndex(
        indexes,
        false,
        METRICS,
        schema(false).getDimensionsSpec(),
        new File(folder, name),
        spec,
        TestSegments.SHAPE_SHIFT,
        new BaseProgressIndicator(),
        null,
        maxColumns
    );
    indexes.forEach(QueryableIndex::close);
    return merged;
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void nothingButTheSegmentIsLeftInItsDirectory(Version version) {
    final File ours =
        TestSegments.persist(inMemory(1, 100), new File(folder, "ours"), TestSegments.SHAPE_SHIFT, version);
    assertEquals(List.of(), Arrays.stream(ours.listFiles()).filter(File::isDirectory).toList());
  }

  /** What a service without the extension says. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void aDruidWithoutTheExtensionCannotReadTheColumns(Version version) {
    final File ours =
        TestSegments.persist(inMemory(1, 100), new File(folder, "ours"), TestSegments.SHAPE_SHIFT, version);
    final ObjectMapper stock = TestHelper.makeJsonMapper();
    final Exception e = assertThrows(Exception.class, () -> {
      try (QueryableIndex index = new IndexIO(stock, ColumnConfig.DEFAULT).loadIndex(ours)) {
        index.getColumnHolder("plain");
      }
    });
    assertTrue(
        Throwables.getStackTraceAsString(e).contains("Could not resolve type id 'shapeshift.stringDictionary'"),
        () -> Throwables.getStackTraceAsString(e)
    );
  }

  /** Operators look for it in the segment cache. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void theTypeOfTheColumnsStandsInTheFiles(Version version) throws IOException {
    final IncrementalIndex rows = inMemory(1, 100);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.SHAPE_SHIFT, version);
    assertFalse(hasType(stock));
    assertTrue(hasType(ours));
  }

  private static boolean hasType(File segment) throws IOException {
    for (File file : segment.listFiles()) {
      if (Files.readString(file.toPath(), StandardCharsets.ISO_8859_1).contains(ShapeShiftStringColumnPartSerde.TYPE)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void theLayoutTellsEveryPart() throws IOException {
    final File ours =
        TestSegments.persist(inMemory(1, NUM_ROWS), new File(folder, "ours"), TestSegments.SHAPE_SHIFT, Version.V9);
    final List<ColumnLayout> columns = ColumnLayout.read(ours);
    assertEquals(
        List.of("plain", "unindexed", "skewed", "multi", "multiUnindexed", "withNulls", "emptyStrings", "constant",
            "sometimes", "place"),
        columns.stream().map(ColumnLayout::name).toList()
    );
    for (ColumnLayout column : columns) {
      assertEquals(NUM_ROWS, column.rows(), column.name());
      assertTrue(column.cardinality() > 0 && column.dictionaryBytes() > 0, column.name());
      assertEquals(column.name().contains("nindexed"), column.indexBytes() == 0, column.name());
      assertEquals(column.name().startsWith("multi"), column.multiValue(), column.name());
      final long formBytes = column.forms().values().stream().mapToLong(FormUsage::bytes).sum();
      assertTrue(formBytes > 0 && formBytes < column.valueBytes(), column.name());
    }
    final ColumnLayout constant = columns.get(7);
    // Two chunks of a byte each, and the header with one form and three offsets.
    assertEquals(Map.of("zero", new FormUsage(2, 2)), constant.forms());
    assertEquals(22 + 9 + 12 + 2, constant.valueBytes());
  }

  private static void assertShapeShifting(File segment, boolean expected) throws IOException {
    final List<ColumnLayout> columns = ColumnLayout.read(segment);
    assertFalse(columns.isEmpty());
    for (ColumnLayout column : columns) {
      assertEquals(expected, column.encoding().equals("shapeshift"), column.name() + " in " + segment);
    }
  }
}
