// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.CaseFormat;
import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.benchmark.data.DataSets;
import io.shapeshift.druid.benchmark.data.Distributions;
import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs each benchmark once to see that it works; does not test its speed. */
@Tag("slow")
class ColumnBenchmarksTest {
  private static final boolean EXHAUSTIVE = Boolean.getBoolean("shapeshift.exhaustive");
  private static final String[] CLASSES = {"EncodeData", "SelectRows"};

  @TempDir
  private static Path directory;

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

  private static String name(EncodedType type, String task, String source) {
    return "Columnar" + CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.UPPER_CAMEL, type.name()) + "s" + task + "From"
        + source + "Benchmark";
  }

  /** The CSV of results, lines split at commas. */
  private static List<List<String>> csv(Collection<RunResult> results, String name) throws IOException {
    final Path run = Files.createTempDirectory(directory, "run");
    new ResultFiles(run, new RunInfo.Start("test", List.of())).add(results);
    assertTrue(Files.size(run.resolve(name + ".json")) > 0);
    assertTrue(Files.readString(run.resolve("run.json")).contains("\"cores\""));
    return Files.readAllLines(run.resolve(name + ".csv")).stream().map(line -> List.of(line.split(",", -1))).toList();
  }

  private static int sizeInBytes(String encoding, RowValues values) throws IOException {
    try (EncodedRows rows = RowEncodings.parse(encoding).encode("test", values)) {
      return rows.sizeInBytes();
    }
  }

  @ParameterizedTest
  @CsvSource({
      "INT, shapeshift-faster-small",
      "LONG, druid-auto-zstd",
      "FLOAT, druid-zstd",
      "DOUBLE, druid-uncompressed"
  })
  void generated(EncodedType type, String encoding) throws Exception {
    final RowValues values = Distributions.of(type, "runs", 5000);
    for (String task : CLASSES) {
      final boolean select = task.equals("SelectRows");
      final Collection<RunResult> results = run(name(type, task, "Generator"), Map.of(
          "distribution", new String[]{"runs"},
          "rows", new String[]{"5000"},
          "encoding", new String[]{"druid-lz4", encoding},
          "jvm", new String[]{"fresh"},
          "selected", new String[]{"scan", "0.01", "1"},
          "read", new String[]{"vector", "single"}
      ));
      final String kind = type.name().toLowerCase(Locale.ROOT) + "s";
      final List<List<String>> csv =
          csv(results, "column-" + kind + (select ? "-select" : "-encode") + "-speed-generator");
      assertEquals(select ? 2 * 3 * 2 : 2, csv.size() - 1);
      final List<String> header = csv.get(0);
      for (List<String> row : csv.subList(1, csv.size())) {
        assertEquals(header.size(), row.size());
        assertEquals(kind, row.get(header.indexOf("type")));
        assertEquals("runs", row.get(header.indexOf("column")));
        assertEquals("5000", row.get(header.indexOf("rows")));
        assertEquals("2", row.get(header.indexOf("iterations")));
        assertEquals(
            sizeInBytes(row.get(header.indexOf("encoding")), values),
            Integer.parseInt(row.get(header.indexOf("sizeInBytes")))
        );
        assertEquals(
            row.get(header.indexOf("encoding")).startsWith("shapeshift"),
            row.get(header.indexOf("forms")).contains("runend")
        );
        assertEquals(
            row.get(header.indexOf("selected")).equals("0.01") ? "50" : "5000",
            row.get(header.indexOf("selectedRows"))
        );
        assertTrue(Double.parseDouble(row.get(header.indexOf("nanosMin"))) > 0);
      }
    }
  }

  /** Only an exhaustive case pollutes its JVM, which takes seconds before each benchmark. */
  @ParameterizedTest
  @CsvSource({
      "INT, l_returnflag, fresh",
      "LONG, l_orderkey, polluted",
      "FLOAT, l_discount, fresh",
      "DOUBLE, l_extendedprice, fresh"
  })
  void ofSegments(EncodedType type, String column, String jvm) throws Exception {
    final String segment = DataSets.tpch("lineitem", 0.001, directory).toString();
    for (String task : CLASSES) {
      final Collection<RunResult> results = run(name(type, task, "Segment"), Map.of(
          "segmentPath", new String[]{segment},
          "columnName", new String[]{column},
          "encoding", new String[]{"druid-lz4"},
          "jvm", new String[]{EXHAUSTIVE ? jvm : "fresh"},
          "selected", new String[]{"0.1"},
          "read", new String[]{"vector"}
      ));
      assertEquals(1, results.size());
      final RunResult result = results.iterator().next();
      assertEquals(
          sizeInBytes("druid-lz4", SegmentColumns.read(segment, column, type)),
          result.getSecondaryResults().get("sizeInBytes").getScore()
      );
    }
  }

  @Test
  void segmentsHaveANameAndFewerRows() throws Exception {
    final String segment = DataSets.tpch("lineitem", 0.001, directory).toString();
    final Collection<RunResult> results = run("ColumnarIntsSelectRowsFromSegmentBenchmark", Map.of(
        "segmentPath", new String[]{segment},
        "segmentName", new String[]{"orders of a day"},
        "columnName", new String[]{"l_returnflag"},
        "rows", new String[]{"100"},
        "encoding", new String[]{"druid-lz4"},
        "jvm", new String[]{"fresh"},
        "selected", new String[]{"scan"},
        "read", new String[]{"vector"}
    ));
    final RunResult result = results.iterator().next();
    assertEquals(100, result.getSecondaryResults().get("rows").getScore());
    assertEquals(
        sizeInBytes("druid-lz4", SegmentColumns.read(segment, "l_returnflag", EncodedType.INT).first(100)),
        result.getSecondaryResults().get("sizeInBytes").getScore()
    );
  }

  @ParameterizedTest
  @CsvSource({"LONG, form-raw, uniform-48", "FLOAT, shapeshift-smaller, wide", "DOUBLE, shapeshift-faster, wide"})
  void filtered(EncodedType type, String encoding, String distribution) throws Exception {
    final Collection<RunResult> results = run(name(type, "FilterRows", "Generator"), Map.of(
        "distribution", new String[]{distribution},
        "rows", new String[]{"5000"},
        "encoding", new String[]{"druid-lz4", encoding},
        "jvm", new String[]{"fresh"},
        "selected", new String[]{"0.0001", "0.1"},
        "order", new String[]{"spread", "clustered"}
    ));
    final List<List<String>> csv =
        csv(results, "column-" + type.name().toLowerCase(Locale.ROOT) + "s-filter-speed-generator");
    assertEquals(2 * 2 * 2, csv.size() - 1);
    final List<String> header = csv.get(0);
    for (List<String> row : csv.subList(1, csv.size())) {
      assertEquals("filter", row.get(header.indexOf("task")));
      // Nearly all numbers of random bits are distinct. Druid rounds bounds of longs beyond 2^53.
      assertEquals(
          row.get(header.indexOf("selected")).equals("0.1") ? "500" : "1", row.get(header.indexOf("selectedRows")));
      assertEquals(
          Double.parseDouble(row.get(header.indexOf("nanosMedian"))) / 5000,
          Double.parseDouble(row.get(header.indexOf("nanosPerRow"))),
          1e-3
      );
    }
    assertEquals(
        Set.of("spread", "clustered"),
        csv.stream().skip(1).map(row -> row.get(header.indexOf("read"))).collect(Collectors.toSet())
    );
  }

  @EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
  @Test
  void filteredWhereMuchElseWasFiltered() throws Exception {
    final Collection<RunResult> results = run("ColumnarLongsFilterRowsFromGeneratorBenchmark", Map.of(
        "distribution", new String[]{"uniform-48"}, "rows", new String[]{"5000"}, "jvm", new String[]{"polluted"},
        "encoding", new String[]{"form-raw"}, "selected", new String[]{"0.1"}, "order", new String[]{"spread"}));
    assertEquals(2, csv(results, "column-longs-filter-speed-generator").size());
  }

  @Test
  void rowsAreReadOneByOne() throws Exception {
    final Collection<RunResult> results = run("ColumnarLongsSelectRowsFromGeneratorBenchmark", Map.of(
        "distribution", new String[]{"times"}, "rows", new String[]{"5001"}, "jvm", new String[]{"fresh"},
        "encoding", new String[]{"shapeshift-faster"}, "selected", new String[]{"descending", "every-5"},
        "read", new String[]{"single"}));
    final List<List<String>> csv = csv(results, "column-longs-select-speed-generator");
    final List<String> header = csv.get(0);
    assertEquals(
        Map.of("descending", "5001", "every-5", "1001"),
        csv.stream().skip(1).collect(Collectors.toMap(
            row -> row.get(header.indexOf("selected")), row -> row.get(header.indexOf("selectedRows"))))
    );
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    final Map<String, String[]> good = Map.of("distribution", new String[]{"runs"}, "rows", new String[]{"100"},
        "encoding", new String[]{"druid-lz4"}, "jvm", new String[]{"fresh"}, "selected", new String[]{"scan"},
        "read", new String[]{"vector"});
    for (List<String> bad : List.of(
        List.of("encoding", "druid-auto-lz4"), List.of("jvm", "old"), List.of("selected", "2"),
        List.of("selected", "descending"), List.of("read", "twice"))) {
      final Map<String, String[]> params = new java.util.HashMap<>(good);
      params.put(bad.get(0), new String[]{bad.get(1)});
      assertThrows(RunnerException.class, () -> run("ColumnarIntsSelectRowsFromGeneratorBenchmark", params),
          bad::toString);
    }
  }
}
