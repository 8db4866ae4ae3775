// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Specification of a supervisor that reads {@link StreamedRows}. Its tasks persist often: by rows where they have a
 * process of their own, and by the bytes of the worker in Druid's Indexer, which may be too few for Druid's check.
 *
 * @param rows    how rows are kept in memory: {@code shapeshift} for off the heap, {@code onheap} for Druid's own
 * @param columns encoding strategy of the segments
 */
record StreamSpec(
    String dataSource,
    boolean rollup,
    boolean discovery,
    String rows,
    String columns,
    int tasks,
    int replicas
) {
  static final String OFF_HEAP = "shapeshift";
  static final String ON_HEAP = "onheap";

  /** The same with other rows and columns. */
  StreamSpec with(String otherRows, String otherColumns) {
    return new StreamSpec(dataSource, rollup, discovery, otherRows, otherColumns, tasks, replicas);
  }

  ObjectNode json(KafkaBroker kafka, String topic) {
    ObjectNode spec = (ObjectNode) DruidApi.parse("""
        {
          "type": "kafka",
          "spec": {
            "dataSchema": {
              "timestampSpec": {"column": "time", "format": "iso"},
              "metricsSpec": [
                {"type": "count", "name": "rows"},
                {"type": "longSum", "name": "value", "fieldName": "value"},
                {"type": "doubleSum", "name": "price", "fieldName": "price"},
                {"type": "longMax", "name": "greatest", "fieldName": "value"}
              ],
              "granularitySpec": {"segmentGranularity": "DAY"}
            },
            "ioConfig": {
              "inputFormat": {"type": "json"},
              "useEarliestOffset": true,
              "startDelay": "PT0S",
              "period": "PT1S",
              "taskDuration": "PT1H",
              "completionTimeout": "PT2M"
            },
            "tuningConfig": {"type": "kafka", "maxRowsInMemory": 400, "skipBytesInMemoryOverheadCheck": true}
          }
        }""");
    ObjectNode schema = spec.withObject("/spec/dataSchema");
    schema.put("dataSource", dataSource);
    schema.withObject("/granularitySpec").put("rollup", rollup).put("queryGranularity", rollup ? "HOUR" : "NONE");
    schema.set("dimensionsSpec", DruidApi.parse(dimensions()));
    ObjectNode io = spec.withObject("/spec/ioConfig");
    io.put("topic", topic).put("taskCount", tasks).put("replicas", replicas);
    io.withObject("/consumerProperties").put("bootstrap.servers", kafka.address());
    ObjectNode tuningConfig = spec.withObject("/spec/tuningConfig");
    tuningConfig.withObject("/appendableIndexSpec").put("type", rows);
    tuningConfig.withObject("/indexSpec").set("encodingStrategy", DruidApi.parse(columns));
    return spec;
  }

  private String dimensions() {
    if (discovery) {
      return "{\"useSchemaDiscovery\": true}";
    } else if (rollup) {
      return "{\"dimensions\": [\"partition\", \"channel\", \"name\", \"late\"]}";
    }
    return """
        {"dimensions": [
          {"type": "long", "name": "id"}, "partition", "channel", "name", "tags", "late",
          {"type": "json", "name": "user"}
        ]}""";
  }
}
