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
import io.shapeshift.druid.benchmark.results.BenchmarkName;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.FormEncodings;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class SuiteTest {
  /** Rows for several chunks. */
  private static final int FORM_ROWS = 50_000;

  @TempDir
  private Path directory;

  static Stream<String> names() {
    return Suite.NAMES.stream();
  }

  /** A suite with its patterns replaced by names, and with enough rows for several chunks. */
  private static Suite resolved(String name) {
    final Suite suite = Suite.of(name);
    return new SuiteForms().resolve(suite.with(suite.grids().stream()
        .map(grid -> grid.params().containsKey("rows") ? grid.with("rows", List.of("" + FORM_ROWS)) : grid)
        .toList()));
  }

  @ParameterizedTest
  @MethodSource("names")
  void whatSuitesNameExists(String name) {
    final Suite suite = resolved(name);
    suite.check();
    for (Grid grid : suite.grids()) {
      for (String benchmark : grid.benchmarks()) {
        final List<String> distributions = grid.params().getOrDefault("distribution", List.of());
        assertTrue(
            distributions.isEmpty() || Distributions.names(type(benchmark)).containsAll(distributions),
            grid::toString
        );
      }
    }
    assertFalse(suite.description().isEmpty());
  }

  private static EncodedType type(String benchmark) {
    return BenchmarkName.of(benchmark).orElseThrow().type();
  }

  @Test
  void smokeAndFullRunEveryBenchmark() {
    // Excluded are a benchmark of the tests' own, and benchmarks of no column.
    final Set<String> benchmarks = Sets.difference(
        Jmh.benchmarks().keySet(),
        Set.of("TinyBenchmark", "UnpackBenchmark", "KeyBenchmark", "KeySetBenchmark", "TextIndexBenchmark")
    );
    for (String name : List.of("smoke", "full")) {
      final Set<String> run = new HashSet<>();
      Suite.of(name).grids().forEach(grid -> run.addAll(grid.benchmarks()));
      assertEquals(benchmarks, run, name);
    }
  }

  /**
   * For numbers, each frame is measured with one form of ints, because it adds the same time to all of them, and so is
   * each form without a frame.
   */
  @Test
  void eachFormIsMeasuredOnRowsThatItCanStore() throws IOException {
    final Set<String> measuredInts = new TreeSet<>();
    final Set<String> measuredNumbers = new TreeSet<>();
    for (Grid grid : resolved("forms").grids()) {
      final EncodedType type = type(grid.benchmarks().get(0));
      final RowValues values = Distributions.of(type, grid.params().get("distribution").get(0), FORM_ROWS);
      for (String name : grid.params().get(Grid.ENCODING)) {
        if (!name.equals(RowEncodings.DRUID_LZ4.name())) {
          try (EncodedRows encoded = RowEncodings.parse(name).encode("test", values)) {
            assertEquals(Set.of(name), encodings(encoded.forms().keySet().stream()));
          }
          (type == EncodedType.INT ? measuredInts : measuredNumbers).add(name);
        }
      }
    }
    final Set<String> ints = encodings(IntForms.of(IntForm.Use.IDS).stream().map(IntForm::name));
    // Chunks of a single value cost nothing to read.
    ints.removeAll(Set.of("form-zero", "form-constant"));
    assertEquals(ints, measuredInts, "forms of ids: one that can store none of the rows needs a grid in forms.json");
    final Set<Byte> ids = new TreeSet<>();
    final Set<Byte> measuredIds = new TreeSet<>();
    for (NumberType type : NumberType.values()) {
      for (NumberForm form : NumberForms.of(type)) {
        ids.add(form.id());
        if (measuredNumbers.contains(FormEncodings.name(form.name()))) {
          measuredIds.add(form.id());
        }
      }
    }
    assertEquals(ids, measuredIds, "ids of forms of numbers, each of which needs a grid in forms.json");
  }

  private static Set<String> encodings(Stream<String> forms) {
    return forms.map(FormEncodings::name).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void patternsAreTheFormsThatCanStoreTheRows() {
    final Grid grid = new Grid(
        List.of("ColumnarLongsEncodeDataFromGeneratorBenchmark", "ColumnarFloatsEncodeDataFromGeneratorBenchmark"),
        Map.of(
            "distribution", List.of("uniform-12", "constant"),
            "rows", List.of("100"),
            "encoding", List.of("form-linear-bitpack", "druid-lz4", "form-linear-*")
        ),
        null
    );
    final List<Grid> resolved = new SuiteForms().resolve(Suite.of("smoke").with(List.of(grid))).grids();
    assertEquals(4, resolved.size());
    for (Grid piece : resolved) {
      final boolean isConstant = piece.params().get("distribution").equals(List.of("constant"));
      final List<String> encodings = piece.params().get(Grid.ENCODING);
      assertEquals(List.of("form-linear-bitpack", "druid-lz4"), encodings.subList(0, 2));
      assertEquals(isConstant, encodings.contains("form-linear-constant"), piece::toString);
      assertTrue(encodings.contains("form-linear-bytepack"), piece::toString);
      assertEquals(encodings.size(), Set.copyOf(encodings).size());
      assertTrue(encodings.stream().allMatch(name -> name.matches("druid-lz4|form-linear-.*")), piece::toString);
    }
    final Grid ofSegment = new Grid(
        List.of("ColumnarIntsEncodeDataFromSegmentBenchmark"),
        Map.of(
            "segmentPath", List.of(DataSets.tpch("lineitem", 0.001, directory).toString()),
            "columnName", List.of("l_returnflag"),
            "encoding", List.of("form-b*pack")
        ),
        null
    );
    assertEquals(
        List.of(ofSegment.with("encoding", List.of("form-bitpack", "form-bytepack"))),
        new SuiteForms().resolve(Suite.of("smoke").with(List.of(ofSegment))).grids()
    );
  }

  @Test
  void patternsWithoutFormsOrRowsAreRefused() {
    final Grid grid = new Grid(
        List.of("ColumnarIntsEncodeDataFromGeneratorBenchmark"),
        Map.of("distribution", List.of("runs"), "rows", List.of("100"), "encoding", List.of("form-*")),
        null
    );
    for (var wrong : Map.of(
        "form-pack*: no form is called like this", grid.with("encoding", List.of("form-pack*")),
        "There is no distribution 'run'", grid.with("distribution", List.of("run")),
        "a pattern of encodings needs rows", new Grid(grid.benchmarks(), Map.of("encoding", List.of("form-*")), null),
        "it is no benchmark of columns", grid.of("KeyBenchmark")
    ).entrySet()) {
      final Suite suite = Suite.of("smoke").with(List.of(wrong.getValue()));
      final String message = assertThrows(ToolException.class, () -> new SuiteForms().resolve(suite)).getMessage();
      assertTrue(message.contains(wrong.getKey()), message);
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
        "There is no encoding druid-lz4 of indexes.", List.of(
            new Grid(List.of("IndexBuildBenchmark"), Map.of("encoding", List.of("druid-lz4")), null)),
        "it has no parameter encodings", List.of(grid.with("encodings", List.of("druid-lz4"))),
        "the suite has it twice", List.of(grid, grid.with("jvm", List.of("fresh", "polluted")))
    ).entrySet()) {
      final Suite suite = smoke.with(wrong.getValue());
      final String message = assertThrows(ToolException.class, suite::check).getMessage();
      assertTrue(message.contains(wrong.getKey()), message);
    }
  }
}
