// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.tool.encoding.FormUsage;
import java.io.File;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of string columns, each with its size. */
class ColumnPartsTest {
  private static final int NUM_ROWS = 20_000;

  @TempDir
  private File folder;

  @Test
  void everyPartIsTold() {
    final File ours =
        TestSegments.persist(
            EveryColumn.inMemory(1, NUM_ROWS),
            new File(folder, "ours"),
            TestSegments.SHAPE_SHIFT,
            Version.V9
        );
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
    // A chunk of a byte, and the header with one form, two offsets and one group.
    assertEquals(Map.of("zero", new FormUsage(1, 1)), constant.forms());
    assertEquals(7 + 9 + 8 + 2 + 1, constant.valueBytes());
  }
}
