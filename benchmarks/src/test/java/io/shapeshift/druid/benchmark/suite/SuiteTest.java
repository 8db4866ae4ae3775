// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.benchmark.data.DataSets;
import io.shapeshift.druid.benchmark.data.Distributions;
import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.benchmark.data.SegmentColumns.Kind;
import io.shapeshift.druid.form.Forms;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

class SuiteTest {
  @TempDir
  private Path directory;

  static Stream<String> names() {
    return Suite.NAMES.stream();
  }

  /** The classes of all benchmarks by simple name. */
  private static Map<String, Class<?>> benchmarks() throws ClassNotFoundException {
    final Map<String, Class<?>> classes = new HashMap<>();
    // One of the tests' own.
    final List<String> others = List.of("TinyBenchmark");
    for (BenchmarkListEntry entry : BenchmarkList.defaultList().getAll(
        OutputFormatFactory.createFormatInstance(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8), VerboseMode.SILENT),
        List.of()
    )) {
      final Class<?> found = Class.forName(entry.getUserClassQName());
      if (!others.contains(found.getSimpleName())) {
        classes.put(found.getSimpleName(), found);
      }
    }
    return classes;
  }

  private static Set<String> params(Class<?> benchmark) {
    final Set<String> names = new HashSet<>();
    for (Class<?> each = benchmark; each != null; each = each.getSuperclass()) {
      Arrays.stream(each.getDeclaredFields())
          .filter(field -> field.isAnnotationPresent(Param.class))
          .map(Field::getName)
          .forEach(names::add);
    }
    return names;
  }

  @ParameterizedTest
  @MethodSource("names")
  void whatSuitesNameExists(String name) throws ClassNotFoundException {
    final Map<String, Class<?>> benchmarks = benchmarks();
    final Suite suite = Suite.of(name);
    for (Grid grid : suite.grids()) {
      grid.params().get(Grid.ENCODING).forEach(RowEncoding::parse);
      for (String benchmark : grid.benchmarks()) {
        assertTrue(benchmarks.containsKey(benchmark), benchmark);
        assertTrue(params(benchmarks.get(benchmark)).containsAll(grid.params().keySet()), grid::toString);
        final List<String> names = benchmark.contains("Ints") ? Distributions.intNames()
            : benchmark.contains("Longs") ? Distributions.longNames()
            : benchmark.contains("Floats") ? Distributions.floatNames() : Distributions.doubleNames();
        assertTrue(names.containsAll(grid.params().getOrDefault("distribution", List.of())), grid::toString);
      }
    }
    assertFalse(suite.description().isEmpty());
  }

  @Test
  void smokeAndFullRunEveryBenchmark() throws ClassNotFoundException {
    for (String name : List.of("smoke", "full")) {
      final Set<String> run = new HashSet<>();
      Suite.of(name).grids().forEach(grid -> run.addAll(grid.benchmarks()));
      assertEquals(benchmarks().keySet(), run, name);
    }
  }

  @Test
  void eachFormIsMeasuredByItself() {
    final Set<String> measured = new TreeSet<>();
    Suite.of("forms").grids().forEach(grid -> measured.addAll(grid.params().get(Grid.ENCODING)));
    final Set<String> forms = new TreeSet<>(Set.of("druid-lz4"));
    Forms.INTS.forEach(form -> forms.add("form-" + form.name()));
    // Their chunks are of one value alone, which costs nothing to read.
    forms.removeAll(Set.of("form-zero", "form-constant"));
    assertEquals(forms, measured);
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
        assertEquals(SegmentColumns.names(lineitem, Kind.FLOATS), grid.params().get("columnName"));
      }
    }
    final SuiteSegments some = new SuiteSegments(directory, List.of(Path.of(lineitem)), List.of("l_tax", "l_nothing"));
    assertEquals(List.of("l_nothing"), some.missingColumns(some.resolve(smoke)));
  }

  @Test
  void aSuiteThatIsNoneIsRefused() throws Exception {
    assertTrue(assertThrows(ToolException.class, () -> Suite.of("smok")).getMessage().contains("smoke, quick"));
    final Path file = Files.writeString(directory.resolve("suite.json"), "{\"rounds\": \"many\"}");
    assertTrue(assertThrows(ToolException.class, () -> Suite.of(file.toString())).getMessage().contains("rounds"));
  }
}
