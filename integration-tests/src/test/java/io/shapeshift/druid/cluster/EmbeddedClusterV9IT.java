// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static io.shapeshift.druid.cluster.Wikiticker.SHAPE_SHIFT;
import static io.shapeshift.druid.cluster.Wikiticker.STOCK;
import static io.shapeshift.druid.cluster.Wikiticker.compaction;
import static io.shapeshift.druid.cluster.Wikiticker.encode;
import static io.shapeshift.druid.cluster.Wikiticker.encodeAndIndex;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.cluster.DruidApi.Reply;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.cursor.QueriedCursorFactory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.druid.segment.CursorFactory;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.timeline.SegmentId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests a Druid that writes segments of version 9, and everything that does not depend on the version: further ways to
 * partition and to keep rows, options and their errors, automatic compaction and joins.
 */
class EmbeddedClusterV9IT extends EmbeddedClusterContract {
  @BeforeAll
  static void start() throws Exception {
    startAndIngestStock(SegmentVersion.V9);
  }

  @Test
  void automaticCompactionKeepsMetrics() throws IOException {
    new AutoCompactedMetrics(druid).assertKept();
  }

  @Test
  void parallelTasksPartitionedByRange() throws Exception {
    ObjectNode task = wikiticker.ingestion("ranged", """
        {"spec": {"tuningConfig": {
          "forceGuaranteedRollup": true,
          "maxNumConcurrentSubTasks": 2,
          "partitionsSpec": {
            "type": "range", "partitionDimensions": ["channel", "namespace"], "targetRowsPerSegment": 2500
          }
        }}}""");
    runAndServe("ranged", encodeAndIndex(task, """
        {"strategy": "shapeshift", "optimizationTarget": "faster", "blockSize": "middle"}"""));
    assertTrue(druid.segments("ranged").size() > 1, "one partition only");
    assertShapeShiftsAndAnswers("ranged");
  }

  @Test
  void parallelTasksPartitionedByHash() throws Exception {
    ObjectNode task = wikiticker.ingestion("hashed", """
        {"spec": {"tuningConfig": {
          "forceGuaranteedRollup": true,
          "maxNumConcurrentSubTasks": 2,
          "partitionsSpec": {"type": "hashed", "numShards": 2, "partitionDimensions": ["user", "page"]}
        }}}""");
    runAndServe("hashed", encodeAndIndex(task, SHAPE_SHIFT));
    assertEquals(2, druid.segments("hashed").size());
    assertShapeShiftsAndAnswers("hashed");
  }

  /** Runs the JSON blocks of docs/extension.md. */
  @Test
  void theTaskOfTheDocuments() throws Exception {
    String document = Files.readString(Path.of("..", "docs", "extension.md"));
    int begin = document.indexOf("{\n  \"type\": \"index_parallel\",\n  \"spec\"");
    ObjectNode task = (ObjectNode) DruidApi.parse(document.substring(begin, document.indexOf("```", begin)));
    String dataSource = task.at("/spec/dataSchema/dataSource").asText();
    runAndServe(dataSource, task);
    File segment = druid.segments(dataSource).get(0).directory();
    for (String column : List.of("page", "delta", "tags")) {
      JsonNode descriptor = StoredColumn.descriptor(segment, version.fileOf(column));
      assertTrue(descriptor.toString().contains("\"shapeshift."), descriptor::toString);
    }
    JsonNode answer = druid.query((ObjectNode) DruidApi.parse("""
        {
          "queryType": "timeseries",
          "dataSource": "%s",
          "granularity": "all",
          "intervals": ["2015-09-12/2015-09-13"],
          "filter": {"type": "equals", "column": "page", "matchValueType": "STRING", "matchValue": "Rallicula"},
          "aggregations": [{"type": "longSum", "name": "delta", "fieldName": "delta"}]
        }""".formatted(dataSource)));
    assertEquals(17, answer.at("/0/result/delta").asInt(), answer::toString);
  }

  /**
   * Ingests with rows off the heap: in one task, in several, with many persists, and compacting, with each optimization
   * target and size of blocks.
   */
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "one | smaller | small | {'partitionsSpec': {'type': 'dynamic'}, 'maxRowsInMemory': 2500}",
      "hashed | fastbutsmallish | middle | {'forceGuaranteedRollup': true, 'maxNumConcurrentSubTasks': 2,"
          + " 'partitionsSpec': {'type': 'hashed', 'numShards': 2, 'partitionDimensions': ['user']}}",
      "ranged | faster | large | {'forceGuaranteedRollup': true, 'maxNumConcurrentSubTasks': 2, 'partitionsSpec':"
          + " {'type': 'range', 'partitionDimensions': ['channel'], 'targetRowsPerSegment': 2500}}",
  })
  void rowsOffTheHeap(String name, String target, String blockSize, String tuningConfig) throws Exception {
    String dataSource = "off-heap-" + name;
    String strategy = """
        {"strategy": "shapeshift", "optimizationTarget": "%s", "blockSize": "%s"}""".formatted(target, blockSize);
    ObjectNode task = wikiticker.ingestion(
        dataSource,
        "{\"spec\": {\"tuningConfig\": " + tuningConfig.replace('\'', '"') + "}}",
        "{\"spec\": {\"tuningConfig\": " + Wikiticker.OFF_HEAP + "}}"
    );
    runAndServe(dataSource, encodeAndIndex(task, strategy));
    assertShapeShiftsAndAnswers(dataSource);
    if (name.equals("one")) {
      ObjectNode compaction = compaction(dataSource, "{\"tuningConfig\": " + Wikiticker.OFF_HEAP + "}");
      runAndServe(dataSource, encodeAndIndex(compaction, SHAPE_SHIFT));
      assertShapeShiftsAndAnswers(dataSource);
    }
  }

  @Test
  void manyPersistsMergedFewAtATime() throws Exception {
    ObjectNode task = wikiticker.ingestion("persists", """
        {"spec": {"tuningConfig": {"maxRowsInMemory": 2000, "maxColumnsToMerge": 60}}}""");
    runAndServe("persists", encodeAndIndex(task, """
        {"strategy": "shapeshift", "optimizationTarget": "smaller", "blockSize": "small"}"""));
    assertShapeShiftsAndAnswers("persists");
  }

  @Test
  void automaticCompactionEndsAndNoticesAnotherOption() throws Exception {
    runAndServe("auto", wikiticker.ingestion("auto"));
    druid.enableAutoCompaction();
    try {
      compactAutomatically("auto", SHAPE_SHIFT);
      assertShapeShiftsAndAnswers("auto");
      Map<String, Integer> before = chunks("auto", "deleted", "pageWords");

      compactAutomatically("auto", "{\"strategy\": \"shapeshift\", \"blockSize\": \"small\"}");
      assertShapeShiftsAndAnswers("auto");
      chunks("auto", "deleted", "pageWords").forEach((column, chunks) -> assertTrue(
          chunks > before.get(column), column + ": " + chunks + " chunks of small blocks, and before " + before));

      compactAutomatically("auto", STOCK);
      assertEncodings("auto", false);
    } finally {
      druid.deleteAutoCompaction("auto");
    }
  }

  /** Druid loads the cursor factories with the first segment, so that the extension must be there before. */
  @Test
  void segmentsTellIndexesWhichRowsAreRead() throws IOException {
    try (QueryableIndex index = TestSegments.open(druid.segments("stock").get(0).directory())) {
      QueryableIndexSegment served = new QueryableIndexSegment(index, SegmentId.dummy("stock"));
      assertInstanceOf(QueriedCursorFactory.class, served.as(CursorFactory.class));
    }
  }

  /** Joins by hash index give the same rows as joins by Druid's maps on the heap. */
  @Test
  void joinsWithABroadcastTable() throws Exception {
    JsonNode byMaps = join("broadcastJoinableMMapSegmentFactory");
    assertTrue(byMaps.size() > 1000, () -> "too few to prove anything: " + byMaps.size());
    assertEquals(byMaps, join("shapeshift.broadcast"));
  }

  /** Joins the sample with a table of its deltas, loaded by a segment loader. */
  private static JsonNode join(String segmentLoader) throws Exception {
    String table = "deltas-" + segmentLoader;
    ObjectNode task = wikiticker.ingestion(table, """
        {"spec": {
          "dataSchema": {"granularitySpec": {"queryGranularity": "day", "rollup": true}},
          "tuningConfig": {"indexSpec": {
            "columns": {"delta": {"hashIndex": true}}, "segmentLoader": {"type": "%s", "keyColumns": ["delta"]}
          }}
        }}""".formatted(segmentLoader));
    ObjectNode schema = task.withObject("/spec/dataSchema");
    schema.set("dimensionsSpec", DruidApi.parse("{\"dimensions\": [{\"type\": \"long\", \"name\": \"delta\"}]}"));
    schema.set(
        "metricsSpec", DruidApi.parse("[{\"type\": \"longMax\", \"name\": \"most\", \"fieldName\": \"added\"}]"));
    druid.broadcast(table);
    runAndServe(table, encodeAndIndex(task, SHAPE_SHIFT));
    File factory = new File(druid.segments(table).get(0).directory(), "factory.json");
    assertEquals(segmentLoader, DruidApi.JSON.readTree(factory).path("type").asText());
    JsonNode query = DruidApi.parse("""
        {
          "queryType": "groupBy",
          "dataSource": {
            "type": "join",
            "left": {"type": "table", "name": "stock"},
            "right": {"type": "globalTable", "name": "%s"},
            "rightPrefix": "d.",
            "condition": "delta == \\"d.delta\\"",
            "joinType": "INNER"
          },
          "granularity": "all",
          "intervals": ["2015-09-12/2015-09-13"],
          "dimensions": [{"type": "default", "dimension": "d.delta", "outputName": "delta", "outputType": "LONG"}],
          "aggregations": [
            {"type": "count", "name": "rows"},
            {"type": "longSum", "name": "most", "fieldName": "d.most"}
          ]
        }""".formatted(table));
    // Servers are told one after another to load it.
    return DruidApi.await(
        "each server to have " + table,
        SERVE_TIMEOUT,
        () -> druid.tryQuery(query),
        reply -> reply.status() == 200
    ).json();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "encodingStrategy | {'strategy': 'nonsense'} | shapeshift, compression",
      "intEncodingStrategy | {'strategy': 'shapeshift', 'blokSize': 'large'} | optimizationTarget, blockSize",
      "longEncodingStrategy | {'strategy': 'shapeshift', 'optimizationTarget': 'fastest'}"
          + " | smaller, fastbutsmallish, faster",
      "doubleEncodingStrategy | {'strategy': 'shapeshift', 'blockSize': 'tiny'} | large, middle, small",
      "floatEncodingStrategy | 'shapeshifting' | shapeshift, compression",
      "columns | {'raw': {'indexEncodingStrategy': 'none'}} | columns.raw.indexEncodingStrategy, compression",
  })
  void aBadValueIsRejectedWithWhatIsAllowed(String property, String strategy, String allowed) {
    String json = strategy.replace('\'', '"');
    assertRejected(druid.submit(encode(wikiticker.ingestion("rejected"), property, json)), property, allowed);
    assertRejected(druid.submit(encode(compaction("rejected"), property, json)), property, allowed);
    ObjectNode config = encode(autoCompaction("rejected", STOCK), property, json);
    assertRejected(druid.setAutoCompaction("rejected", config), property, allowed);
    assertEquals(List.of(), druid.taskIds("rejected"));
  }

  private static void assertRejected(Reply reply, String property, String allowed) {
    assertEquals(400, reply.status(), reply.body());
    List<String> words = new ArrayList<>(List.of(allowed.split(", ", -1)));
    words.add(property);
    for (String word : words) {
      assertTrue(reply.body().contains(word), () -> "The message does not name " + word + ": " + reply.body());
    }
  }

  /** Sets the option, and waits until the overlord has compacted once and has nothing more to do. */
  private static void compactAutomatically(String dataSource, String strategy) throws InterruptedException {
    String before = druid.segments(dataSource).get(0).version();
    int tasksBefore = druid.taskIds(dataSource).size();
    Reply reply = druid.setAutoCompaction(dataSource, autoCompaction(dataSource, strategy));
    assertEquals(200, reply.status(), reply.body());
    DruidApi.await(
        "automatic compaction of " + dataSource + " with " + strategy,
        TASK_TIMEOUT,
        () -> druid.segments(dataSource).get(0).version(),
        version -> !version.equals(before)
    );
    druid.awaitServed(dataSource, SERVE_TIMEOUT);
    DruidApi.await(
        "automatic compaction of " + dataSource + " to find nothing more to do",
        SERVE_TIMEOUT,
        () -> druid.compactionStatus(dataSource),
        status -> status.path("segmentCountCompacted").asInt() > 0
            && status.path("segmentCountAwaitingCompaction").asInt() == 0
    );
    TimeUnit.SECONDS.sleep(3); // The scheduler looks every second.
    assertEquals(tasksBefore + 1, druid.taskIds(dataSource).size(), "compaction tasks: it loops");
  }

  private static ObjectNode autoCompaction(String dataSource, String strategy) {
    ObjectNode config = DruidApi.JSON.createObjectNode()
        .put("dataSource", dataSource)
        .put("skipOffsetFromLatest", "PT0S");
    config.withObject("/tuningConfig/partitionsSpec").put("type", "dynamic");
    return encodeAndIndex(config, strategy);
  }

  private static Map<String, Integer> chunks(String dataSource, String... columns) throws IOException {
    final Set<String> wanted = Set.of(columns);
    return StoredColumn.of(druid.segments(dataSource).get(0).directory()).stream()
        .filter(column -> wanted.contains(column.name()))
        .collect(Collectors.toMap(StoredColumn::name, StoredColumn::chunks));
  }
}
