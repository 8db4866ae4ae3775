// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.segment.TestSegments;
import org.apache.druid.client.indexing.ClientCompactionTaskQueryTuningConfig;
import org.apache.druid.guice.IndexingServiceTuningConfigModule;
import org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexTuningConfig;
import org.apache.druid.segment.incremental.AppendableIndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.junit.jupiter.api.Test;

/** The option as it stands in a tuningConfig. */
class ShapeShiftAppendableIndexSpecTest {
  private static final ObjectMapper JSON =
      TestSegments.JSON.copy().registerModules(new IndexingServiceTuningConfigModule().getJacksonModules());

  @Test
  void json() throws JsonProcessingException {
    final AppendableIndexSpec spec = JSON.readValue("{\"type\": \"shapeshift\"}", AppendableIndexSpec.class);
    assertEquals(new ShapeShiftAppendableIndexSpec(null), spec);
    assertEquals(spec, JSON.readValue(JSON.writeValueAsString(spec), AppendableIndexSpec.class));
    final AppendableIndexSpec preserving = JSON.readValue(
        "{\"type\": \"shapeshift\", \"preserveExistingMetrics\": true}", AppendableIndexSpec.class);
    assertTrue(((ShapeShiftAppendableIndexSpec) preserving).isPreserveExistingMetrics());
    assertNotEquals(spec, preserving);
    assertNotEquals(spec, new OnheapIncrementalIndex.Spec());
  }

  @Test
  void tuningConfigs() throws JsonProcessingException {
    final String tuningConfig =
        "{\"type\": \"index_parallel\", \"appendableIndexSpec\": {\"type\": \"shapeshift\"}}";
    final ParallelIndexTuningConfig task = JSON.readValue(tuningConfig, ParallelIndexTuningConfig.class);
    assertEquals(new ShapeShiftAppendableIndexSpec(false), task.getAppendableIndexSpec());
    assertEquals(task, JSON.readValue(JSON.writeValueAsString(task), ParallelIndexTuningConfig.class));
    final ClientCompactionTaskQueryTuningConfig compaction =
        JSON.readValue(tuningConfig, ClientCompactionTaskQueryTuningConfig.class);
    assertEquals(
        compaction,
        JSON.readValue(JSON.writeValueAsString(compaction), ClientCompactionTaskQueryTuningConfig.class)
    );
    assertEquals(new ShapeShiftAppendableIndexSpec(null), compaction.getAppendableIndexSpec());
  }

  @Test
  void makesIndexes() {
    final ShapeShiftAppendableIndexSpec spec = new ShapeShiftAppendableIndexSpec(null);
    assertFalse(spec.isPreserveExistingMetrics());
    assertTrue(spec.getDefaultMaxBytesInMemory() > 0);
    assertTrue(spec.getDefaultMaxBytesInMemory() <= Runtime.getRuntime().maxMemory() / 6);
    try (IncrementalIndex index = spec.builder()
             .setIndexSchema(new IncrementalIndexSchema.Builder().build()).setMaxRowCount(1).build()) {
      assertInstanceOf(ShapeShiftIncrementalIndex.class, index);
    }
  }
}
