// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static io.shapeshift.druid.cluster.StreamSpec.OFF_HEAP;
import static io.shapeshift.druid.cluster.StreamSpec.ON_HEAP;
import static io.shapeshift.druid.cluster.Wikiticker.SHAPE_SHIFT;
import static io.shapeshift.druid.cluster.Wikiticker.STOCK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.cluster.DruidApi.Segment;
import io.shapeshift.druid.kafka.KafkaExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures one task that reads Kafka, with rows and columns of ours and of Druid's in turn, in one run. It asserts that
 * no row is lost, but nothing about time. {@code -Dshapeshift.measured=ROWS} runs it, with as many rows in the topic;
 * {@code -Dshapeshift.rounds=N} is how often, after a first round that is not printed.
 *
 * <pre>{@code mvn verify -pl processing,integration-tests -Dtest=RawBytesTest -Dsurefire.failIfNoSpecifiedTests=false
 *   -Dfailsafe.failIfNoSpecifiedTests=false -Dit.test=KafkaMeasurementIT -Dshapeshift.measured=1000000
 *   -Dtest.compiler=-XX:TieredStopAtLevel=4 -Dtest.collector=-XX:+UseG1GC}</pre>
 *
 * <p>Each task reads the topic from its beginning and persists at equal memory. Another one reads a topic whose rows
 * stay in memory, for the latency of queries over them.
 */
@EnabledIfSystemProperty(named = "shapeshift.measured", matches = "\\d+")
class KafkaMeasurementIT {
  private static final int ROWS = Integer.getInteger("shapeshift.measured", 0);
  private static final int ROUNDS = Integer.getInteger("shapeshift.rounds", 3);
  /** Few enough that Druid's own rows need no persist. */
  private static final int IN_MEMORY = Math.min(ROWS, 40_000);
  private static final int QUERIES = 200;
  private static final Duration TIMEOUT = Duration.ofMinutes(30);
  private static final int SLOTS = 2;
  /** Bytes in memory of each task. */
  private static final long BYTES_OF_TASK = 40_000_000;

  /** Topic, and how many rows are in it. */
  private record Topic(String name, long rows) {}

  @TempDir
  static Path directory;

  private KafkaBroker kafka;
  private DruidApi druid;
  private int started;

  @Test
  void ingestionBesideStock() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start(directory.resolve("kafka"));
        DruidCluster cluster = DruidCluster.start(
            directory.resolve("druid"),
            Map.of("druid.worker.globalIngestionHeapLimitBytes", String.valueOf(SLOTS * BYTES_OF_TASK)),
            1,
            SLOTS,
            List.of(KafkaExtension.class)
        )) {
      kafka = broker;
      druid = cluster.api();
      Topic rows = topic("rows", ROWS);
      Topic few = topic("few", IN_MEMORY);
      System.out.println("rows,columns,roll-up,round,rows/s of a core,s of a core per million rows: reading and adding,"
          + "persisting and publishing,collecting garbage,persists per million rows,MB of heap,MB of direct memory,"
          + "ms of GC,bytes published per row,median ms of a query,99th percentile,the same in memory only: median,"
          + "99th");
      for (int round = 0; round <= ROUNDS; round++) {
        for (boolean rollup : new boolean[] {false, true}) {
          // What is first in one round is last in the next.
          for (boolean ours : round % 2 == 0 ? new boolean[] {false, true} : new boolean[] {true, false}) {
            String line = measure(spec(rollup, ours), rows);
            line += "," + latencies(spec(rollup, ours), few);
            if (round > 0) {
              System.out.printf(Locale.ROOT, "%s,%s,%d,%s%n", ours ? "shapeshift,shapeshift" : "onheap,compression",
                  rollup ? "yes" : "no", round, line);
            }
          }
        }
      }
    }
  }

  private Topic topic(String name, int number) throws Exception {
    return new Topic(name, new StreamedRows(kafka, name, number / 2).sendOnly(number));
  }

  private StreamSpec spec(boolean rollup, boolean ours) {
    String dataSource = "measured-" + started++;
    return ours
        ? new StreamSpec(dataSource, rollup, false, OFF_HEAP, SHAPE_SHIFT, 1, 1)
        : new StreamSpec(dataSource, rollup, false, ON_HEAP, STOCK, 1, 1);
  }

  /** Reads, queries and publishes; returns all columns but the last two. */
  private String measure(StreamSpec spec, Topic topic) throws IOException {
    StreamedAnswers answers = new StreamedAnswers(druid, spec.dataSource(), spec.rollup());
    try (TaskMeter meter = new TaskMeter("index_kafka_" + spec.dataSource())) {
      druid.supervise(json(spec, topic));
      awaitAll(answers, topic);
      long persists = persists(spec);
      String latency = latency(answers);
      druid.supervisor(spec.dataSource(), "terminate");
      DruidApi.await("the task to end", TIMEOUT, () -> druid.runningTasks(spec.dataSource()), List::isEmpty);
      druid.awaitServed(spec.dataSource(), TIMEOUT);
      assertEquals(topic.rows(), answers.rows());
      double million = topic.rows() / 1e6;
      TaskMeter.Reading read = meter.read();
      return String.format(Locale.ROOT, "%.0f,%.2f,%.2f,%.2f,%.1f,%.0f,%.0f,%d,%.2f,%s",
          topic.rows() / read.seconds(), read.adding() / million, read.writing() / million,
          read.collecting() / million, persists / million, read.heap() / 1e6,
          read.direct() / 1e6, read.gcMillis(), (double) published(spec) / topic.rows(), latency);
    }
  }

  private String latencies(StreamSpec spec, Topic topic) {
    StreamedAnswers answers = new StreamedAnswers(druid, spec.dataSource(), spec.rollup());
    druid.supervise(json(spec, topic));
    awaitAll(answers, topic);
    String latency = latency(answers);
    druid.supervisor(spec.dataSource(), "terminate");
    // What it has read is not published.
    druid.runningTasks(spec.dataSource()).forEach(druid::shutDown);
    DruidApi.await("the task to end", TIMEOUT, () -> druid.runningTasks(spec.dataSource()), List::isEmpty);
    return latency;
  }

  /** With roll-up, the names are left out, so that a group has many rows. */
  private ObjectNode json(StreamSpec spec, Topic topic) {
    ObjectNode json = spec.json(kafka, topic.name());
    if (spec.rollup()) {
      json.withObject("/spec/dataSchema").set(
          "dimensionsSpec", DruidApi.parse("{\"dimensions\": [\"partition\", \"channel\", \"late\"]}"));
    }
    return json;
  }

  private static void awaitAll(StreamedAnswers answers, Topic topic) {
    DruidApi.await("all rows", TIMEOUT, answers::rows, n -> n == topic.rows());
  }

  /** Median and 99th percentile of a groupBy of one dimension, in milliseconds. */
  private String latency(StreamedAnswers answers) {
    JsonNode query = answers.groupBy("channel", "[]");
    double[] millis = new double[QUERIES];
    for (int i = 0; i < QUERIES; i++) {
      long begin = System.nanoTime();
      assertFalse(druid.query(query).isEmpty());
      millis[i] = (System.nanoTime() - begin) / 1e6;
    }
    Arrays.sort(millis);
    return String.format(Locale.ROOT, "%.1f,%.1f", millis[QUERIES / 2], millis[QUERIES * 99 / 100]);
  }

  private static long persists(StreamSpec spec) throws IOException {
    return files(directory.resolve("druid"))
        .filter(file -> file.endsWith("version.bin") && file.toString().contains("index_kafka_" + spec.dataSource()))
        .count();
  }

  private long published(StreamSpec spec) throws IOException {
    long bytes = 0;
    for (Segment segment : druid.segments(spec.dataSource())) {
      bytes += files(segment.directory().toPath()).mapToLong(file -> file.toFile().length()).sum();
    }
    return bytes;
  }

  private static Stream<Path> files(Path below) throws IOException {
    try (Stream<Path> files = Files.walk(below)) {
      return files.filter(Files::isRegularFile).toList().stream();
    }
  }
}
