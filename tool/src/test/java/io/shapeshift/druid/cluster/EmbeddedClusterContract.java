// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static io.shapeshift.druid.cluster.Wikiticker.SHAPE_SHIFT;
import static io.shapeshift.druid.cluster.Wikiticker.STOCK;
import static io.shapeshift.druid.cluster.Wikiticker.compaction;
import static io.shapeshift.druid.cluster.Wikiticker.encode;
import static io.shapeshift.druid.cluster.Wikiticker.encodeAndIndex;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.cluster.DruidApi.Reply;
import io.shapeshift.druid.cluster.DruidApi.Segment;
import io.shapeshift.druid.segment.ShapeShiftModule;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.segment.cursor.QueriedCursorFactory;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.segment.ColumnLayout;
import io.shapeshift.druid.tool.segment.Druid;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.druid.java.util.common.io.smoosh.SmooshedFileMapper;
import org.apache.druid.segment.CursorFactory;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.TestHelper;
import org.apache.druid.segment.file.SegmentFileMapperV10;
import org.apache.druid.timeline.SegmentId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every way by which batch ingestion and compaction write a segment, with the option on: afterwards the columns must
 * shape-shift, and all queries must answer as they do for the same rows in Druid's own columns. Each version of the
 * segment format has a test of its own, so that two clusters may run at a time.
 */
abstract class EmbeddedClusterContract {
  /** The formats of a segment that Druid 37 can write. */
  enum SegmentVersion {
    V9("version.bin") {
      @Override
      JsonNode descriptor(File segment, String column) throws IOException {
        try (SmooshedFileMapper files = SmooshedFileMapper.load(segment)) {
          return DruidApi.parse(IndexMerger.SERIALIZER_UTILS.readString(files.mapFile(column)));
        }
      }
    },
    V10("druid.segment") {
      @Override
      JsonNode descriptor(File segment, String column) throws IOException {
        ObjectMapper json = TestHelper.makeJsonMapper();
        json.registerModules(new ShapeShiftModule().getJacksonModules());
        try (SegmentFileMapperV10 files = SegmentFileMapperV10.create(new File(segment, file), json)) {
          return json.valueToTree(files.getSegmentFileMetadata().getColumnDescriptors().get(column));
        }
      }
    };

    /** A file that only segments of this version have. */
    final String file;

    SegmentVersion(String file) {
      this.file = file;
    }

    /** The file of a column of the base table. */
    String fileOf(String column) {
      return this == V10 ? "__base/" + column : column;
    }

    /** How a column was written, in Druid's words; that of a projection is {@code projection/column}. */
    abstract JsonNode descriptor(File segment, String column) throws IOException;
  }

  private static final Duration TASK_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration SERVE_TIMEOUT = Duration.ofMinutes(1);
  private static final String PROJECTIONS = """
      {"spec": {"dataSchema": {"projections": [
        {
          "type": "aggregate",
          "name": "channels",
          "groupingColumns": [
            {"type": "string", "name": "channel"},
            {"type": "string", "name": "countryName"},
            {"type": "string", "name": "isRobot"}
          ],
          "aggregators": [
            {"type": "count", "name": "rows"},
            {"type": "longSum", "name": "added", "fieldName": "added"}
          ]
        }
      ]}}}""";

  @TempDir
  static Path directory;

  static DruidApi druid;

  private static DruidCluster cluster;
  private static Wikiticker wikiticker;
  private static Map<NativeQuery, List<JsonNode>> expected;

  private static SegmentVersion version;

  /** Starts a cluster that writes segments of a version, with the sample in Druid's own columns. */
  static void startAndIngestStock(SegmentVersion written) throws Exception {
    version = written;
    Path home = directory.resolve(version.name());
    wikiticker = Wikiticker.extractTo(home.resolve("sample"));
    boolean v10 = version == SegmentVersion.V10;
    cluster = DruidCluster.start(home.resolve("druid"), Map.of("druid.indexer.task.buildV10", String.valueOf(v10)));
    druid = cluster.api();
    runAndServe("stock", wikiticker.ingestion("stock"));
    expected = new LinkedHashMap<>();
    for (NativeQuery query : NativeQuery.all()) {
      List<JsonNode> rows = query.rows(druid, "stock");
      assertFalse(rows.isEmpty(), () -> "A query without an answer proves nothing: " + query.name());
      expected.put(query, rows);
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void stockSegmentsStayStock() throws Exception {
    assertEncodings("stock", false);
  }

  @Test
  void oneTask() throws Exception {
    runAndServe("single", encodeAndIndex(wikiticker.ingestion("single"), SHAPE_SHIFT));
    assertEquals(1, druid.segments("single").size());
    assertShapeShiftsAndAnswers("single");
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

  @Test
  void parallelTasksPartitionedByRange() throws Exception {
    ObjectNode task = wikiticker.ingestion("ranged", """
        {"spec": {"tuningConfig": {
          "forceGuaranteedRollup": true,
          "maxNumConcurrentSubTasks": 2,
          "partitionsSpec": {
            "type": "range", "partitionDimensions": ["channel", "namespace"], "targetRowsPerSegment": 15000
          }
        }}}""");
    runAndServe("ranged", encodeAndIndex(task, SHAPE_SHIFT));
    assertTrue(druid.segments("ranged").size() > 1, "one partition only");
    assertShapeShiftsAndAnswers("ranged");
  }

  /** What docs/extension.md has for operators to paste. */
  @Test
  void theTaskOfTheDocuments() throws Exception {
    String document = Files.readString(Path.of("..", "docs", "extension.md"));
    int begin = document.indexOf("{\n  \"type\": \"index_parallel\",\n  \"spec\"");
    ObjectNode task = (ObjectNode) DruidApi.parse(document.substring(begin, document.indexOf("```", begin)));
    String dataSource = task.at("/spec/dataSchema/dataSource").asText();
    runAndServe(dataSource, task);
    File segment = druid.segments(dataSource).get(0).directory();
    for (String column : List.of("page", "delta", "tags")) {
      JsonNode descriptor = version.descriptor(segment, version.fileOf(column));
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

  /** With rows off the heap while they are ingested: in one task, in several, in many persists, and compacting. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "one | {'partitionsSpec': {'type': 'dynamic'}, 'maxRowsInMemory': 4000}",
      "hashed | {'forceGuaranteedRollup': true, 'maxNumConcurrentSubTasks': 2,"
          + " 'partitionsSpec': {'type': 'hashed', 'numShards': 2, 'partitionDimensions': ['user']}}",
      "ranged | {'forceGuaranteedRollup': true, 'maxNumConcurrentSubTasks': 2, 'partitionsSpec':"
          + " {'type': 'range', 'partitionDimensions': ['channel'], 'targetRowsPerSegment': 15000}}",
  })
  void rowsOffTheHeap(String name, String tuningConfig) throws Exception {
    String dataSource = "off-heap-" + name;
    ObjectNode task = wikiticker.ingestion(
        dataSource,
        "{\"spec\": {\"tuningConfig\": " + tuningConfig.replace('\'', '"') + "}}",
        "{\"spec\": {\"tuningConfig\": " + Wikiticker.OFF_HEAP + "}}"
    );
    runAndServe(dataSource, encodeAndIndex(task, SHAPE_SHIFT));
    assertShapeShiftsAndAnswers(dataSource);
    ObjectNode compaction = compaction(dataSource, "{\"tuningConfig\": " + Wikiticker.OFF_HEAP + "}");
    runAndServe(dataSource, encodeAndIndex(compaction, SHAPE_SHIFT));
    assertShapeShiftsAndAnswers(dataSource);
  }

  @Test
  void manyPersistsMergedFewAtATime() throws Exception {
    ObjectNode task = wikiticker.ingestion("persists", """
        {"spec": {"tuningConfig": {"maxRowsInMemory": 4000, "maxColumnsToMerge": 60}}}""");
    runAndServe("persists", encodeAndIndex(task, SHAPE_SHIFT));
    assertShapeShiftsAndAnswers("persists");
  }

  @Test
  void appendingToStockSegments() throws Exception {
    runAndServe("appended", wikiticker.ingestion("appended", inputFiles("early.json")));
    ObjectNode append = wikiticker.ingestion(
        "appended",
        inputFiles("late-*.json"),
        "{\"spec\": {\"ioConfig\": {\"appendToExisting\": true}}}"
    );
    runAndServe("appended", encodeAndIndex(append, SHAPE_SHIFT));

    List<Segment> segments = druid.segments("appended");
    assertEquals(2, segments.size());
    assertEncodings(segments.get(0), false);
    assertEncodings(segments.get(1), true);
    assertAnswers("appended");
  }

  @Test
  void compactionTasksToAndFro() throws Exception {
    runAndServe("compacted", wikiticker.ingestion("compacted"));
    runAndServe("compacted", encodeAndIndex(compaction("compacted"), SHAPE_SHIFT));
    assertShapeShiftsAndAnswers("compacted");

    // Of one shape-shifting segment into several: reads and writes our columns.
    ObjectNode split = compaction("compacted", """
        {"tuningConfig": {"partitionsSpec": {"maxRowsPerSegment": 15000}}}""");
    runAndServe("compacted", encodeAndIndex(split, SHAPE_SHIFT));
    assertTrue(druid.segments("compacted").size() > 1, "one segment only");
    assertShapeShiftsAndAnswers("compacted");

    runAndServe("compacted", encodeAndIndex(compaction("compacted"), STOCK));
    assertEncodings("compacted", false);
    assertAnswers("compacted");
  }

  @Test
  void automaticCompactionEndsAndNoticesAnotherOption() throws Exception {
    runAndServe("auto", wikiticker.ingestion("auto"));
    druid.enableAutoCompaction();
    try {
      compactAutomatically("auto", SHAPE_SHIFT);
      assertShapeShiftsAndAnswers("auto");
      int chunks = chunks("auto", "page");

      compactAutomatically("auto", "{\"strategy\": \"shapeshift\", \"blockSize\": \"small\"}");
      assertShapeShiftsAndAnswers("auto");
      assertTrue(chunks("auto", "page") > chunks, "small blocks, but no more chunks than the " + chunks + " before");

      compactAutomatically("auto", STOCK);
      assertEncodings("auto", false);
    } finally {
      druid.deleteAutoCompaction("auto");
    }
  }

  @ParameterizedTest
  @CsvSource({"smaller, small", "fastbutsmallish, middle", "faster, large"})
  void everyOptimizationTargetAndBlockSize(String target, String blockSize) throws Exception {
    String dataSource = "option-" + target;
    String strategy = """
        {"strategy": "shapeshift", "optimizationTarget": "%s", "blockSize": "%s"}""".formatted(target, blockSize);
    runAndServe(dataSource, encodeAndIndex(wikiticker.ingestion(dataSource), strategy));
    assertShapeShiftsAndAnswers(dataSource);
  }

  @Test
  void projections() throws Exception {
    runAndServe("projected-stock", wikiticker.ingestion("projected-stock", PROJECTIONS));
    runAndServe("projected", encodeAndIndex(wikiticker.ingestion("projected", PROJECTIONS), SHAPE_SHIFT));
    assertShapeShiftsAndAnswers("projected");
    for (String column : List.of("channel", "countryName", "isRobot")) {
      JsonNode descriptor = version.descriptor(druid.segments("projected").get(0).directory(), "channels/" + column);
      assertEquals(
          ShapeShiftStringColumnPartSerde.TYPE,
          descriptor.path("parts").path(0).path("type").asText(),
          descriptor::toString
      );
    }

    NativeQuery query = new NativeQuery("groupBy over a projection", (ObjectNode) DruidApi.parse("""
        {
          "queryType": "groupBy",
          "granularity": "all",
          "intervals": ["2015-09-12/2015-09-13"],
          "dimensions": ["channel", "isRobot"],
          "filter": {"type": "not", "field": {"type": "selector", "dimension": "countryName", "value": "France"}},
          "aggregations": [
            {"type": "count", "name": "rows"},
            {"type": "longSum", "name": "added", "fieldName": "added"}
          ]
        }"""));
    List<JsonNode> fromRows = query.withContext("noProjections", true).rows(druid, "projected-stock");
    // With this in its context Druid refuses a query that no projection can answer.
    NativeQuery forced = query.withContext("forceProjections", true);
    assertSame(query, fromRows, forced.rows(druid, "projected-stock"));
    assertSame(query, fromRows, forced.rows(druid, "projected"));
  }

  /** Druid takes what makes cursors when the first segment is loaded: the extension has to be there before. */
  @Test
  void segmentsTellIndexesWhichRowsAreRead() throws IOException {
    IndexIO files = Druid.instance(IndexIO.class);
    try (QueryableIndex index = files.loadIndex(druid.segments("stock").get(0).directory())) {
      QueryableIndexSegment served = new QueryableIndexSegment(index, SegmentId.dummy("stock"));
      assertInstanceOf(QueriedCursorFactory.class, served.as(CursorFactory.class));
    }
  }

  /** Joins find the rows of a table that each server has by its hash index as they do by Druid's maps on the heap. */
  @Test
  void joinsWithABroadcastTable() throws Exception {
    JsonNode byMaps = join("broadcastJoinableMMapSegmentFactory");
    assertTrue(byMaps.size() > 1000, () -> "too few to prove anything: " + byMaps.size());
    assertEquals(byMaps, join("shapeshift.broadcast"));
  }

  /** Joins the sample with a table of each of its deltas, loaded by a segment loader. */
  private static JsonNode join(String segmentLoader) throws Exception {
    String table = "deltas-" + segmentLoader;
    ObjectNode task = wikiticker.ingestion(table, """
        {"spec": {
          "dataSchema": {"granularitySpec": {"queryGranularity": "day", "rollup": true}},
          "tuningConfig": {"indexSpec": {
            "hashIndexes": ["delta"], "segmentLoader": {"type": "%s", "keyColumns": ["delta"]}
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
    // Servers are told to load it one after another.
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

  // ---- operations

  private static void runAndServe(String dataSource, ObjectNode task) {
    druid.run(task, TASK_TIMEOUT);
    druid.awaitServed(dataSource, SERVE_TIMEOUT);
  }

  private static String inputFiles(String glob) {
    return "{\"spec\": {\"ioConfig\": {\"inputSource\": {\"filter\": \"" + glob + "\"}}}}";
  }

  private static ObjectNode autoCompaction(String dataSource, String strategy) {
    ObjectNode config = DruidApi.JSON.createObjectNode()
        .put("dataSource", dataSource)
        .put("skipOffsetFromLatest", "PT0S");
    config.withObject("/tuningConfig/partitionsSpec").put("type", "dynamic");
    return encodeAndIndex(config, strategy);
  }

  /** Sets the option and waits until the overlord has compacted once and sees nothing more to do. */
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

  // ---- assertions

  private void assertShapeShiftsAndAnswers(String dataSource) throws IOException {
    assertEncodings(dataSource, true);
    assertAnswers(dataSource);
  }

  private void assertEncodings(String dataSource, boolean shapeShifting) throws IOException {
    List<Segment> segments = druid.segments(dataSource);
    assertFalse(segments.isEmpty(), "no segments");
    for (Segment segment : segments) {
      assertEncodings(segment, shapeShifting);
    }
  }

  private void assertEncodings(Segment segment, boolean shapeShifting) throws IOException {
    assertTrue(new File(segment.directory(), version.file).exists(), () -> segment + " is not of version " + version);
    List<ColumnLayout> columns = ColumnLayout.read(segment.directory());
    assertFalse(columns.isEmpty(), () -> "no string columns in " + segment);
    assertAll(columns.stream().map(column -> () -> {
      assertEquals(shapeShifting, column.encoding().equals("shapeshift"), column::toString);
      assertEquals(shapeShifting, !column.forms().isEmpty(), column::toString);
    }));
    Set<String> multiValue = new TreeSet<>();
    columns.stream().filter(ColumnLayout::multiValue).map(ColumnLayout::name).forEach(multiValue::add);
    assertEquals(Set.of("flags", "pageWords"), multiValue);
    Path directory = segment.directory().toPath();
    assertEquals(shapeShifting, SegmentChecksums.exist(directory), segment::toString);
    if (shapeShifting) {
      assertEquals(List.of(), SegmentChecksums.read(directory).check(directory), segment::toString);
      JsonNode indexed = version.descriptor(segment.directory(), version.fileOf(Wikiticker.INDEXED));
      assertTrue(indexed.at("/parts/0/hashIndex").asBoolean(), indexed::toString);
    }
  }

  private static int chunks(String dataSource, String column) throws IOException {
    return ColumnLayout.read(druid.segments(dataSource).get(0).directory()).stream()
        .filter(layout -> layout.name().equals(column))
        .flatMap(layout -> layout.forms().values().stream())
        .mapToInt(FormUsage::chunks)
        .sum();
  }

  private static void assertAnswers(String dataSource) {
    assertAll(expected.entrySet().stream().map(
        entry -> () -> assertSame(entry.getKey(), entry.getValue(), entry.getKey().rows(druid, dataSource))
    ));
  }

  private static void assertSame(NativeQuery query, List<JsonNode> expected, List<JsonNode> actual) {
    String difference = NativeQuery.difference(expected, actual);
    assertTrue(difference.isEmpty(), () -> query.name() + ": " + difference);
  }
}
