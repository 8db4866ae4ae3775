// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.cluster.DruidApi.Segment;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.segment.ColumnLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;

/**
 * What {@code scripts/quickstart} runs: the same data in a real Druid twice, once in Druid's own columns and once in
 * shape-shifting ones, compared by what queries answer and by size. Exits with 0 only if all of it holds.
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
    // Druid's services leave threads behind that would keep this process alive.
    System.exit(quickstart.problems.isEmpty() ? 0 : 1);
  }

  private void run() throws Exception {
    Path work = directory.resolve("druid");
    step("Unpacking the sample: " + Wikiticker.ROWS + " edits of Wikipedia on 2015-09-12");
    Wikiticker wikiticker = Wikiticker.extractTo(work.resolve("sample"));
    step("Starting Druid: coordinator, overlord, indexer, broker, historical");
    List<ColumnLayout> stock;
    List<ColumnLayout> shapeShifting;
    try (DruidCluster cluster = DruidCluster.start(work, Map.of())) {
      DruidApi druid = cluster.api();
      stock = runAndKeep(druid, STOCK, "Ingesting " + STOCK, wikiticker.ingestion(STOCK));
      shapeShifting = runAndKeep(
          druid,
          SHAPE_SHIFTING,
          "Ingesting " + SHAPE_SHIFTING + " with \"encodingStrategy\": " + Wikiticker.SHAPE_SHIFT,
          Wikiticker.encode(wikiticker.ingestion(SHAPE_SHIFTING), Wikiticker.SHAPE_SHIFT)
      );
      checkEncoding(STOCK, stock, "lz4");
      checkEncoding(SHAPE_SHIFTING, shapeShifting, "shapeshift");
      checkIndexesAndDictionaries(SHAPE_SHIFTING, shapeShifting);

      step("Querying both");
      Map<NativeQuery, List<JsonNode>> answers = answers(druid);
      compare(druid, answers, SHAPE_SHIFTING);

      step("Compacting " + STOCK + " into shape-shifting columns");
      runAndServe(druid, STOCK, Wikiticker.encode(Wikiticker.compaction(STOCK), Wikiticker.SHAPE_SHIFT));
      checkEncoding(STOCK, ColumnLayout.readAll(onlySegment(druid, STOCK).directory()), "shapeshift");
      step("Querying it again: is every answer as before?");
      compare(druid, answers, STOCK);
      step("Stopping Druid");
    }
    FileUtils.deleteQuietly(work.toFile());
    printSizes(stock, shapeShifting);
    step(problems.isEmpty() ? "All of it holds" : "Not all of it holds");
  }

  // ---- data

  private static void runAndServe(DruidApi druid, String dataSource, ObjectNode task) {
    druid.run(task, TASK_TIMEOUT);
    druid.awaitServed(dataSource, SERVE_TIMEOUT);
  }

  /** Keeps a copy of the segment, which would not survive Druid's end, and returns its layout. */
  private List<ColumnLayout> runAndKeep(DruidApi druid, String dataSource, String what, ObjectNode task)
      throws IOException {
    step(what);
    runAndServe(druid, dataSource, task);
    Path copy = copyOf(dataSource);
    FileUtils.copyDirectory(onlySegment(druid, dataSource).directory(), copy.toFile());
    return ColumnLayout.readAll(copy.toFile());
  }

  private Path copyOf(String dataSource) {
    return directory.resolve("segments").resolve(dataSource);
  }

  private long segmentBytes(String dataSource) {
    return FileUtils.sizeOfDirectory(copyOf(dataSource).toFile());
  }

  private static Segment onlySegment(DruidApi druid, String dataSource) {
    List<Segment> segments = druid.segments(dataSource);
    if (segments.size() != 1) {
      throw new IllegalStateException("Expected one segment of " + dataSource + ", not " + segments);
    }
    return segments.get(0);
  }

  private void checkEncoding(String dataSource, List<ColumnLayout> columns, String encoding) {
    if (columns.isEmpty()) {
      problem(dataSource + " has no columns");
    }
    for (ColumnLayout column : columns) {
      if (!column.encoding().equals(encoding)) {
        problem(dataSource + ": " + column.name() + " is " + column.encoding() + " instead of " + encoding);
      }
    }
  }

  private void checkIndexesAndDictionaries(String dataSource, List<ColumnLayout> columns) {
    for (ColumnLayout column : columns) {
      if (column.indexEncoding() != null && !column.indexEncoding().equals("shapeshift")) {
        problem(dataSource + ": the index of " + column.name() + " is " + column.indexEncoding());
      }
      if (column.dictionaryEncoding() != null && !column.dictionaryEncoding().startsWith("shapeshift")) {
        problem(dataSource + ": the dictionary of " + column.name() + " is " + column.dictionaryEncoding());
      }
    }
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

  // ---- sizes

  private void printSizes(List<ColumnLayout> stock, List<ColumnLayout> shapeShifting) {
    Map<String, ColumnLayout> byName =
        stock.stream().collect(Collectors.toMap(ColumnLayout::name, column -> column));
    System.out.println();
    System.out.println("Bytes of rows (dictionary ids or numbers), of indexes, of texts and of whole columns, in "
        + "Druid's own columns and shape-shifting");
    printRow(
        "column", "type", "cardinality", "rows", "now", "ratio", "index", "now", "ratio", "texts", "now", "ratio",
        "all", "now", "ratio"
    );
    Sizes stockTotal = new Sizes(0, 0, 0, 0);
    Sizes total = stockTotal;
    for (ColumnLayout column : shapeShifting) {
      ColumnLayout before = byName.get(column.name());
      if (before == null
          || before.rows() != column.rows()
          || !Objects.equals(before.cardinality(), column.cardinality())) {
        problem("Not the same column: " + before + " and " + column);
        continue;
      }
      printSizes(column.name(), column.type(), column.cardinality(), Sizes.of(before), Sizes.of(column));
      stockTotal = stockTotal.plus(Sizes.of(before));
      total = total.plus(Sizes.of(column));
    }
    printSizes("all columns", "", null, stockTotal, total);
    printSizes(
        "whole segment",
        "",
        null,
        stockTotal.ofAll(segmentBytes(STOCK)),
        total.ofAll(segmentBytes(SHAPE_SHIFTING))
    );
    System.out.println();
    System.out.println("Chunks of each form, of the rows and of the index; and what the texts are stored as");
    for (ColumnLayout column : shapeShifting) {
      System.out.printf(
          Locale.ROOT,
          "%-16s %-40s  %-50s  %s%n",
          column.name(),
          text(column.forms()),
          text(column.indexForms()),
          column.dictionaryEncoding() == null ? "" : column.dictionaryEncoding()
      );
    }
    System.out.println();
  }

  private static String text(Map<String, FormUsage> forms) {
    return forms.entrySet().stream()
        .map(form -> form.getKey() + " " + form.getValue().chunks())
        .collect(Collectors.joining(", "));
  }

  /** Bytes of rows, indexes, dictionaries, and all. */
  private record Sizes(long rows, long index, long texts, long all) {
    static Sizes of(ColumnLayout column) {
      return new Sizes(
          column.valueBytes(),
          column.indexBytes(),
          column.dictionaryBytes(),
          column.dictionaryBytes() + column.valueBytes() + column.indexBytes()
      );
    }

    Sizes plus(Sizes other) {
      return new Sizes(rows + other.rows, index + other.index, texts + other.texts, all + other.all);
    }

    Sizes ofAll(long bytes) {
      return new Sizes(rows, index, texts, bytes);
    }
  }

  private static void printSizes(String name, String type, @Nullable Integer cardinality, Sizes stock, Sizes now) {
    printRow(
        name,
        type,
        cardinality == null ? "" : cardinality,
        stock.rows, now.rows, ratio(now.rows, stock.rows),
        stock.index, now.index, ratio(now.index, stock.index),
        stock.texts, now.texts, ratio(now.texts, stock.texts),
        stock.all, now.all, ratio(now.all, stock.all)
    );
  }

  private static void printRow(Object... cells) {
    System.out.printf(Locale.ROOT, "%-16s %-7s %11s %9s %9s %6s %9s %9s %6s %9s %9s %6s %9s %9s %6s%n", cells);
  }

  private static String ratio(long bytes, long stockBytes) {
    return stockBytes == 0 ? "" : String.format(Locale.ROOT, "%.3f", (double) bytes / stockBytes);
  }

  // ---- talk

  private void step(String what) {
    System.out.printf(Locale.ROOT, "[%5.1f s] %s%n", (System.nanoTime() - start) / 1e9, what);
  }

  private void problem(String what) {
    problems.add(what);
  }
}
