// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/**
 * Edits of Wikipedia on one day, the sample of Druid's own tests and tutorials, and the tasks that ingest it. Two
 * multi-value dimensions are derived from it: {@code flags} with few values, which may be empty, and {@code pageWords}
 * with many; and a nested one, {@code place}.
 */
final class Wikiticker {
  static final int ROWS = 39_244;
  /** Encoding strategies: shape-shifting with defaults, and Druid's own default. */
  static final String SHAPE_SHIFT = "{\"strategy\": \"shapeshift\"}";
  static final String STOCK = "{\"strategy\": \"compression\"}";
  /** Column with a hash index, if any has one. */
  static final String INDEXED = "added";
  /** Column that is Druid's own, also where the table shape-shifts. */
  static final String STOCK_COLUMN = "count";
  /** Option of a tuningConfig that keeps rows off the heap during ingestion. */
  static final String OFF_HEAP = "{\"appendableIndexSpec\": {\"type\": \"shapeshift\"}}";
  /** Several files, so that a parallel task can distribute them. */
  private static final List<String> FILES = List.of("early.json", "late-1.json", "late-2.json");
  private static final String SAMPLE = "/wikipedia/wikiticker-2015-09-12-sampled.json.gz";

  private final Path directory;

  private Wikiticker(Path directory) {
    this.directory = directory;
  }

  /** Unpacks the sample from a jar of Druid's tests. */
  static Wikiticker extractTo(Path directory) throws IOException {
    return extractTo(directory, 1);
  }

  /** Unpacks a third of the rows, in which the queries still find rows. */
  static Wikiticker extractThirdTo(Path directory) throws IOException {
    return extractTo(directory, 3);
  }

  /** Unpacks half of the rows of {@link #extractThirdTo(Path)}. */
  static Wikiticker extractSixthTo(Path directory) throws IOException {
    return extractTo(directory, 6);
  }

  private static Wikiticker extractTo(Path directory, int oneIn) throws IOException {
    Files.createDirectories(directory);
    try (BufferedReader sample = new BufferedReader(
        new InputStreamReader(new GZIPInputStream(open(SAMPLE)), StandardCharsets.UTF_8))) {
      int row = 0;
      for (int file = 0; file < FILES.size(); file++) {
        try (BufferedWriter out = Files.newBufferedWriter(directory.resolve(FILES.get(file)))) {
          for (; row < ROWS * (file + 1) / FILES.size(); row++) {
            String line = sample.readLine();
            if (row % oneIn == 1 % oneIn) {
              out.write(line);
              out.newLine();
            }
          }
        }
      }
    }
    return new Wikiticker(directory);
  }

  /**
   * A task that ingests the sample as one segment, unless the changes say otherwise.
   *
   * @param changes JSON objects to merge into the task, one after the other
   */
  ObjectNode ingestion(String dataSource, String... changes) {
    ObjectNode task = (ObjectNode) resource("ingest.json");
    task.withObject("/spec/dataSchema").put("dataSource", dataSource);
    task.withObject("/spec/ioConfig/inputSource").put("baseDir", directory.toString());
    return merge(task, changes);
  }

  /** Rows of the sample before ingestion. */
  List<JsonNode> rows() throws IOException {
    List<JsonNode> rows = new ArrayList<>();
    for (String file : FILES) {
      Files.readAllLines(directory.resolve(file)).forEach(line -> rows.add(DruidApi.parse(line)));
    }
    return rows;
  }

  /** A task that compacts all segments of the data source, with changes as in {@link #ingestion}. */
  static ObjectNode compaction(String dataSource, String... changes) {
    ObjectNode task = DruidApi.JSON.createObjectNode().put("type", "compact").put("dataSource", dataSource);
    merge(task, """
        {
          "ioConfig": {"type": "compact", "inputSpec": {"type": "interval", "interval": "2015-09-12/2015-09-13"}},
          "tuningConfig": {"type": "index_parallel", "partitionsSpec": {"type": "dynamic"}}
        }""");
    return merge(task, changes);
  }

  /** Sets the option for all types in an ingestion, a compaction task, or the settings of automatic compaction. */
  static ObjectNode encode(ObjectNode task, String strategy) {
    return encode(task, "encodingStrategy", strategy);
  }

  /**
   * Same as {@link #encode(ObjectNode, String)}, with entries for two columns unless all are to be Druid's: one gets a
   * hash index, and one stays Druid's own.
   */
  static ObjectNode encodeAndIndex(ObjectNode task, String strategy) {
    encode(task, strategy);
    if (!strategy.equals(STOCK)) {
      String tuningConfig = task.has("spec") ? "/spec/tuningConfig" : "/tuningConfig";
      task.withObject(tuningConfig + "/indexSpec")
          .putIfAbsent("columns", DruidApi.parse("{\"" + INDEXED + "\": {\"hashIndex\": true}, \"" + STOCK_COLUMN
              + "\": {\"encodingStrategy\": \"compression\"}}"));
    }
    return task;
  }

  /** Sets one of the options, as {@link #encode(ObjectNode, String)} does. */
  static ObjectNode encode(ObjectNode task, String property, String strategy) {
    String tuningConfig = task.has("spec") ? "/spec/tuningConfig" : "/tuningConfig";
    task.withObject(tuningConfig + "/indexSpec").set(property, DruidApi.parse(strategy));
    return task;
  }

  /** Reads a file of {@code wikiticker/}. */
  static JsonNode resource(String name) {
    try (InputStream in = open("/wikiticker/" + name)) {
      return DruidApi.JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode merge(ObjectNode into, String... changes) {
    for (String change : changes) {
      try {
        DruidApi.JSON.readerForUpdating(into).readValue(change);
      } catch (IOException e) {
        throw new IllegalArgumentException("Not a JSON object: " + change, e);
      }
    }
    return into;
  }

  private static InputStream open(String resource) {
    return Objects.requireNonNull(Wikiticker.class.getResourceAsStream(resource), resource);
  }
}
