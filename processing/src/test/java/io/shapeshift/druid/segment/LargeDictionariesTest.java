// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Columns whose texts take 3 GiB in any coding, which a shape-shifting dictionary cannot hold. Each takes minutes and
 * some 12 GB of temporary files.
 */
@EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
class LargeDictionariesTest {
  private static final int TEXT_BYTES = 1 << 16;
  private static final int PARTS = 52;
  private static final int ROWS_PER_PART = 1000;

  @TempDir
  private Path directory;

  private enum Kind {
    STRING(new StringDimensionSchema("text")),
    AUTO(new AutoTypeColumnSchema("text", null, null));

    private final DimensionSchema schema;

    Kind(DimensionSchema schema) {
      this.schema = schema;
    }
  }

  /** Random characters of ASCII, so that no coding saves more than a fifth. */
  private static String text(int row) {
    final byte[] text = new byte[TEXT_BYTES];
    final Random random = new Random(row);
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) (' ' + random.nextInt(95));
    }
    return new String(text, StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @EnumSource
  void areWrittenMergedAndQueried(Kind kind) throws Exception {
    final DimensionsSpec dimensions = new DimensionsSpec(List.of(kind.schema));
    final List<File> parts = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      parts.add(part(dimensions, part));
    }
    final IndexSpec spec = TestSegments.shapeShiftAll(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
    final File merged = TestSegments.mergeFiles(
        parts, new AggregatorFactory[0], dimensions, false, directory.resolve("merged").toFile(), spec, Version.V9);
    for (File part : parts) {
      FileUtils.deleteDirectory(part);
    }
    assertTrue(FileUtils.sizeOfDirectory(merged) > 3L << 30);
    assertHasAllRows(merged);

    // And once more from such a column.
    final File again = TestSegments.mergeFiles(
        List.of(merged),
        new AggregatorFactory[0],
        dimensions,
        false,
        directory.resolve("again").toFile(),
        spec,
        Version.V10
    );
    FileUtils.deleteDirectory(merged);
    assertHasAllRows(again);
  }

  private File part(DimensionsSpec dimensions, int part) {
    final List<Map<String, Object>> rows = IntStream.range(0, ROWS_PER_PART)
        .<Map<String, Object>>mapToObj(i -> {
          final int row = part * ROWS_PER_PART + i;
          return Map.of("time", DateTimes.utc(1_600_000_000_000L + row), "text", text(row));
        })
        .toList();
    final IncrementalIndexSchema schema =
        IncrementalIndexSchema.builder().withDimensionsSpec(dimensions).withRollup(false).build();
    try (IncrementalIndex index = TestSegments.rowsInMemory(schema, rows)) {
      return TestSegments.persist(
          index, directory.resolve("part" + part).toFile(), TestSegments.STOCK, Version.V9);
    }
  }

  private static void assertHasAllRows(File segment) throws Exception {
    try (QueryableIndex index = TestSegments.open(segment)) {
      assertEquals(PARTS * ROWS_PER_PART, index.getNumRows());
      final ColumnHolder holder = index.getColumnHolder("text");
      final ValueIndexes values = holder.getIndexSupplier().as(ValueIndexes.class);
      try (BaseColumn column = (BaseColumn) holder.getColumn()) {
        final SimpleAscendingOffset offset = new SimpleAscendingOffset(index.getNumRows());
        final var selector = column.makeColumnValueSelector(offset);
        final Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
          final int row = i == 0 ? index.getNumRows() - 1 : random.nextInt(index.getNumRows());
          offset.setCurrentOffset(row);
          assertEquals(text(row), selector.getObject());
          final var rows = values.forValue(text(row), ColumnType.STRING)
              .computeBitmapResult(new DefaultBitmapResultFactory(index.getBitmapFactoryForDimensions()), false);
          assertEquals(1, rows.size());
          assertEquals(row, rows.iterator().next());
        }
      }
    }
  }
}
