// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.benchmark.Benchmarks;
import io.shapeshift.druid.tool.ingest.SegmentBuilder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.segment.IndexSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command from its options to its results; does not test the times. */
@Tag("slow")
class EvaluateCommandTest {
  @TempDir
  private static Path directory;
  private static Path segment;

  @BeforeAll
  static void makeSegment() throws Exception {
    final Path rows = directory.resolve("rows.json");
    Files.write(rows, IntStream.range(0, 1000)
        .mapToObj(i -> String.format(
            Locale.ROOT,
            "{\"time\": %d, \"text\": %s, \"number\": %d, \"price\": %d.25}",
            i * 1000, i % 7 == 0 ? "null" : "\"text " + i % 50 + "\"", i % 300, i * 37 % 100
        ))
        .toList());
    segment = directory.resolve("segments/rows");
    SegmentBuilder.build(rows, "time", IndexSpec.getDefault(), segment);
  }

  private List<List<String>> evaluate(String part, String... options) throws Exception {
    final Path results = directory.resolve(part);
    final StringWriter err = new StringWriter();
    final String[] arguments = Stream.of(
        Stream.of("evaluate", part, segment.toString(), "--results", results.toString()), Arrays.stream(options)
    ).flatMap(each -> each).toArray(String[]::new);
    assertEquals(0, Benchmarks.commandLine().setErr(new PrintWriter(err)).execute(arguments), err::toString);
    assertTrue(Files.exists(results.resolve("run.json")));
    return Files.readAllLines(results.resolve(part + ".csv")).stream().skip(1)
        .map(line -> List.of(line.split(",", -1)))
        .toList();
  }

  private static Set<String> column(List<List<String>> rows, int index) {
    return rows.stream().map(row -> row.get(index)).collect(Collectors.toSet());
  }

  /** With more techniques no column of Druid's types is larger than with none. */
  @Test
  void forms() throws Exception {
    final List<List<String>> rows = evaluate("forms", "--rounds", "1", "--rows", "900");
    final int sets = FormStep.sets().size();
    assertEquals(FormStep.values().length * 2 - 1, sets);
    final Set<String> columns = column(rows, 1);
    assertEquals(Set.of("__time", "text", "number", "price"), columns);
    assertEquals(columns.size() * (1 + 2 * sets), rows.size());
    assertEquals(Set.of("900"), column(rows, 3));
    assertEquals(Set.of("druid-lz4", "shapeshift-fastbutsmallish", "shapeshift-smaller"), column(rows, 4));
    for (List<String> row : rows) {
      assertTrue(Integer.parseInt(row.get(6)) > 0 && Double.parseDouble(row.get(7)) >= 0, row::toString);
      if (row.get(5).equals("uncompressed")) {
        assertTrue(row.get(8).matches("(raw|unencoded) \\d+"), row::toString);
      } else if (row.get(5).equals("without decimals")) {
        assertFalse(row.get(8).matches(".*decimal-(?!zero|constant).*"), row::toString);
      }
    }
  }

  @Test
  void samples() throws Exception {
    final List<List<String>> rows = evaluate("samples", "--blocks", "1");
    assertEquals(1 + Sample.all(SamplesPart.BLOCK).size(), column(rows, 4).size());
    for (List<String> row : rows) {
      final long bytes = Long.parseLong(row.get(8));
      // A sample of all values chooses the best; so does selection, or it divides the block.
      if (row.get(4).equals("1024 x 64")) {
        assertEquals(row.get(9), row.get(8), row::toString);
        assertEquals("1", row.get(7), row::toString);
      }
      assertTrue(bytes > 0 && Long.parseLong(row.get(10)) >= 0 && Long.parseLong(row.get(11)) > 0, row::toString);
    }
  }

  @Test
  void decode() throws Exception {
    final List<List<String>> rows =
        evaluate("decode", "--rounds", "1", "--encoded", "druid-lz4=" + segment.getParent());
    assertEquals(
        Set.of("parquet-java", "parquet-java-snappy", "parquet-java-zstd", "orc-java-snappy", "orc-java-zstd",
            "druid-lz4"),
        column(rows, 3));
    assertEquals(Set.of("1000"), column(rows, 2));
    assertTrue(rows.stream().allMatch(row -> Double.parseDouble(row.get(5)) > 0));
  }

  @Test
  void encode() throws Exception {
    final List<List<String>> rows = evaluate("encode", "--rounds", "1");
    assertTrue(column(rows, 3).containsAll(Set.of("parquet-java-zstd", "druid-zstd", "shapeshift-faster")));
    assertTrue(rows.stream().allMatch(row -> Double.parseDouble(row.get(5)) > 0));
  }

  @Test
  void whatIsWrongIsSaid() {
    for (List<String> wrong : List.of(
        List.of("none", "x"), List.of("forms"), List.of("forms", "x", "--rows", "0"),
        List.of("forms", "x", "--rounds", "0"), List.of("samples", "x", "--blocks", "0")
    )) {
      final String[] arguments = Stream.concat(Stream.of("evaluate"), wrong.stream()).toArray(String[]::new);
      assertEquals(2, Benchmarks.commandLine().setErr(new PrintWriter(new StringWriter())).execute(arguments));
    }
    final StringWriter err = new StringWriter();
    assertEquals(
        3, Benchmarks.commandLine().setErr(new PrintWriter(err)).execute("evaluate", "forms", "/nowhere"));
    assertTrue(err.toString().contains("/nowhere"), err::toString);
  }
}
