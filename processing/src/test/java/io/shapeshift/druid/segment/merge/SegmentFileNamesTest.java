// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.segment.TestSegments;
import java.util.List;
import java.util.Map;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.error.DruidException;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexAdapter;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Test;

class SegmentFileNamesTest {
  private static final String FURTHER = "a.__encodedColumn";

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  @Test
  void columnsThatAreNotWrittenHaveNoFiles() {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(
            AutoTypeColumnSchema.of("a"), new LongDimensionSchema(FURTHER))))
        .build();
    try (IncrementalIndex rows = TestSegments.rowsInMemory(
        schema, List.of(Map.of("time", "2024-01-01", "a", "x", FURTHER, 1)))) {
      final List<IndexableAdapter> segments =
          List.of(new IncrementalIndexAdapter(Intervals.ETERNITY, rows, RoaringBitmapFactory.INSTANCE));
      assertThrows(
          DruidException.class,
          () -> SegmentFileNames.requireDistinct(9, segments, null, List.of("a", FURTHER), List.of())
      );
      assertDoesNotThrow(() -> SegmentFileNames.requireDistinct(9, segments, null, List.of(FURTHER), List.of()));
    }
  }
}
