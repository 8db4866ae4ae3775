// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Sets;
import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.benchmark.data.DataSets;
import io.shapeshift.druid.benchmark.data.Distributions;
import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SuiteTest {
  /** Of several chunks. */
  private static final int FORM_ROWS = 50_000;

  @TempDir
  private Path directory;

  static Stream<String> names() {
    return Suite.NAMES.stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void whatSuitesNameExists(String name) {
    final Suite suite = Suite.of(name);
    suite.check();
    for (Grid grid : suite.grids()) {
      grid.params().get(Grid.ENCODING).forEach(RowEncodings::parse);
      for (String benchmark : grid.benchmarks()) {
        final List<String> names = benchmark.contains("Ints") ? Distributions.intNames()
            : benchmark.contains("Longs") ? Distributions.longNames()
            : benchmark.contains("Floats") ? Distributions.floatNames() : Distributions.doubleNames();
        assertTrue(names.containsAll(grid.params().getOrDefault("distribution", List.of())), grid::toString);
      }
    }
    assertFalse(suite.description().isEmpty());
  }

  @Test
  void smokeAndFullRunEveryBenchmark() {
    // One of the tests' own, and one of no column.
    final Set<String> benchmarks =
        Sets.difference(Jmh.benchmarks().keySet(), Set.of("TinyBenchmark", "UnpackBenchmark"));
    for (String name : List.of("smoke", "full")) {
      final Set<String> run = new HashSet<>();
      Suite.of(name).grids().forEach(grid -> run.addAll(grid.benchmarks()));
      assertEquals(benchmarks, run, name);
    }
  }

  @Test
  void eachFormOfIntsIsMeasuredByItself() {
    final Set<String> measured = new TreeSet<>();
    formsOf("Ints").forEach(grid -> measured.addAll(grid.params().get(Grid.ENCODING)));
    final Set<String> forms = new TreeSet<>(Set.of("druid-lz4"));
    IntForms.ALL.forEach(form -> forms.add("form-" + form.name()));
    // Their chunks are of one value alone, which costs nothing to read.
    forms.removeAll(Set.of("form-zero", "form-constant"));
    // Chosen within codecs only.
    forms.removeAll(Set.of("form-shuffle", "form-bytedictionary", "form-bits"));
    assertEquals(forms, measured);
  }

  private static Stream<Grid> formsOf(String type) {
    return Suite.of("forms").grids().stream().filter(grid -> grid.benchmarks().get(0).startsWith("Columnar" + type));
  }

  /** Of forms of ints in a frame some suffice: what a frame adds is the same for all. */
  @Test
  void eachFrameOfNumbersIsMeasuredAndEachFormWithoutOne() {
    final Set<String> measured = new HashSet<>();
    Stream.of("Longs", "Floats", "Doubles").flatMap(SuiteTest::formsOf).forEach(
        grid -> grid.params().get(Grid.ENCODING).forEach(name -> measured.add(name.replaceFirst("^form-", "")))
    );
    final Set<String> wanted = new TreeSet<>(Set.of("raw", "wide", "split", "raw-lz4", "raw-zstd"));
    assertTrue(measured.containsAll(wanted), measured::toString);
    IntForms.ALL.forEach(form -> wanted.add(form.name()));
    for (NumberType type : NumberType.values()) {
      for (NumberForm form : NumberForms.of(type)) {
        final String frame = form.name().substring(0, form.name().indexOf('-') + 1);
        assertTrue(
            wanted.contains(form.name())
                || (!frame.isEmpty() && measured.stream().anyMatch(name -> name.startsWith(frame))),
            form.name()
        );
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Longs", "Floats", "Doubles"})
  void eachFormCanStoreTheNumbersThatItIsMeasuredOn(String type) throws IOException {
    for (Grid grid : formsOf(type).toList()) {
      final String distribution = grid.params().get("distribution").get(0);
      final RowValues values = switch (type) {
        case "Longs" -> Distributions.longs(distribution, FORM_ROWS);
        case "Floats" -> Distributions.floats(distribution, FORM_ROWS);
        default -> Distributions.doubles(distribution, FORM_ROWS);
      };
      for (String name : grid.params().get(Grid.ENCODING)) {
        try (EncodedRows encoded = RowEncodings.parse(name).encode(distribution, values)) {
          assertEquals(
              name.startsWith("form-") ? Set.of(name.substring("form-".length())) : Set.of(),
              encoded.forms().keySet()
          );
        }
      }
    }
  }

  @Test
  void piecesDifferInTheEncodingAlone() {
    final Grid grid = new Grid(
        List.of("A", "B"),
        Map.of("encoding", List.of("x", "y"), "jvm", List.of("fresh", "polluted"), "read", List.of("vector")),
        null
    );
    assertEquals(8, grid.size());
    assertEquals(4, grid.byEncoding().size());
    for (Grid piece : grid.byEncoding()) {
      assertEquals(2, piece.size());
      assertEquals(List.of("x", "y"), piece.params().get("encoding"));
    }
    assertEquals(4, Set.copyOf(grid.byEncoding()).size());
  }

  @Test
  void anybodysSegmentTakesTheSuitesPlace() {
    final String lineitem = DataSets.tpch("lineitem", 0.001, directory).toString();
    final Suite smoke = Suite.of("smoke");
    final SuiteSegments own = new SuiteSegments(directory, List.of(Path.of(lineitem)), List.of());
    for (Grid grid : own.resolve(smoke).grids()) {
      if (grid.params().containsKey("segmentPath")) {
        assertEquals(List.of(lineitem), grid.params().get("segmentPath"));
      }
      if (grid.benchmarks().get(0).startsWith("ColumnarFloats") && grid.params().containsKey("columnName")) {
        assertEquals(SegmentColumns.names(lineitem, EncodedType.FLOAT), grid.params().get("columnName"));
      }
    }
    final SuiteSegments stock = new SuiteSegments(directory, List.of(), List.of());
    final Suite misspelt = smoke.with(List.of(new Grid(
        List.of("ColumnarIntsEncodeDataFromSegmentBenchmark"),
        Map.of("encoding", List.of("druid-lz4"), "segmentPath", List.of(lineitem), "columnName", List.of("l_nothing")),
        null
    )));
    assertTrue(assertThrows(ToolException.class, () -> stock.resolve(misspelt)).getMessage()
                   .contains("it has no column l_nothing for Columnar"));
    final SuiteSegments some = new SuiteSegments(directory, List.of(Path.of(lineitem)), List.of("l_tax", "l_nothing"));
    assertEquals(List.of("l_nothing"), some.missingColumns(some.resolve(smoke)));
  }

  @Test
  void aSuiteThatIsNoneIsRefused() throws Exception {
    assertTrue(assertThrows(ToolException.class, () -> Suite.of("smok")).getMessage().contains("smoke, quick"));
    final Path file = directory.resolve("suite.json");
    final String start =
        "{\"description\": \"a test\", \"iterations\": {\"warmups\": 0, \"measured\": 1, \"millis\": 1}, \"rounds\": ";
    for (var wrong : Map.of(
        "{", "line 1",
        "{}", "description",
        start + "\"many\"}", "in rounds",
        start + "0, \"grids\": []}", "rounds must be 1 or more",
        start + "1}", "in grids",
        start + "1, \"grids\": [{\"benchmarks\": [\"A\"], \"params\": {}}]}", "no encoding"
    ).entrySet()) {
      Files.writeString(file, wrong.getKey());
      final String message = assertThrows(ToolException.class, () -> Suite.of(file.toString())).getMessage();
      assertTrue(message.contains(wrong.getValue()), message);
    }
  }

  @Test
  void aSuiteOfWhatThereIsNotIsRefusedBeforeItRuns() {
    final Suite smoke = Suite.of("smoke");
    final Grid grid = smoke.grids().get(0);
    for (var wrong : Map.of(
        "there is no such benchmark", List.of(grid.of("ColumnarIntsBenchmark")),
        "There is no encoding druid-lz5.", List.of(grid.with("encoding", List.of("druid-lz5"))),
        "it has no parameter encodings", List.of(grid.with("encodings", List.of("druid-lz4"))),
        "the suite has it twice", List.of(grid, grid.with("jvm", List.of("fresh", "polluted")))
    ).entrySet()) {
      final Suite suite = smoke.with(wrong.getValue());
      final String message = assertThrows(ToolException.class, suite::check).getMessage();
      assertTrue(message.contains(wrong.getKey()), message);
    }
  }
}
