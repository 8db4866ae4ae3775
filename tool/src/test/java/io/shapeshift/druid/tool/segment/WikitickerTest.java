// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.segment.SegmentAssertions;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real data, with every column as strings. */
class WikitickerTest {
  private static final double MOST_OF_LZ4 = 0.93;

  @TempDir
  private File folder;

  @Test
  void sameContentInFewerBytes() throws IOException {
    final List<Map<String, Object>> rows = TestSegments.wikiticker();
    final List<DimensionSchema> dimensions =
        rows.get(0).keySet().stream()
            .filter(field -> !field.equals("time"))
            .<DimensionSchema>map(StringDimensionSchema::new)
            .toList();
    final IncrementalIndex index = TestSegments.rowsInMemory(
        IncrementalIndexSchema.builder().withDimensionsSpec(new DimensionsSpec(dimensions)).withRollup(false).build(),
        rows
    );
    final File stock = TestSegments.persist(index, new File(folder, "stock"), TestSegments.STOCK, Version.V9);
    final File ours = TestSegments.persist(index, new File(folder, "ours"), TestSegments.SHAPE_SHIFT, Version.V9);
    SegmentAssertions.assertSameContent(stock, ours, List.of());
    final double ratio = (double) valueBytes(ours) / valueBytes(stock);
    assertTrue(ratio <= MOST_OF_LZ4, "ratio to lz4 is " + ratio);
  }

  private static long valueBytes(File segment) throws IOException {
    return ColumnLayout.read(segment).stream().mapToLong(ColumnLayout::valueBytes).sum();
  }
}
