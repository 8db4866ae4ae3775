// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.cluster.DruidApi.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.io.FileUtils;

/**
 * Main class of {@code scripts/quickstart}: ingests the same data into a real Druid twice, in Druid's own columns and
 * in shape-shifting ones, and compares the answers of queries. Both segments are kept, so that the script can compare
 * their sizes. The exit code is 0 only if all answers are equal.
 */
public final class Quickstart {
  private static final String STOCK = "wikiticker-lz4";
  private static final String SHAPE_SHIFTING = "wikiticker-shapeshift";
  private static final Duration TASK_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration SERVE_TIMEOUT = Duration.ofMinutes(1);

  private final long start = System.nanoTime();
  private final Path directory;
  private final List<String> problems = new ArrayList<>();

  private Quickstart(Path directory) {
    this.directory = directory;
  }

  /**
   * Runs it.
   *
   * @param args the directory for the two segments
   */
  public static void main(String[] args) {
    Quickstart quickstart = new Quickstart(Path.of(args[0]).toAbsolutePath());
    try {
      quickstart.run();
    } catch (Exception | AssertionError e) {
      e.printStackTrace();
      quickstart.problem(e.toString());
    }
    quickstart.problems.forEach(problem -> System.out.println("FAILED: " + problem));
    // Threads of Druid's services would keep this process alive.
    System.exit(quickstart.problems.isEmpty() ? 0 : 1);
  }

  private void run() throws Exception {
    Path work = directory.resolve("druid");
    step("Unpacking the sample: " + Wikiticker.ROWS + " edits of Wikipedia on 2015-09-12");
    Wikiticker wikiticker = Wikiticker.extractTo(work.resolve("sample"));
    step("Starting Druid: coordinator, overlord, indexer, broker, historical");
    try (DruidCluster cluster = DruidCluster.start(work, Map.of())) {
      DruidApi druid = cluster.api();
      runAndKeep(druid, STOCK, "Ingesting " + STOCK, wikiticker.ingestion(STOCK));
      runAndKeep(
          druid,
          SHAPE_SHIFTING,
          "Ingesting " + SHAPE_SHIFTING + " with \"encodingStrategy\": " + Wikiticker.SHAPE_SHIFT,
          Wikiticker.encode(wikiticker.ingestion(SHAPE_SHIFTING), Wikiticker.SHAPE_SHIFT)
      );

      step("Querying both");
      Map<NativeQuery, List<JsonNode>> answers = answers(druid);
      compare(druid, answers, SHAPE_SHIFTING);

      step("Compacting " + STOCK + " into shape-shifting columns");
      runAndServe(druid, STOCK, Wikiticker.encode(Wikiticker.compaction(STOCK), Wikiticker.SHAPE_SHIFT));
      for (StoredColumn column : StoredColumn.of(onlySegment(druid, STOCK).directory())) {
        if (!column.isShapeShifting()) {
          problem(STOCK + ": after compaction it is Druid's own: " + column);
        }
      }
      step("Querying it again: is every answer as before?");
      compare(druid, answers, STOCK);
      step("Stopping Druid");
    }
    FileUtils.deleteQuietly(work.toFile());
  }

  // ---- data

  private static void runAndServe(DruidApi druid, String dataSource, ObjectNode task) {
    druid.run(task, TASK_TIMEOUT);
    druid.awaitServed(dataSource, SERVE_TIMEOUT);
  }

  /** Keeps a copy of the segment, which Druid deletes when it ends. */
  private void runAndKeep(DruidApi druid, String dataSource, String what, ObjectNode task) throws IOException {
    step(what);
    runAndServe(druid, dataSource, task);
    Path copy = directory.resolve("segments").resolve(dataSource);
    FileUtils.copyDirectory(onlySegment(druid, dataSource).directory(), copy.toFile());
  }

  private static Segment onlySegment(DruidApi druid, String dataSource) {
    List<Segment> segments = druid.segments(dataSource);
    if (segments.size() != 1) {
      throw new IllegalStateException("Expected one segment of " + dataSource + ", not " + segments);
    }
    return segments.get(0);
  }

  // ---- queries

  private Map<NativeQuery, List<JsonNode>> answers(DruidApi druid) {
    Map<NativeQuery, List<JsonNode>> answers = new LinkedHashMap<>();
    for (NativeQuery query : NativeQuery.all()) {
      answers.put(query, query.rows(druid, STOCK));
    }
    return answers;
  }

  private void compare(DruidApi druid, Map<NativeQuery, List<JsonNode>> expected, String dataSource) {
    expected.forEach((query, rows) -> {
      String difference = NativeQuery.difference(rows, query.rows(druid, dataSource));
      String verdict = rows.isEmpty() ? "EMPTY" : difference.isEmpty() ? "equal" : "DIFFERENT";
      System.out.printf(Locale.ROOT, "    %-9s %6d rows  %s%n", verdict, rows.size(), query.name());
      if (!verdict.equals("equal")) {
        problem(verdict + " answer from " + dataSource + " to: " + query.name() + ": " + difference);
      }
    });
  }

  // ---- talk

  private void step(String what) {
    System.out.printf(Locale.ROOT, "[%5.1f s] %s%n", (System.nanoTime() - start) / 1e9, what);
  }

  private void problem(String what) {
    problems.add(what);
  }
}
