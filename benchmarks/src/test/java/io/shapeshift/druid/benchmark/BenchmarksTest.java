// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.benchmark.data.DataSets;
import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.segment.spec.EncodedType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;

/** Tests the command lines of the jar. */
@Tag("slow")
class BenchmarksTest {
  @TempDir
  private Path directory;

  @Test
  void allColumnsOfASegmentOfEachType() throws Exception {
    final String segment = DataSets.tpch("lineitem", 0.001, directory).toString();
    final Path results = directory.resolve("results");
    assertEquals(0, Benchmarks.run(
        "EncodeData", "--all-columns", "--results", results.toString(), "-p", "segmentPath=" + segment,
        "-p", "encoding=druid-lz4", "-p", "jvm=fresh", "-f", "0", "-wi", "0", "-i", "1", "-r", "1ms", "-v", "SILENT"
    ));
    for (EncodedType type : EncodedType.OF_ROWS) {
      final Path csv = results.resolve("column-" + type.toString().toLowerCase(java.util.Locale.ROOT)
          + "s-encode-speed-segments.csv");
      final List<String> lines = Files.readAllLines(csv);
      assertEquals(SegmentColumns.names(segment, type).size() + 1, lines.size());
    }
    try (Stream<Path> files = Files.list(results)) {
      assertEquals(4 * 2 + 1, files.count());
    }
    // The results of an earlier run are not overwritten.
    assertEquals(3, Benchmarks.run("EncodeData", "--results", results.toString()));
  }

  @Test
  void helpListsEveryCommand() {
    final String commands = "suite|guarantee|costs|evaluate|ingestion|keys|pools|queries|sketches|tpch";
    assertTrue(JmhCommand.help().contains(" benchmarks.jar " + commands + " --help\n"), JmhCommand.help());
  }

  @Test
  void whatFailsIsSaidAndTheOthersAreKept() throws Exception {
    final Path results = directory.resolve("results");
    assertEquals(3, Benchmarks.run(
        "IntsEncodeDataFromGenerator", "--results", results.toString(), "-p", "distribution=runs", "-p", "rows=100",
        "-p", "encoding=druid-lz4,nonsense,druid-zstd", "-p", "jvm=fresh", "-f", "0", "-wi", "0", "-i", "1",
        "-r", "1ms", "-v", "SILENT"
    ));
    final List<String> lines = Files.readAllLines(results.resolve("column-ints-encode-speed-generator.csv"));
    assertEquals(3, lines.size());
    assertTrue(lines.get(1).contains(",druid-lz4,"), lines.get(1));
    assertTrue(lines.get(2).contains(",druid-zstd,"), lines.get(2));
    assertTrue(Files.exists(results.resolve("run.json")));
  }

  /** Repeated modes run once, repeated parameter values twice, and one mode stands for all. */
  @Test
  void asManyAsExpectedRun() throws Exception {
    final Options options = Jmh.options(new CommandLineOptions(
        "EncodeDataFromGenerator", "-e", "Floats|Doubles", "-bm", "all,avgt", "-p", "distribution=runs",
        "-p", "rows=100,200,100", "-p", "encoding=druid-lz4", "-p", "jvm=fresh", "-f", "0", "-wi", "0", "-i", "1",
        "-r", "1ms", "-v", "SILENT"
    )).build();
    assertEquals(2 * 4 * 3, Jmh.size(options));
    assertEquals(2 * 4 * 3, Jmh.run(options).size());
  }

  /** Runs a suite in a JVM of its own, as all suites are run. */
  @Test
  void aSuite() throws Exception {
    final Path suite = Files.writeString(directory.resolve("suite.json"), """
        {
          "description": "a test",
          "iterations": {"warmups": 0, "measured": 1, "millis": 1},
          "rounds": 2,
          "grids": [{
            "benchmarks": ["ColumnarIntsEncodeDataFromGeneratorBenchmark"],
            "params": {"distribution": ["runs"], "rows": ["100"], "encoding": ["shapeshift-faster"], "jvm": ["fresh"]}
          }]
        }
        """);
    final Path results = directory.resolve("results");
    final String[] command = {"suite", suite.toString(), "--results", results.toString()};
    assertEquals(0, Benchmarks.run("suite", suite.toString(), "--results", results.toString(), "--dry-run"));
    assertFalse(Files.exists(results));
    assertEquals(0, Benchmarks.run(command));
    final List<String> lines = Files.readAllLines(results.resolve("column-ints-encode-speed-generator.csv"));
    assertEquals(2, lines.size());
    // One iteration in each of two rounds.
    assertTrue(lines.get(1).contains("runend 1,2,"), lines.get(1));
    assertTrue(Files.readString(results.resolve("run.json")).contains("MaxDirectMemorySize"));
    assertEquals(3, Benchmarks.run(command));
  }

  @ParameterizedTest
  @ValueSource(strings = {"suite", "guarantee", "costs", "ingestion", "keys", "pools", "queries", "tpch"})
  void everySubcommandKnowsItsVersion(String subcommand) {
    final StringWriter out = new StringWriter();
    assertEquals(0, Benchmarks.commandLine().setOut(new PrintWriter(out)).execute(subcommand, "--version"));
    assertTrue(out.toString().startsWith("druid-shapeshift "), out.toString());
  }

  @Test
  void whatIsWrongIsSaid() {
    final String results = directory.resolve("results").toString();
    assertEquals(3, Benchmarks.run("suite", "nothing", "--results", results));
    assertEquals(3, Benchmarks.run("suite", "smoke", "--results", results, "--only", "Nothing"));
    assertEquals(3, Benchmarks.run("suite", "smoke", "--results", results, "--columns", "channel"));
    assertEquals(2, Benchmarks.run("suite"));
    assertEquals(2, Benchmarks.run("suite", "smoke", "--results", results, "--rounds", "0"));
    assertEquals(3, Benchmarks.run("--all-columns"));
    assertEquals(2, Benchmarks.run("--nonsense"));
    // Without a segment.
    assertEquals(3, Benchmarks.run(
        "IntsEncodeDataFromSegment", "-p", "jvm=fresh", "-f", "0", "-wi", "0", "-i", "1", "-r", "1ms", "-v", "SILENT"
    ));
    assertFalse(Files.exists(directory.resolve("results")));
  }
}
