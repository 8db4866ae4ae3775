// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.benchmark.data.DataSets;
import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.RunInfo;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.java.util.common.StringUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs each benchmark once to see that it works, and checks that all encodings run the same operations; does not test
 * their speed.
 */
@Tag("slow")
class DictionaryBenchmarksTest {
  private static final int VALUES = 500;

  @TempDir
  private Path directory;

  private static Collection<RunResult> run(String include, Map<String, String[]> params) throws RunnerException {
    final ChainedOptionsBuilder options = Jmh.options(new OptionsBuilder().build())
        .include("\\." + include + "\\.")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(2)
        .measurementTime(TimeValue.milliseconds(1))
        .shouldFailOnError(true);
    params.forEach(options::param);
    return Jmh.run(options.build(), new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
  }

  /** The CSV of results, lines split at commas. */
  private List<List<String>> csv(Collection<RunResult> results, String name) throws Exception {
    final Path run = directory.resolve("run");
    new ResultFiles(run, new RunInfo.Start("test", List.of())).add(results);
    assertTrue(Files.size(run.resolve(name + ".json")) > 0);
    return Files.readAllLines(run.resolve(name + ".csv")).stream().map(line -> List.of(line.split(",", -1))).toList();
  }

  private static Map<String, String[]> params() {
    return new HashMap<>(Map.of(
        "texts", new String[]{"titles"},
        "values", new String[]{"" + VALUES},
        "encoding", new String[]{"druid-utf8", "shapeshift-faster"},
        "jvm", new String[]{"fresh"}
    ));
  }

  @Test
  void reading() throws Exception {
    final Map<String, String[]> params = params();
    params.put("operation", new String[]{"get-utf8", "iterate"});
    final List<List<String>> csv =
        csv(run("DictionaryReadFromGeneratorBenchmark", params), "dictionary-read-speed-generator");
    final List<String> header = csv.get(0);
    assertEquals(1 + 2 * 2, csv.size());
    for (List<String> row : csv.subList(1, csv.size())) {
      assertEquals(header.size(), row.size());
      assertEquals("read", row.get(header.indexOf("task")));
      assertEquals("titles", row.get(header.indexOf("column")));
      assertEquals("" + VALUES, row.get(header.indexOf("values")));
      assertEquals(
          row.get(header.indexOf("operation")).equals("iterate"),
          row.get(header.indexOf("selectedValues")).equals("" + VALUES)
      );
      final DictionaryEncoding encoding = DictionaryEncoding.parse(row.get(header.indexOf("encoding")));
      assertEquals(
          "" + EncodedDictionary.of(encoding, TextKind.TITLES.texts(VALUES, 1)).sizeInBytes(),
          row.get(header.indexOf("sizeInBytes"))
      );
    }
  }

  @Test
  void readingWhereMuchElseWasRead() throws Exception {
    final Map<String, String[]> params = params();
    params.put("operation", new String[]{"iterate"});
    params.put("jvm", new String[]{"polluted"});
    params.put("encoding", new String[]{"shapeshift-faster"});
    assertEquals(1, run("DictionaryReadFromGeneratorBenchmark", params).size());
  }

  @Test
  void building() throws Exception {
    final Map<String, String[]> params = params();
    params.put("operation", new String[]{"build", "merge"});
    final List<List<String>> csv =
        csv(run("DictionaryBuildFromGeneratorBenchmark", params), "dictionary-build-speed-generator");
    final List<String> header = csv.get(0);
    assertEquals(1 + 2 * 2, csv.size());
    for (List<String> row : csv.subList(1, csv.size())) {
      assertEquals("build", row.get(header.indexOf("task")));
      assertEquals("" + VALUES, row.get(header.indexOf("selectedValues")));
      assertTrue(Double.parseDouble(row.get(header.indexOf("nanosMin"))) > 0);
    }
  }

  @Test
  void searching() throws Exception {
    for (SearchedTexts kind : SearchedTexts.values()) {
      assertEquals(kind.texts(VALUES), kind.texts(VALUES));
      final Collection<RunResult> results = run("TextIndexBenchmark", Map.of(
          "texts", new String[]{kind.toString()},
          "values", new String[]{"2000"},
          "hits", new String[]{"none", "one", "0.1"},
          "way", new String[]{"druid", "without-index", "with-index"}
      ));
      assertEquals(3 * 3, results.size());
      final Map<String, Double> found = new HashMap<>();
      for (RunResult result : results) {
        final double selected = result.getSecondaryResults().get("selectedRows").getScore();
        assertEquals(selected, found.computeIfAbsent(result.getParams().getParam("hits"), each -> selected));
      }
      assertEquals(0, found.get("none"));
      assertEquals(1, found.get("one"));
      assertTrue(TextIndexBenchmark.measureBuild(kind, VALUES).startsWith(kind + "," + VALUES + ","));
    }
  }

  @Test
  void columnsOfSegments() throws Exception {
    final String segment = DataSets.tpch("lineitem", 0.001, directory).toString();
    final List<String> texts = SegmentColumns.texts(segment, "l_shipmode");
    assertEquals(List.of("AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK"), texts);
    final List<List<String>> csv = csv(run("DictionaryReadFromSegmentBenchmark", Map.of(
        "segmentPath", new String[]{segment},
        "columnName", new String[]{"l_shipmode"},
        "encoding", new String[]{"shapeshift-smaller"},
        "operation", new String[]{"index-of-miss"},
        "jvm", new String[]{"fresh"}
    )), "dictionary-read-speed-segments");
    assertEquals(segment, csv.get(1).get(csv.get(0).indexOf("segment")));
    assertEquals("" + texts.size(), csv.get(1).get(csv.get(0).indexOf("values")));
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    for (var bad : Map.of(
        "texts", "poems",
        "encoding", "druid-lz4",
        "operation", "write",
        "jvm", "old"
    ).entrySet()) {
      final Map<String, String[]> params = params();
      params.put("operation", new String[]{"like"});
      params.put(bad.getKey(), new String[]{bad.getValue()});
      assertThrows(
          RunnerException.class, () -> run("DictionaryReadFromGeneratorBenchmark", params), bad::toString);
    }
  }

  @ParameterizedTest
  @EnumSource(DictionaryEncoding.class)
  void allEncodingsGiveTheSame(DictionaryEncoding encoding) throws Exception {
    assertEquals(encoding, DictionaryEncoding.parse(encoding.toString()));
    for (TextKind kind : TextKind.values()) {
      final List<String> values = kind.texts(VALUES, 1);
      final DictionaryEncoding.Reader reader = EncodedDictionary.of(encoding, values).readers().get();
      final Lookups lookups = Lookups.of(values, 1);
      int id = 0;
      for (String value : reader.strings()) {
        assertEquals(values.get(id++), value);
      }
      assertEquals(VALUES, id);
      for (int any : lookups.random()) {
        assertEquals(values.get(any), reader.strings().get(any));
        assertEquals(values.get(any), StringUtils.fromUtf8(reader.utf8().get(any)));
      }
      for (var hit : lookups.hits()) {
        assertEquals(values.indexOf(StringUtils.fromUtf8(hit.duplicate())), reader.utf8().indexOf(hit));
      }
      for (var miss : lookups.misses()) {
        assertTrue(reader.utf8().indexOf(miss) < 0);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(BuildOperation.class)
  void inputsAreSortedValues(BuildOperation operation) throws Exception {
    final List<String> values = TextKind.SENTENCES.texts(VALUES, 1);
    final Iterable<String> input = operation.input(DictionaryEncoding.SHAPESHIFT_SMALLER, values, 1);
    for (int i = 0; i < 2; i++) {
      // Each of the ten dictionaries has half of the values, so that hardly any value is in none.
      int next = 0;
      for (String value : input) {
        next = 1 + values.subList(next, VALUES).indexOf(value) + next;
      }
      assertEquals(VALUES, next);
    }
  }

  @Test
  void textsAreTheSameAgain() {
    for (TextKind kind : TextKind.values()) {
      assertEquals(kind.texts(VALUES, 1), kind.texts(VALUES, 1));
      final Lookups lookups = Lookups.of(kind.texts(VALUES, 1), 1);
      final int[] sorted = lookups.random().clone();
      Arrays.sort(sorted);
      assertArrayEquals(sorted, lookups.sorted());
    }
  }
}
