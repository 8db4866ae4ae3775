// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static io.shapeshift.druid.cluster.Wikiticker.SHAPE_SHIFT;
import static io.shapeshift.druid.cluster.Wikiticker.STOCK;
import static io.shapeshift.druid.cluster.Wikiticker.compaction;
import static io.shapeshift.druid.cluster.Wikiticker.encodeAndIndex;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.cluster.DruidApi.Segment;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests batch ingestion, merges, compaction and projections with shape-shifting columns, in each version of the segment
 * format. The columns must shape-shift, and all queries must give the same answers as for the same rows in Druid's own
 * columns. Each version has a subclass, so that two clusters can run at the same time.
 */
abstract class EmbeddedClusterContract {
  /** Versions of the segment format that Druid 37 can write. */
  enum SegmentVersion {
    V9("version.bin"),
    V10("druid.segment");

    /** File that only segments of this version have. */
    final String file;

    SegmentVersion(String file) {
      this.file = file;
    }

    /** File of a column of the base table. */
    String fileOf(String column) {
      return this == V10 ? "__base/" + column : column;
    }
  }

  static final Duration TASK_TIMEOUT = Duration.ofMinutes(2);
  static final Duration SERVE_TIMEOUT = Duration.ofMinutes(1);
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
  static Wikiticker wikiticker;
  static SegmentVersion version;

  private static DruidCluster cluster;
  private static Map<NativeQuery, List<JsonNode>> expected;

  /** Starts a cluster that writes segments of a version, and ingests the sample in Druid's own columns. */
  static void startAndIngestStock(SegmentVersion written) throws Exception {
    version = written;
    Path home = directory.resolve(version.name());
    wikiticker = Wikiticker.extractSixthTo(home.resolve("sample"));
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

  /** Compacts one segment into several, then into one in Druid's own columns, and then into a shape-shifting one. */
  @Test
  void oneTaskAndCompactionsToAndFro() throws Exception {
    runAndServe("single", encodeAndIndex(wikiticker.ingestion("single"), SHAPE_SHIFT));
    assertEquals(1, druid.segments("single").size());
    assertShapeShiftsAndAnswers("single");

    ObjectNode split = compaction("single", """
        {"tuningConfig": {"partitionsSpec": {"maxRowsPerSegment": 2500}}}""");
    runAndServe("single", encodeAndIndex(split, SHAPE_SHIFT));
    assertTrue(druid.segments("single").size() > 1, "one segment only");
    assertShapeShiftsAndAnswers("single");

    runAndServe("single", encodeAndIndex(compaction("single"), STOCK));
    assertEncodings("single", false);
    assertAnswers("single");

    runAndServe("single", encodeAndIndex(compaction("single"), SHAPE_SHIFT));
    assertShapeShiftsAndAnswers("single");
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
  void projections() throws Exception {
    runAndServe("projected", encodeAndIndex(wikiticker.ingestion("projected", PROJECTIONS), SHAPE_SHIFT));
    assertShapeShiftsAndAnswers("projected");
    for (String column : List.of("channel", "countryName", "isRobot")) {
      File segment = druid.segments("projected").get(0).directory();
      JsonNode descriptor = StoredColumn.descriptor(segment, "channels/" + column);
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
    // With this context Druid refuses a query that no projection can answer.
    NativeQuery forced = query.withContext("forceProjections", true);
    assertSame(query, query.rows(druid, "stock"), forced.rows(druid, "projected"));
  }

  // ---- operations

  static void runAndServe(String dataSource, ObjectNode task) {
    druid.run(task, TASK_TIMEOUT);
    druid.awaitServed(dataSource, SERVE_TIMEOUT);
  }

  static String inputFiles(String glob) {
    return "{\"spec\": {\"ioConfig\": {\"inputSource\": {\"filter\": \"" + glob + "\"}}}}";
  }

  // ---- assertions

  final void assertShapeShiftsAndAnswers(String dataSource) throws IOException {
    assertEncodings(dataSource, true);
    assertAnswers(dataSource);
  }

  final void assertEncodings(String dataSource, boolean shapeShifting) throws IOException {
    List<Segment> segments = druid.segments(dataSource);
    assertFalse(segments.isEmpty(), "no segments");
    for (Segment segment : segments) {
      assertEncodings(segment, shapeShifting);
    }
  }

  private void assertEncodings(Segment segment, boolean shapeShifting) throws IOException {
    assertTrue(new File(segment.directory(), version.file).exists(), () -> segment + " is not of version " + version);
    List<StoredColumn> columns = StoredColumn.strings(segment.directory());
    assertFalse(columns.isEmpty(), () -> "no string columns in " + segment);
    assertAll(columns.stream().map(
        column -> () -> assertEquals(shapeShifting, column.isShapeShifting(), column::toString)
    ));
    Set<String> multiValue = new TreeSet<>();
    columns.stream().filter(StoredColumn::isMultiValue).map(StoredColumn::name).forEach(multiValue::add);
    assertEquals(Set.of("flags", "pageWords"), multiValue);
    Path directory = segment.directory().toPath();
    assertEquals(shapeShifting, SegmentChecksums.exist(directory), segment::toString);
    if (shapeShifting) {
      assertEquals(List.of(), SegmentChecksums.read(directory).check(directory), segment::toString);
      JsonNode indexed = StoredColumn.descriptor(segment.directory(), version.fileOf(Wikiticker.INDEXED));
      assertTrue(indexed.at("/parts/0/hashIndex").asBoolean(), indexed::toString);
      JsonNode stock = StoredColumn.descriptor(segment.directory(), version.fileOf(Wikiticker.STOCK_COLUMN));
      assertFalse(stock.at("/parts/0/type").asText().startsWith("shapeshift."), stock::toString);
    }
  }

  static void assertAnswers(String dataSource) {
    assertAll(expected.entrySet().stream().map(
        entry -> () -> assertSame(entry.getKey(), entry.getValue(), entry.getKey().rows(druid, dataSource))
    ));
  }

  static void assertSame(NativeQuery query, List<JsonNode> expected, List<JsonNode> actual) {
    String difference = NativeQuery.difference(expected, actual);
    assertTrue(difference.isEmpty(), () -> query.name() + ": " + difference);
  }
}
