// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Throwables;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.TestHelper;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Segments with every kind of column, written with and without shape-shifting, have the same content. */
@Tag("slow")
class SegmentTest {
  private static final List<String> PROJECTIONS = List.of(EveryColumn.PROJECTION);
  /** Somewhat more than one chunk of ids has. */
  private static final Map<BlockSize, Integer> NUM_ROWS = Tier.pick(
      Map.of(BlockSize.LARGE, 17_000, BlockSize.MIDDLE, 8_500, BlockSize.SMALL, 4_500),
      Map.of(BlockSize.LARGE, 20_000, BlockSize.MIDDLE, 20_000, BlockSize.SMALL, 20_000)
  );

  @TempDir
  private File folder;

  /** Each target and each block size, in one version or in both. */
  static List<Arguments> specs() {
    return Tier.oneIn(2, Stream.of(Version.values()).flatMap(version -> Stream.of(
        Arguments.of(version, OptimizationTarget.SMALLER, BlockSize.LARGE),
        Arguments.of(version, OptimizationTarget.FASTBUTSMALLISH, BlockSize.MIDDLE),
        Arguments.of(version, OptimizationTarget.FASTER, BlockSize.SMALL)
    )));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void persistedSegmentsHaveTheSameContent(Version version, OptimizationTarget target, BlockSize size)
      throws IOException {
    final IncrementalIndex rows = EveryColumn.inMemory(1, NUM_ROWS.get(size));
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours =
        TestSegments.persist(rows, new File(folder, "ours"), TestSegments.shapeShiftAll(target, size), version);
    SegmentAssertions.assertSameContent(stock, ours, PROJECTIONS);
    assertShapeShifting(ours, true);
    assertShapeShifting(stock, false);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void uncompressedDimensionsShapeShift(Version version) throws IOException {
    final IncrementalIndex rows = EveryColumn.inMemory(1, 3000);
    final IndexSpec uncompressed =
        IndexSpec.builder().withDimensionCompression(CompressionStrategy.UNCOMPRESSED).build();
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), uncompressed, version);
    final File ours = TestSegments.persist(
        rows,
        new File(folder, "ours"),
        ShapeShiftIndexSpec.of(
            uncompressed,
            new EncodingStrategies(
                null,
                Map.of(EncodedType.INT, EncodingStrategy.shapeShift(OptimizationTarget.FASTER, BlockSize.SMALL))
            )
        ),
        version
    );
    SegmentAssertions.assertSameContent(stock, ours, PROJECTIONS);
    assertShapeShifting(ours, true);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void oneRow(Version version) throws IOException {
    final IncrementalIndex rows = EveryColumn.inMemory(1, 1);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
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
      final IncrementalIndex rows = EveryColumn.inMemory(hour, 1500);
      stockInputs.add(
          TestSegments.persist(rows, new File(folder, "stock" + hour), TestSegments.STOCK, version));
      ourInputs.add(
          TestSegments.persist(rows, new File(folder, "ours" + hour), TestSegments.ALL_SHAPE_SHIFT, version));
      mixedInputs.add(hour % 2 == 0 ? stockInputs.get(hour) : ourInputs.get(hour));
    }
    final int allAtOnce = IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE;
    final File reference = merge(stockInputs, "reference", TestSegments.STOCK, allAtOnce, version);
    assertShapeShifting(reference, false);
    int merges = 0;
    int combination = version.ordinal();
    for (List<File> inputs : List.of(stockInputs, ourInputs, mixedInputs)) {
      for (int maxColumns : new int[]{allAtOnce, 40}) {
        if (!Tier.tries(combination++, 2)) {
          continue;
        }
        final File ours = merge(inputs, "merge" + merges++, TestSegments.ALL_SHAPE_SHIFT, maxColumns, version);
        SegmentAssertions.assertSameContent(reference, ours, PROJECTIONS);
        assertShapeShifting(ours, true);
      }
      if (Tier.tries(combination++, 2)) {
        final File stock = merge(inputs, "merge" + merges++, TestSegments.STOCK, allAtOnce, version);
        SegmentAssertions.assertSameContent(reference, stock, PROJECTIONS);
        assertShapeShifting(stock, false);
      }
    }
  }

  private File merge(List<File> inputs, String name, IndexSpec spec, int maxColumns, Version version)
      throws IOException {
    final List<QueryableIndex> indexes = inputs.stream().map(TestSegments::open).toList();
    final File merged = TestSegments.merger(version).mergeQueryableIndex(
        indexes,
        false,
        EveryColumn.METRICS.toArray(AggregatorFactory[]::new),
        EveryColumn.schema(false).getDimensionsSpec(),
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
  @EnumSource(Version.class)
  void nothingButTheSegmentIsLeftInItsDirectory(Version version) {
    final IncrementalIndex rows = EveryColumn.inMemory(1, 100);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
    assertEquals(List.of(), Arrays.stream(ours.listFiles()).filter(File::isDirectory).toList());
  }

  /** What a service without the extension says. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void aDruidWithoutTheExtensionCannotReadTheColumns(Version version) {
    final File ours =
        TestSegments.persist(EveryColumn.inMemory(1, 100), new File(folder, "ours"), TestSegments.SHAPE_SHIFT, version);
    final ObjectMapper stock = TestHelper.makeJsonMapper();
    final Exception e = assertThrows(Exception.class, () -> {
      try (QueryableIndex index = new IndexIO(stock, ColumnConfig.DEFAULT).loadIndex(ours)) {
        index.getColumnHolder("plain");
      }
    });
    assertTrue(
        Throwables.getStackTraceAsString(e).contains("Could not resolve type id 'shapeshift."),
        () -> Throwables.getStackTraceAsString(e)
    );
  }

  /** Operators look for it in the segment cache. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void theTypeOfTheColumnsStandsInTheFiles(Version version) throws IOException {
    final IncrementalIndex rows = EveryColumn.inMemory(1, 100);
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

  private static void assertShapeShifting(File directory, boolean expected) throws IOException {
    try (StoredSegment segment = StoredSegment.open(directory)) {
      final Set<String> types = segment
          .columns()
          .stream()
          .map(StoredSegment.Column::partType)
          .filter(type -> type.endsWith("stringDictionary"))
          .collect(Collectors.toSet());
      assertEquals(Set.of(expected ? ShapeShiftStringColumnPartSerde.TYPE : "stringDictionary"), types);
    }
  }
}
