// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Checks counts and sums of a data source with roll-up, before and after automatic compaction with a metricsSpec and
 * rows off the heap: once with the configuration of docs/extension.md, and once without the flag that is explained
 * there.
 */
final class AutoCompactedMetrics {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final DruidApi druid;
  /** Configurations by data source. */
  private final Map<String, ObjectNode> configs = new LinkedHashMap<>();

  AutoCompactedMetrics(DruidApi druid) throws IOException {
    this.druid = druid;
    configs.put("metrics-documented", documented());
    ObjectNode silent = documented();
    assertNotEquals(null, silent.withObject("/tuningConfig/appendableIndexSpec").remove("preserveExistingMetrics"));
    configs.put("metrics-silent", silent);
    configs.forEach((dataSource, config) ->
        config.put("dataSource", dataSource).put("skipOffsetFromLatest", "PT0S"));
  }

  private static ObjectNode documented() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "extension.md"));
    int begin = document.indexOf("{\n  \"dataSource\": \"edits\",\n  \"metricsSpec\"");
    return (ObjectNode) DruidApi.parse(document.substring(begin, document.indexOf("```", begin)));
  }

  /** Three rows of each of two pages are rolled up into one each, and then compacted. */
  void assertKept() {
    Map<String, String> versions = new LinkedHashMap<>();
    configs.forEach((dataSource, config) -> {
      druid.run(ingestion(dataSource, config.get("metricsSpec")), TIMEOUT);
      versions.put(dataSource, druid.segments(dataSource).get(0).version());
      druid.awaitServed(dataSource, TIMEOUT);
      assertAnswers(dataSource);
    });
    druid.enableAutoCompaction();
    configs.forEach((dataSource, config) ->
        assertEquals(200, druid.setAutoCompaction(dataSource, config).status(), dataSource));
    try {
      versions.forEach((dataSource, version) -> {
        DruidApi.await(
            "automatic compaction of " + dataSource,
            TIMEOUT,
            () -> druid.segments(dataSource).get(0).version(),
            current -> !current.equals(version)
        );
        druid.awaitServed(dataSource, TIMEOUT);
        assertAnswers(dataSource);
      });
    } finally {
      configs.keySet().forEach(druid::deleteAutoCompaction);
    }
  }

  private static ObjectNode ingestion(String dataSource, JsonNode metrics) {
    ObjectNode task = (ObjectNode) DruidApi.parse("""
        {"type": "index_parallel", "spec": {
          "dataSchema": {
            "dataSource": "%s",
            "timestampSpec": {"column": "t"},
            "dimensionsSpec": {"dimensions": ["page"]},
            "granularitySpec": {"segmentGranularity": "day", "queryGranularity": "day", "rollup": true}
          },
          "ioConfig": {
            "type": "index_parallel",
            "inputSource": {"type": "inline"},
            "inputFormat": {"type": "csv", "columns": ["t", "page", "added"]}
          },
          "tuningConfig": {"type": "index_parallel"}
        }}""".formatted(dataSource));
    task.withObject("/spec/dataSchema").set("metricsSpec", metrics);
    task.withObject("/spec/ioConfig/inputSource").put("data", """
        2015-09-12T01:00,a,1
        2015-09-12T02:00,a,20
        2015-09-12T03:00,a,300
        2015-09-12T04:00,b,4000
        2015-09-12T05:00,b,50000
        2015-09-12T06:00,b,600000""");
    return task;
  }

  private void assertAnswers(String dataSource) {
    JsonNode answer = druid.query(DruidApi.parse("""
        {
          "queryType": "groupBy",
          "dataSource": "%s",
          "granularity": "all",
          "intervals": ["2015-09-12/2015-09-13"],
          "dimensions": ["page"],
          "aggregations": [
            {"type": "count", "name": "rows"},
            {"type": "longSum", "name": "count", "fieldName": "count"},
            {"type": "longSum", "name": "sum_added", "fieldName": "sum_added"}
          ]
        }""".formatted(dataSource)));
    assertEquals(
        DruidApi.parse("""
            [
              {"page": "a", "rows": 1, "count": 3, "sum_added": 321},
              {"page": "b", "rows": 1, "count": 3, "sum_added": 654000}
            ]"""),
        DruidApi.JSON.valueToTree(answer.findValues("event")),
        dataSource
    );
  }
}
