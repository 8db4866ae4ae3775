// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.druid.query.aggregation.AggregatorFactory;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Columns that do not shape-shift, compared byte by byte with those of Druid's own mergers. */
class StockColumnsTest {
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
  void stockColumnsAreStockToTheByte(Version version, boolean rollup) throws IOException {
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
}
