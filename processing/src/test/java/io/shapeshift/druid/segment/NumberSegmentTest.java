// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.serde.ShapeShiftNumberColumnPartSerde;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexIndexableAdapter;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexAdapter;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Segments with every kind of number column, written with and without shape-shifting, have the same content. */
@Tag("slow")
class NumberSegmentTest {
  private static final Map<String, String> STOCK_TYPES =
      Map.of("LONG", "longV2", "DOUBLE", "doubleV2", "FLOAT", "floatV2");
  private static final Map<String, String> OUR_TYPES = Map.of(
      "LONG", ShapeShiftNumberColumnPartSerde.Longs.TYPE,
      "DOUBLE", ShapeShiftNumberColumnPartSerde.Doubles.TYPE,
      "FLOAT", ShapeShiftNumberColumnPartSerde.Floats.TYPE
  );
  private static final Map<OptimizationTarget, BlockSize> OPTIONS = new TreeMap<>(Map.of(
      OptimizationTarget.SMALLER, BlockSize.LARGE,
      OptimizationTarget.FASTBUTSMALLISH, BlockSize.MIDDLE,
      OptimizationTarget.FASTER, BlockSize.SMALL
  ));
  /** Columns of the base table with its time, and of the projections, of which one has a time. */
  private static final int NUM_COLUMNS_OF_NUMBERS = 1 + 9 + 7 + 5 + 6 + 4;

  @TempDir
  private File folder;

  /** Each version, one with rollup and one without, or both with both. */
  static List<Arguments> kinds() {
    return Tier.oneIn(3, Stream.of(Version.values()).flatMap(
        version -> Stream.of(Arguments.of(version, false), Arguments.of(version, true))
    ));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void persistedSegmentsHaveTheSameContent(Version version, boolean rollup) throws IOException {
    // More than a chunk of longs has in the largest blocks.
    final IncrementalIndex rows = NumberRows.inMemory(1, Tier.pick(9_000, 20_000), rollup);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    assertTypes(stock, STOCK_TYPES);
    int combination = version.ordinal();
    for (var options : OPTIONS.entrySet()) {
      if (!Tier.tries(combination++, 2)) {
        continue;
      }
      final IndexSpec spec = TestSegments.shapeShiftAll(options.getKey(), options.getValue());
      final File ours = TestSegments.persist(rows, new File(folder, "ours" + options.getKey()), spec, version);
      SegmentAssertions.assertSameContent(stock, ours, NumberRows.PROJECTIONS);
      assertTypes(ours, OUR_TYPES);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void oneRow(Version version, boolean rollup) throws IOException {
    final IncrementalIndex rows = NumberRows.inMemory(1, 1, rollup);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
    SegmentAssertions.assertSameContent(stock, ours, NumberRows.PROJECTIONS);
    assertTypes(ours, OUR_TYPES);
  }

  /** All ways to merge: from stock and shape-shifting segments and both, into either, in one step and in several. */
  @ParameterizedTest
  @MethodSource("kinds")
  void mergedSegmentsHaveTheSameContent(Version version, boolean rollup) throws IOException {
    final List<File> stockInputs = new ArrayList<>();
    final List<File> ourInputs = new ArrayList<>();
    final List<File> mixedInputs = new ArrayList<>();
    for (int seed = 0; seed < 4; seed++) {
      final IncrementalIndex rows = NumberRows.inMemory(seed, Tier.pick(1000, 3000), rollup);
      stockInputs.add(TestSegments.persist(rows, new File(folder, "stock" + seed), TestSegments.STOCK, version));
      ourInputs.add(TestSegments.persist(rows, new File(folder, "ours" + seed), TestSegments.ALL_SHAPE_SHIFT, version));
      mixedInputs.add(seed % 2 == 0 ? stockInputs.get(seed) : ourInputs.get(seed));
    }
    final int allAtOnce = IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE;
    final File reference = merge(stockInputs, "reference", TestSegments.STOCK, allAtOnce, version, rollup);
    assertTypes(reference, STOCK_TYPES);
    int merges = 0;
    int combination = version.ordinal();
    for (List<File> inputs : List.of(stockInputs, ourInputs, mixedInputs)) {
      for (int maxColumns : new int[]{allAtOnce, 40}) {
        if (!Tier.tries(combination++, 2)) {
          continue;
        }
        final File ours =
            merge(inputs, "merge" + merges++, TestSegments.ALL_SHAPE_SHIFT, maxColumns, version, rollup);
        SegmentAssertions.assertSameContent(reference, ours, NumberRows.PROJECTIONS);
        assertTypes(ours, OUR_TYPES);
      }
      if (Tier.tries(combination++, 2)) {
        final File stock = merge(inputs, "merge" + merges++, TestSegments.STOCK, allAtOnce, version, rollup);
        SegmentAssertions.assertSameContent(reference, stock, NumberRows.PROJECTIONS);
        assertTypes(stock, STOCK_TYPES);
      }
    }
  }

  private File merge(
      List<File> inputs,
      String name,
      IndexSpec spec,
      int maxColumns,
      Version version,
      boolean rollup
  ) throws IOException {
    final List<QueryableIndex> indexes = inputs.stream().map(TestSegments::open).toList();
    final File merged = TestSegments.merger(version).mergeQueryableIndex(
        indexes,
        rollup,
        NumberRows.METRICS.toArray(AggregatorFactory[]::new),
        new DimensionsSpec(NumberRows.DIMENSIONS),
        new File(folder, name),
        spec,
        TestSegments.ALL_SHAPE_SHIFT,
        new BaseProgressIndicator(),
        null,
        maxColumns
    );
    indexes.forEach(QueryableIndex::close);
    return merged;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void segmentsMergedWithRowsInMemory(Version version, boolean rollup) throws IOException {
    // Druid 37 does not merge so projections without a time.
    final IncrementalIndexSchema schema =
        NumberRows.schema(rollup, NumberRows.DIMENSIONS, NumberRows.projections().subList(0, 1));
    final IncrementalIndex written = TestSegments.rowsInMemory(schema, NumberRows.rows(1, 2000));
    final IncrementalIndex inMemory = TestSegments.rowsInMemory(schema, NumberRows.rows(2, 2000));
    final File stockInput = TestSegments.persist(written, new File(folder, "stockInput"), TestSegments.STOCK, version);
    final File ourInput =
        TestSegments.persist(written, new File(folder, "ourInput"), TestSegments.ALL_SHAPE_SHIFT, version);
    final File stock = merge(stockInput, inMemory, "stock", TestSegments.STOCK, version, rollup);
    final File ours = merge(ourInput, inMemory, "ours", TestSegments.ALL_SHAPE_SHIFT, version, rollup);
    SegmentAssertions.assertSameContent(stock, ours, List.of(schema.getProjections().get(0).getName()));
  }

  private File merge(File segment, IncrementalIndex rows, String name, IndexSpec spec, Version version, boolean rollup)
      throws IOException {
    try (QueryableIndex index = TestSegments.open(segment)) {
      final List<IndexableAdapter> inputs = List.of(
          new QueryableIndexIndexableAdapter(index),
          new IncrementalIndexAdapter(Intervals.ETERNITY, rows, new RoaringBitmapFactory())
      );
      return TestSegments.merger(version).merge(
          inputs,
          rollup,
          NumberRows.METRICS.toArray(AggregatorFactory[]::new),
          new File(folder, name),
          new DimensionsSpec(NumberRows.DIMENSIONS),
          spec,
          IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE
      );
    }
  }

  /** As when a schema changes: what an input has not is null. */
  @ParameterizedTest
  @MethodSource("kinds")
  void dimensionsThatSomeInputsDoNotHave(Version version, boolean rollup) throws IOException {
    final List<IncrementalIndex> rows = List.of(
        TestSegments.rowsInMemory(
            NumberRows.schema(rollup, NumberRows.DIMENSIONS.subList(0, 4), List.of()),
            NumberRows.rows(1, 2000)
        ),
        TestSegments.rowsInMemory(
            NumberRows.schema(rollup, NumberRows.DIMENSIONS.subList(2, 10), List.of()),
            NumberRows.rows(2, 2000)
        )
    );
    final List<File> merged = new ArrayList<>();
    for (IndexSpec spec : List.of(TestSegments.STOCK, TestSegments.ALL_SHAPE_SHIFT)) {
      final List<File> inputs = new ArrayList<>();
      for (IncrementalIndex input : rows) {
        final File directory = new File(folder, "input" + merged.size() + inputs.size());
        inputs.add(TestSegments.persist(input, directory, spec, version));
      }
      merged.add(merge(
          inputs,
          "merged" + merged.size(),
          spec,
          IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE,
          version,
          rollup
      ));
    }
    SegmentAssertions.assertSameContent(merged.get(0), merged.get(1), List.of());
    try (QueryableIndex index = TestSegments.open(merged.get(1));
         NumericColumn column = (NumericColumn) index.getColumnHolder("floatOrNull").getColumn()) {
      assertEquals(index.getNumRows(), column.length());
    }
  }

  /** Every file of a column whose type has Druid's encoding has the bytes that Druid gives it. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void aTypeUnderCompressionStaysAsDruidWritesIt(Version version) throws IOException {
    final IncrementalIndex rows = NumberRows.inMemory(1, Tier.pick(1000, 5000), false);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    for (EncodedType type : new EncodedType[]{EncodedType.LONG, EncodedType.DOUBLE, EncodedType.FLOAT}) {
      final IndexSpec spec = ShapeShiftIndexSpec.of(
          TestSegments.STOCK,
          new EncodingStrategies(
              EncodingStrategy.shapeShift(OptimizationTarget.FASTER, BlockSize.SMALL),
              Map.of(type, EncodingStrategy.COMPRESSION, EncodedType.COMPLEX, EncodingStrategy.COMPRESSION)
          )
      );
      final File ours = TestSegments.persist(rows, new File(folder, "but" + type), spec, version);
      SegmentAssertions.assertSameContent(stock, ours, NumberRows.PROJECTIONS);
      final Map<String, String> types = new TreeMap<>(OUR_TYPES);
      types.put(type.name(), STOCK_TYPES.get(type.name()));
      assertTypes(ours, types);
      assertEquals(bytes(stock, type), bytes(ours, type));
      assertEquals(bytes(stock, null), bytes(ours, null));
    }
  }

  /** The bytes of the files of the columns of a type; null for those of complex columns. */
  private static Map<String, ByteBuffer> bytes(File segment, @Nullable EncodedType type) throws IOException {
    final String wanted = type == null ? "COMPLEX<hyperUnique>" : type.name();
    final Map<String, ByteBuffer> bytes =
        eachColumn(segment, column -> wanted.equals(column.type()) ? copy(column.body()) : null);
    assertTrue(bytes.size() > 2, wanted);
    return bytes;
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
  }

  /** Nulls take no more than their bitmap. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void nullsCostNothing(Version version) throws IOException {
    final int numRows = Tier.pick(8_000, 20_000);
    final File ours = TestSegments.persist(
        NumberRows.inMemory(1, numRows, false),
        new File(folder, "ours"),
        TestSegments.ALL_SHAPE_SHIFT,
        version
    );
    final Map<String, Integer> sizes = eachColumn(ours, column -> column.body().remaining());
    for (String column : List.of("nullLong", "nullDouble", "nullFloat")) {
      final int size = sizes.get(version == Version.V9 ? column : "__base/" + column);
      assertTrue(size < numRows / 8, column + " has " + size + " bytes");
    }
  }

  private static void assertTypes(File segment, Map<String, String> expected) throws IOException {
    final Map<String, String> types = eachColumn(
        segment,
        column -> expected.containsKey(column.type()) ? column.type() + " " + column.partType() : null
    );
    assertEquals(NUM_COLUMNS_OF_NUMBERS, types.size(), () -> segment + ": " + types);
    for (var column : types.entrySet()) {
      final String type = column.getValue().substring(0, column.getValue().indexOf(' '));
      assertEquals(type + " " + expected.get(type), column.getValue(), column.getKey() + " in " + segment);
    }
    final Map<String, String> time = eachColumn(
        segment,
        column -> column.name().equals(ColumnHolder.TIME_COLUMN_NAME) || column.name().equals("hour")
                  ? column.partType()
                  : null
    );
    assertEquals(2, time.size(), () -> segment + ": " + time);
  }

  /** A finding for each file of a column that has one. */
  private static <T> Map<String, T> eachColumn(File directory, Function<StoredSegment.Column, T> finding)
      throws IOException {
    final Map<String, T> findings = new TreeMap<>();
    try (StoredSegment segment = StoredSegment.open(directory)) {
      for (StoredSegment.Column column : segment.columns()) {
        @Nullable final T found = finding.apply(column);
        if (found != null) {
          findings.put(column.file(), found);
        }
      }
    }
    return findings;
  }
}
