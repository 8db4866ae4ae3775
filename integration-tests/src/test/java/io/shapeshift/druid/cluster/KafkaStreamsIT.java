// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static io.shapeshift.druid.cluster.StreamSpec.OFF_HEAP;
import static io.shapeshift.druid.cluster.StreamSpec.ON_HEAP;
import static io.shapeshift.druid.cluster.Wikiticker.SHAPE_SHIFT;
import static io.shapeshift.druid.cluster.Wikiticker.STOCK;
import static io.shapeshift.druid.cluster.Wikiticker.encode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.shapeshift.druid.cluster.DruidApi.Segment;
import io.shapeshift.druid.cluster.DruidApi.TaskEnd;
import io.shapeshift.druid.kafka.KafkaExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests streams: Kafka, Druid's supervisors and tasks, queries while rows arrive, and the segments that are published.
 * One topic of three partitions is read by several supervisors at a time, with rows and columns of ours and of
 * Druid's. After each step all queries must give the answers of the rows that were sent, neither more nor fewer.
 *
 * <p>The tests are one story of one cluster, in order.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
class KafkaStreamsIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final int BATCH = 1_000;
  /**
   * Bytes in memory of each task, so that it persists several times: the Indexer ignores {@code maxBytesInMemory} and
   * {@code maxRowsInMemory}.
   */
  private static final int BYTES_OF_TASK = 300 * BATCH;

  private static final StreamSpec PLAIN =
      new StreamSpec("plain", false, false, OFF_HEAP, SHAPE_SHIFT, 2, 1);
  private static final StreamSpec ROLLED_UP =
      new StreamSpec("rolled-up", true, false, OFF_HEAP, SHAPE_SHIFT, 2, 2);
  private static final StreamSpec STOCK_ROWS =
      new StreamSpec("stock-rows", true, false, ON_HEAP, SHAPE_SHIFT, 1, 1);
  private static final StreamSpec STOCK_COLUMNS =
      new StreamSpec("stock-columns", false, false, OFF_HEAP, STOCK, 1, 1);
  private static final StreamSpec DISCOVERED =
      new StreamSpec("discovered", false, true, OFF_HEAP, SHAPE_SHIFT, 1, 1);
  /** Begins with Druid's own rows and columns. */
  private static final StreamSpec CHANGED =
      new StreamSpec("changed", false, false, ON_HEAP, STOCK, 1, 1);
  private static final List<StreamSpec> ALL =
      List.of(PLAIN, ROLLED_UP, STOCK_ROWS, STOCK_COLUMNS, DISCOVERED, CHANGED);
  /** Slots of each of two workers. Each task twice: one may still publish while the next reads. */
  private static final int SLOTS = ALL.stream().mapToInt(spec -> spec.tasks() * spec.replicas()).sum();

  @TempDir
  static Path directory;

  private static KafkaBroker kafka;
  private static DruidCluster cluster;
  private static DruidApi druid;
  private static StreamedRows rows;
  private static StreamedLoad load;

  @BeforeAll
  static void start() throws Exception {
    kafka = KafkaBroker.start(directory.resolve("kafka"));
    cluster = DruidCluster.start(
        directory.resolve("druid"),
        Map.of("druid.worker.globalIngestionHeapLimitBytes", String.valueOf((long) SLOTS * BYTES_OF_TASK)),
        2,
        SLOTS,
        List.of(KafkaExtension.class)
    );
    druid = cluster.api();
    rows = new StreamedRows(kafka, "rows", BATCH * 3 / 2);
    ALL.forEach(KafkaStreamsIT::supervise);
    load = new StreamedLoad(answers(PLAIN), rows);
  }

  @AfterAll
  static void stop() {
    if (load != null) {
      load.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  /** Bad records, missing values and rows that are sent twice among them. */
  @Test
  @Order(1)
  void rowsArrive() {
    sendAndAssertAnswers();
  }

  @Test
  @Order(2)
  void fieldsAppearLate() throws IOException {
    sendAndAssertAnswers();
    for (StreamSpec spec : ALL) {
      // So few rows that are rolled up need no persist.
      assertTrue(spec.rollup() || persists(spec) > 0, () -> spec.dataSource() + " was never persisted");
    }
  }

  /**
   * The rows of a task that is killed were not committed, so that its successor reads them again. They are counted in
   * what it publishes: rows in memory of a killed task stay in the queries of Druid's Indexer, in whose process all
   * tasks are. For tasks in processes of their own see {@link SeparateProcessesIT}.
   */
  @Test
  @Order(3)
  void aTaskOfEachIsKilled() {
    load.tasksEnd();
    for (StreamSpec spec : ALL) {
      druid.shutDown(druid.runningTasks(spec.dataSource()).get(0));
    }
    rows.send(BATCH);
    ALL.forEach(KafkaStreamsIT::awaitAllRead);
  }

  /** One task publishes, and the next one reads on. */
  @Test
  @Order(4)
  void tasksPublishAndOthersFollow() {
    ALL.forEach(spec -> druid.handOff(spec.dataSource(), spec.tasks() == 1 ? new int[] {0} : new int[] {0, 1}));
    rows.send(BATCH);
    for (StreamSpec spec : ALL) {
      DruidApi.await(spec.dataSource() + " to be published", TIMEOUT, () -> druid.segments(spec.dataSource()),
          segments -> segments.size() >= spec.tasks());
      assertAnswers(spec);
    }
  }

  @Test
  @Order(5)
  void fromStockToOursAndBackWhileItRuns() {
    Set<String> stock = Set.copyOf(druid.runningTasks(CHANGED.dataSource()));
    supervise(CHANGED.with(OFF_HEAP, SHAPE_SHIFT));
    // The tasks before would read what is sent now, if they do not publish yet.
    DruidApi.await("tasks of the changed stream to read", TIMEOUT,
        () -> druid.supervisorStatus(CHANGED.dataSource()), status -> areOthersReading(status, stock));
    rows.send(BATCH);
    assertAnswers(CHANGED);
    supervise(CHANGED);
    sendAndAssertAnswers();
  }

  @Test
  @Order(6)
  void laggingConsumersCatchUp() {
    List<StreamSpec> lagging = List.of(PLAIN, ROLLED_UP, DISCOVERED);
    lagging.forEach(spec -> druid.supervisor(spec.dataSource(), "suspend"));
    rows.send(2 * BATCH);
    lagging.forEach(spec -> druid.supervisor(spec.dataSource(), "resume"));
    sendAndAssertAnswers();
  }

  @Test
  @Order(7)
  void publishedSegments() throws IOException {
    ALL.forEach(spec -> druid.supervisor(spec.dataSource(), "terminate"));
    for (StreamSpec spec : ALL) {
      DruidApi.await("the tasks of " + spec.dataSource() + " to end", TIMEOUT,
          () -> druid.runningTasks(spec.dataSource()), List::isEmpty);
      druid.awaitServed(spec.dataSource(), TIMEOUT);
      answers(spec).assertAnswer(rows.sent());
    }
    load.assertAllRight();
    assertEquals(Set.of(true), encodings(PLAIN));
    assertEquals(Set.of(true), encodings(ROLLED_UP));
    assertEquals(Set.of(true), encodings(STOCK_ROWS));
    assertEquals(Set.of(false), encodings(STOCK_COLUMNS));
    assertEquals(Set.of(false, true), encodings(CHANGED));
  }

  @Test
  @Order(8)
  void compaction() throws IOException {
    Map<StreamSpec, String> tasks = new LinkedHashMap<>();
    for (StreamSpec spec : ALL) {
      assertTrue(druid.segments(spec.dataSource()).size() > 1, spec::dataSource);
      tasks.put(spec, druid.start(encode(Wikiticker.compaction(spec.dataSource()), SHAPE_SHIFT)));
    }
    for (StreamSpec spec : ALL) {
      TaskEnd end = druid.awaitEnd(tasks.get(spec), TIMEOUT);
      assertTrue(end.success(), end::error);
      druid.awaitServed(spec.dataSource(), TIMEOUT);
      assertEquals(1, druid.segments(spec.dataSource()).size(), spec::dataSource);
      answers(spec).assertAnswer(rows.sent());
    }
    assertEquals(Set.of(true), encodings(STOCK_COLUMNS));
    assertEquals(Set.of(true), encodings(CHANGED));
  }

  private static void supervise(StreamSpec spec) {
    druid.supervise(spec.json(kafka, rows.topic()));
  }

  private static void sendAndAssertAnswers() {
    rows.send(BATCH);
    ALL.forEach(KafkaStreamsIT::assertAnswers);
  }

  private static void assertAnswers(StreamSpec spec) {
    StreamedAnswers answers = answers(spec);
    DruidApi.await(spec.dataSource() + " to have all rows", TIMEOUT, answers::rows, n -> n == rows.sent().size());
    if (spec.replicas() > 1) {
      // Another replica may answer the next query, and still lag.
      awaitAllRead(spec);
    }
    answers.assertAnswer(rows.sent());
  }

  private static void awaitAllRead(StreamSpec spec) {
    DruidApi.await(spec.dataSource() + " to have read all rows", TIMEOUT,
        () -> druid.supervisorStatus(spec.dataSource()), status -> haveReadAll(status, spec));
  }

  private static boolean areOthersReading(JsonNode status, Set<String> former) {
    boolean isAny = false;
    for (JsonNode task : status.get("activeTasks")) {
      if (former.contains(task.get("id").asText()) || task.path("currentOffsets").isEmpty()) {
        return false;
      }
      isAny = true;
    }
    return isAny;
  }

  /** Whether as many tasks run as shall, and all are at the ends of their partitions. */
  private static boolean haveReadAll(JsonNode status, StreamSpec spec) {
    Map<String, Long> offsets = new HashMap<>();
    int reading = 0;
    for (JsonNode task : status.get("activeTasks")) {
      reading += task.path("currentOffsets").isEmpty() ? 0 : 1;
      task.path("currentOffsets").properties().forEach(
          offset -> offsets.merge(offset.getKey(), offset.getValue().asLong(), Math::min));
    }
    return reading == spec.tasks() * spec.replicas() && offsets.equals(rows.ends());
  }

  private static StreamedAnswers answers(StreamSpec spec) {
    return new StreamedAnswers(druid, spec.dataSource(), spec.rollup());
  }

  /** How often running tasks have persisted rows. */
  private static long persists(StreamSpec spec) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("druid"))) {
      return files
          .filter(file -> file.endsWith("version.bin") && file.toString().contains("index_kafka_" + spec.dataSource()))
          .count();
    }
  }

  /** Whether the columns of strings shape-shift, in any segment. */
  private static Set<Boolean> encodings(StreamSpec spec) throws IOException {
    Set<Boolean> encodings = new TreeSet<>();
    for (Segment segment : druid.segments(spec.dataSource())) {
      List<StoredColumn> columns = StoredColumn.strings(segment.directory());
      assertFalse(columns.isEmpty(), () -> "no string columns in " + segment);
      columns.forEach(column -> encodings.add(column.isShapeShifting()));
    }
    return encodings;
  }
}
