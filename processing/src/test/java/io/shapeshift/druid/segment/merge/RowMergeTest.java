// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexMergerV10;
import org.apache.druid.segment.IndexMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows are merged as by Druid's own mergers, and where they go is kept only for who asks. */
class RowMergeTest {
  @TempDir
  private File folder;

  private final List<QueryableIndex> parts = new ArrayList<>();

  @AfterEach
  void close() {
    parts.forEach(QueryableIndex::close);
  }

  private static IndexMerger stock(Version version) {
    final SegmentWriteOutMediumFactory medium = TmpFileSegmentWriteOutMediumFactory.instance();
    return version == Version.V9
           ? new IndexMergerV9(TestSegments.JSON, TestSegments.INDEX_IO, medium, true)
           : new IndexMergerV10(TestSegments.JSON, TestSegments.INDEX_IO, medium);
  }

  private void persist(IncrementalIndexSchema schema, List<Map<String, Object>> rows, Version version) {
    parts.add(TestSegments.open(TestSegments.persist(
        TestSegments.rowsInMemory(schema, rows),
        new File(folder, "part" + parts.size()),
        TestSegments.STOCK,
        version
    )));
  }

  private File merge(IndexMerger merger, boolean rollup, String name, IndexSpec spec, BaseProgressIndicator progress)
      throws IOException {
    return merger.mergeQueryableIndex(
        parts,
        rollup,
        EveryColumn.METRICS.toArray(AggregatorFactory[]::new),
        null,
        new File(folder, name),
        spec,
        spec,
        progress,
        null,
        IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE
    );
  }

  /** Rows of two parts are the same, and some of one part, too; a third has others. */
  @ParameterizedTest
  @CsvSource({"V9, false", "V9, true", "V10, false", "V10, true"})
  void druidsColumnsAreDruidsToTheByte(Version version, boolean rollup) throws IOException {
    for (int hour : new int[] {1, 1, 2}) {
      final List<Map<String, Object>> rows = new ArrayList<>();
      for (Map<String, Object> row : EveryColumn.rows(hour, 500)) {
        rows.add(row);
        if (rows.size() % 7 == 0) {
          rows.add(row);
        }
      }
      // Without roll-up, so that parts have rows that are the same.
      persist(EveryColumn.schema(false), rows, version);
    }
    final File expected =
        merge(stock(version), rollup, "druids", TestSegments.STOCK, new BaseProgressIndicator());
    final File merged =
        merge(TestSegments.merger(version), rollup, "ours", TestSegments.STOCK, new BaseProgressIndicator());
    try (QueryableIndex index = TestSegments.open(merged)) {
      final int inputs = parts.stream().mapToInt(QueryableIndex::getNumRows).sum();
      assertTrue(rollup ? index.getNumRows() < inputs : index.getNumRows() == inputs);
    }
    final String[] files = sorted(merged.list());
    assertArrayEquals(sorted(expected.list((directory, name) -> !name.startsWith("tmp_"))), files);
    for (String file : files) {
      assertArrayEquals(
          Files.readAllBytes(new File(expected, file).toPath()),
          Files.readAllBytes(new File(merged, file).toPath()),
          file
      );
    }
  }

  private static String[] sorted(String[] names) {
    Arrays.sort(names);
    return names;
  }

  private static IncrementalIndexSchema schema(List<DimensionSchema> dimensions) {
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(dimensions))
        .withMetrics(new CountAggregatorFactory("count"))
        .withRollup(false)
        .build();
  }

  /** Whether there is a file for rows while a segment of one kind of dimension is merged. */
  private boolean hasFile(DimensionSchema dimension, Object value, IndexSpec spec, Version version)
      throws IOException {
    for (int i = 0; i < 2; i++) {
      persist(
          schema(List.of(dimension)),
          List.of(Map.of("time", "2026-01-01", dimension.getName(), value)),
          version
      );
    }
    final Set<String> mapped = new HashSet<>();
    merge(
        TestSegments.merger(version),
        false,
        "merged " + dimension.getName(),
        spec,
        new BaseProgressIndicator() {
          @Override
          public void startSection(String section) {
            if (section.startsWith("build inverted index")) {
              mapped.add(mappings());
            }
          }
        }
    );
    close();
    parts.clear();
    assertEquals(1, mapped.size());
    return mapped.iterator().next().contains("merged " + dimension.getName() + "/rows");
  }

  private static String mappings() {
    try {
      return Files.readString(Path.of("/proc/self/maps"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnabledOnOs(OS.LINUX)
  @EnumSource(Version.class)
  void whereRowsGoIsKeptForDruidsIndexesOnly(Version version) throws IOException {
    final IndexSpec ours = TestSegments.ALL_SHAPE_SHIFT;
    final IndexSpec stock = TestSegments.STOCK;
    final DimensionSchema strings = new StringDimensionSchema("strings");
    final DimensionSchema unindexed =
        new StringDimensionSchema("unindexed", MultiValueHandling.SORTED_ARRAY, false);
    assertTrue(hasFile(strings, "a", stock, version));
    assertFalse(hasFile(strings, "a", ours, version));
    assertTrue(hasFile(strings, "a", TestSegments.SHAPE_SHIFT, version));
    assertFalse(hasFile(unindexed, "a", ours, version));
    for (IndexSpec spec : List.of(ours, stock)) {
      assertFalse(hasFile(new LongDimensionSchema("longs"), 1, spec, version));
      assertFalse(hasFile(new DoubleDimensionSchema("doubles"), 1.5, spec, version));
      assertFalse(hasFile(AutoTypeColumnSchema.of("auto"), "a", spec, version));
    }
  }
}
