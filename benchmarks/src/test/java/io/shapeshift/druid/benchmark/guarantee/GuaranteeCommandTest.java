// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.benchmark.Benchmarks;
import io.shapeshift.druid.benchmark.data.DataSets;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command from its options to its results; does not test the times. */
@Tag("slow")
class GuaranteeCommandTest {
  @TempDir
  private Path directory;

  private int run(StringWriter out, String... arguments) {
    return Benchmarks.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(new StringWriter()))
        .execute(arguments);
  }

  @EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
  @Test
  void generatedColumnsInBothJvms() throws Exception {
    final StringWriter out = new StringWriter();
    final Path results = directory.resolve("results");
    final int exitCode = run(out, "guarantee", "--only", "^decimals-nan$", "--types", "float", "--rows", "3000",
        "--targets", "default", "--rounds", "1", "--results", results.toString());
    assertTrue(exitCode == 0 || exitCode == 1, out::toString);
    final List<String> lines = Files.readAllLines(results.resolve("guarantee.csv"));
    // One line per kind of JVM and read.
    assertEquals(1 + 2 * Trial.READS.size(), lines.size());
    for (String start : List.of(
        "float,decimals-nan,default,polluted,scan,3000,", "float,decimals-nan,default,polluted,descending,3000,",
        "float,decimals-nan,default,fresh,1.0,3000,"
    )) {
      assertEquals(1, lines.stream().filter(line -> line.startsWith(start)).count(), start);
    }
    assertTrue(Files.exists(results.resolve("run.json")));
    assertTrue(out.toString().contains(2 * Trial.READS.size() + " reads, "), out::toString);
    assertTrue(out.toString().contains("geometric mean"), out::toString);
  }

  @Test
  void eachEncodingTwice() throws Exception {
    final StringWriter out = new StringWriter();
    final Path results = directory.resolve("results");
    final int exitCode = run(out, "guarantee", "--twice", "--only", "^few-7$", "--types", "long", "--rows", "3000",
        "--targets", "default", "--rounds", "1", "--results", results.toString());
    assertTrue(exitCode == 0 || exitCode == 1, out::toString);
    final List<String> lines = Files.readAllLines(results.resolve("guarantee-twice.csv"));
    final List<String> encodings = List.of("druid-lz4", "shapeshift-fastbutsmallish");
    assertEquals(1 + encodings.size() * Trial.READS.size(), lines.size());
    for (String encoding : encodings) {
      assertTrue(lines.stream().anyMatch(line -> line.startsWith("long,few-7," + encoding + ",scan,")), encoding);
      assertTrue(out.toString().contains(encoding), out::toString);
    }
  }

  @EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
  @Test
  void columnsOfASegment() throws Exception {
    final Path segment = DataSets.tpch("lineitem", 0.001, directory.resolve("segments"));
    final StringWriter out = new StringWriter();
    final Path results = directory.resolve("results");
    final int exitCode = run(out, "guarantee", "--segment", segment.toString(), "--only", "returnflag", "--jvm",
        "polluted", "--targets", "faster", "--rounds", "1", "--results", results.toString());
    assertTrue(exitCode == 0 || exitCode == 1, out::toString);
    final Set<String> columns = Files.readAllLines(results.resolve("guarantee.csv")).stream().skip(1)
        .map(line -> line.split(",", -1)[1])
        .collect(Collectors.toSet());
    assertEquals(Set.of(segment.getFileName() + "/l_returnflag"), columns);
  }

  @Test
  void encodingsOfTheSameBytesAreMeasuredOnce() {
    final Shape shape = Shape.generated(EncodedType.LONG, 5000).stream()
        .filter(each -> each.name().equals("constant"))
        .findFirst()
        .orElseThrow();
    try (EncodedShape encoded = new EncodedShape(shape, EnumSet.allOf(Promise.class))) {
      final Function<Map<String, EncodedRows>, Map<String, Map<String, Double>>> sizes = rows -> {
        assertEquals(Set.of("druid-lz4", "shapeshift-fastbutsmallish"), rows.keySet());
        return Map.of("size", rows.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> (double) each.getValue().sizeInBytes())));
      };
      final Map<String, Double> measured = encoded
          .measure(sizes, Set.of("druid-lz4", "shapeshift-fastbutsmallish"))
          .get("size");
      final StoredColumn stored = encoded.stored(Promise.DEFAULT);
      assertEquals((double) stored.sizeInBytes(), measured.get("shapeshift-fastbutsmallish"));
      assertEquals((double) stored.druidBytes(), measured.get("druid-lz4"));
      assertEquals(5000, stored.rows());
      assertTrue(stored.forms().endsWith("constant 1"), stored::forms);
      // A constant has the same bytes under all targets.
      final Map<String, Map<String, Double>> both = encoded.measure(
          rows -> Map.of("size", rows.keySet().stream().collect(Collectors.toMap(name -> name, name -> 1.0))),
          Set.of("shapeshift-faster", "shapeshift-smaller")
      );
      assertEquals(Set.of("shapeshift-faster", "shapeshift-smaller"), both.get("size").keySet());
    }
  }

  @Test
  void whatIsWrongIsSaid() {
    final String results = directory.resolve("results").toString();
    for (List<String> wrong : List.of(
        List.of("--rows", "0"), List.of("--rounds", "0"), List.of("--types", "string"), List.of("--targets", "fast"),
        List.of("--jvm", "warm")
    )) {
      assertEquals(2, run(new StringWriter(), "guarantee", wrong.get(0), wrong.get(1), "--results", results));
    }
    assertEquals(3, run(new StringWriter(), "guarantee", "--only", "nothing", "--results", results));
    assertFalse(Files.exists(directory.resolve("results")));
  }
}
