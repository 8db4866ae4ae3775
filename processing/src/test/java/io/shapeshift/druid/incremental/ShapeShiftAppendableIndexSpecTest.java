// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.incremental.index.ShapeShiftIncrementalIndex;
import io.shapeshift.druid.segment.TestSegments;
import java.util.List;
import java.util.Map;
import org.apache.druid.client.indexing.ClientCompactionTaskQueryTuningConfig;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.guice.IndexingServiceTuningConfigModule;
import org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexTuningConfig;
import org.apache.druid.jackson.AppendableIndexModule;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.segment.incremental.AppendableIndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.apache.druid.server.coordinator.DataSourceCompactionConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON of the option in a tuningConfig. */
class ShapeShiftAppendableIndexSpecTest {
  private static final ObjectMapper JSON =
      TestSegments.JSON.copy().registerModules(new IndexingServiceTuningConfigModule().getJacksonModules());
  /** Without the extension. */
  private static final ObjectMapper STOCK_JSON = new DefaultObjectMapper()
      .registerModules(new IndexingServiceTuningConfigModule().getJacksonModules())
      .registerModule(new AppendableIndexModule());

  @ParameterizedTest
  @ValueSource(strings = {
      "{\"type\": \"shapeshift\"}",
      "{\"type\": \"shapeshift\", \"preserveExistingMetrics\": false}",
      "{\"type\": \"shapeshift\", \"preserveExistingMetrics\": true}"
  })
  void json(String json) throws JsonProcessingException {
    final AppendableIndexSpec spec = JSON.readValue(json, AppendableIndexSpec.class);
    assertEquals(JSON.readTree(json), JSON.valueToTree(spec));
    assertEquals(spec, JSON.readValue(JSON.writeValueAsString(spec), AppendableIndexSpec.class));
    assertEquals(spec.hashCode(), JSON.readValue(json, AppendableIndexSpec.class).hashCode());
    assertEquals(json.contains("true"), preserves(spec));
    assertEquals(json.contains("true"), new ShapeShiftAppendableIndexSpec(true).equals(spec));
    assertEquals(json.contains("false"), new ShapeShiftAppendableIndexSpec(false).equals(spec));
    assertNotEquals(spec, new OnheapIncrementalIndex.Spec());
  }

  /** Whether an input that has the metric's value is combined with the others. */
  private static boolean preserves(AppendableIndexSpec spec) {
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withMetrics(new CountAggregatorFactory("count")).withRollup(true).build();
    try (IncrementalIndex index = spec.builder().setIndexSchema(schema).setMaxRowCount(10).build()) {
      index.add(new MapBasedInputRow(0, List.of(), Map.of("count", 7)));
      final long count = index.getMetricLongValue(0, 0);
      assertTrue(count == 1 || count == 7, () -> "count: " + count);
      return count == 7;
    }
  }

  /**
   * The spec that a task reads, after Coordinator or Overlord made its tuningConfig from that of automatic compaction,
   * with and without a metricsSpec.
   */
  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', value = {
      "{}, true",
      "{'preserveExistingMetrics': null}, true",
      "{'preserveExistingMetrics': true}, true",
      "{'preserveExistingMetrics': false}, false"
  })
  void automaticCompactionPreservesMetrics(String flag, boolean preserves) throws JsonProcessingException {
    final ObjectNode index = (ObjectNode) JSON.readTree(flag.replace('\'', '"'));
    final ObjectNode config = JSON.createObjectNode().put("dataSource", "t");
    config.withObject("/tuningConfig").set("appendableIndexSpec", index.put("type", "shapeshift"));
    final DataSourceCompactionConfig read = JSON.treeToValue(config, DataSourceCompactionConfig.class);
    // It is stored as JSON.
    final DataSourceCompactionConfig stored =
        JSON.readValue(JSON.writeValueAsString(read), DataSourceCompactionConfig.class);
    assertEquals(read, stored);
    for (boolean hasMetricsSpec : new boolean[] {false, true}) {
      final ClientCompactionTaskQueryTuningConfig submitted =
          ClientCompactionTaskQueryTuningConfig.from(stored.getTuningConfig(), null, hasMetricsSpec);
      final ParallelIndexTuningConfig task =
          JSON.readValue(JSON.writeValueAsString(submitted), ParallelIndexTuningConfig.class);
      assertEquals(new ShapeShiftAppendableIndexSpec(preserves), task.getAppendableIndexSpec());
      assertEquals(preserves, preserves(task.getAppendableIndexSpec()));
    }
  }

  /** A service without the extension loses the flag if it is not written. */
  @Test
  void druidAloneReadsTheFlagAsItsOwn() throws JsonProcessingException {
    assertEquals(
        new OnheapIncrementalIndex.Spec(false),
        STOCK_JSON.readValue("{\"type\": \"shapeshift\"}", AppendableIndexSpec.class)
    );
    for (boolean preserves : new boolean[] {false, true}) {
      assertEquals(
          new OnheapIncrementalIndex.Spec(preserves),
          STOCK_JSON.treeToValue(
              JSON.valueToTree(new ShapeShiftAppendableIndexSpec(preserves)), AppendableIndexSpec.class)
      );
    }
  }

  /** Druid's default stays where the spec is not ours. */
  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"appendableIndexSpec\": {\"type\": \"onheap\"}}"})
  void automaticCompactionWithoutOursIsStock(String tuningConfig) throws JsonProcessingException {
    final String config = "{\"dataSource\": \"t\", \"tuningConfig\": " + tuningConfig + "}";
    for (boolean hasMetricsSpec : new boolean[] {false, true}) {
      assertEquals(
          ClientCompactionTaskQueryTuningConfig.from(
              STOCK_JSON.readValue(config, DataSourceCompactionConfig.class).getTuningConfig(), null, hasMetricsSpec),
          ClientCompactionTaskQueryTuningConfig.from(
              JSON.readValue(config, DataSourceCompactionConfig.class).getTuningConfig(), null, hasMetricsSpec)
      );
    }
  }

  @Test
  void tuningConfigs() throws JsonProcessingException {
    final String tuningConfig =
        "{\"type\": \"index_parallel\", \"appendableIndexSpec\": {\"type\": \"shapeshift\"}}";
    final ParallelIndexTuningConfig task = JSON.readValue(tuningConfig, ParallelIndexTuningConfig.class);
    assertEquals(new ShapeShiftAppendableIndexSpec(null), task.getAppendableIndexSpec());
    assertFalse(preserves(task.getAppendableIndexSpec()));
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
    assertTrue(spec.getDefaultMaxBytesInMemory() > 0);
    assertTrue(spec.getDefaultMaxBytesInMemory() <= Runtime.getRuntime().maxMemory() / 6);
    try (IncrementalIndex index = spec.builder()
             .setIndexSchema(new IncrementalIndexSchema.Builder().build()).setMaxRowCount(1).build()) {
      assertInstanceOf(ShapeShiftIncrementalIndex.class, index);
    }
  }
}
