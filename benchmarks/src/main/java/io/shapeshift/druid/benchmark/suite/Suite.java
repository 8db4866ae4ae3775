// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.suite;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Preconditions;
import com.google.common.collect.Sets;
import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.benchmark.dictionary.DictionaryEncoding;
import io.shapeshift.druid.benchmark.index.IndexEncoding;
import io.shapeshift.druid.benchmark.results.BenchmarkName;
import io.shapeshift.druid.tool.cli.JsonFile;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Named set of benchmarks, read from a JSON file: one of the project's beside this class, or any other.
 *
 * @param description what it is for
 * @param iterations  how long each benchmark runs
 * @param rounds      how often all of it runs, each time in JVMs of their own
 * @param grids       what runs
 */
record Suite(String description, Iterations iterations, int rounds, List<Grid> grids) {
  static final List<String> NAMES = List.of("smoke", "quick", "forms", "number-filters", "index", "dictionary", "full");

  /**
   * Iterations in one JVM.
   *
   * @param warmups  iterations that are not counted
   * @param measured iterations that are
   * @param millis   duration of each
   */
  record Iterations(int warmups, int measured, int millis) {
    Iterations {
      Preconditions.checkArgument(warmups >= 0, "warmups must be 0 or more");
      Preconditions.checkArgument(measured > 0, "measured must be 1 or more");
      Preconditions.checkArgument(millis > 0, "millis must be 1 or more");
    }
  }

  Suite {
    Preconditions.checkArgument(rounds > 0, "rounds must be 1 or more");
  }

  /**
   * Reads a suite.
   *
   * @param nameOrFile one of {@link #NAMES}, or a JSON file
   * @throws ToolException if there is no such suite, or its file is not of this shape
   */
  static Suite of(String nameOrFile) {
    if (!NAMES.contains(nameOrFile)) {
      final Path file = Path.of(nameOrFile);
      if (!Files.isRegularFile(file)) {
        throw new ToolException(
            nameOrFile,
            "there is no such suite or file",
            "The suites are " + String.join(", ", NAMES) + "; or name a JSON file like theirs"
        );
      }
      return JsonFile.read(file, Suite.class, "suite of benchmarks", "See docs/benchmarks.md");
    }
    try (InputStream in = Suite.class.getResourceAsStream(nameOrFile + ".json")) {
      return new ObjectMapper().readValue(in, Suite.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Iterations of the benchmarks in one of its grids. */
  Iterations iterations(Grid grid) {
    return grid.iterations() == null ? iterations : grid.iterations();
  }

  /** Number of benchmarks that run in a JVM of their own, in all rounds. */
  int size() {
    return rounds * grids.stream().mapToInt(Grid::size).sum();
  }

  /**
   * Checks that all benchmarks and parameters exist, each only once, before anything runs for hours.
   *
   * @throws ToolException if not
   */
  void check() {
    final Map<String, Set<String>> benchmarks = Jmh.benchmarks();
    final Set<String> seen = new HashSet<>();
    for (Grid grid : grids) {
      for (String name : grid.benchmarks()) {
        final Set<String> params = benchmarks.get(name);
        if (params == null) {
          throw new ToolException(name, "there is no such benchmark", "There are " + benchmarks.keySet());
        }
        final Set<String> unknown = Sets.difference(grid.params().keySet(), params);
        if (!unknown.isEmpty()) {
          throw new ToolException(name, "it has no parameter " + String.join(", ", unknown), "It has " + params);
        }
      }
      for (Grid piece : grid.byEncoding()) {
        for (String encoding : piece.params().get(Grid.ENCODING)) {
          final Grid one = piece.with(Grid.ENCODING, List.of(encoding));
          try {
            requireEncoding(piece.benchmarks().get(0), encoding);
          } catch (IllegalArgumentException e) {
            throw new ToolException(one.toString(), e.getMessage(), "", e);
          }
          if (!seen.add(one.benchmarks() + " " + new TreeMap<>(one.params()))) {
            throw new ToolException(one.toString(), "the suite has it twice", "Leave it out of one of its grids");
          }
        }
      }
    }
  }

  private static void requireEncoding(String benchmark, String encoding) {
    if (BenchmarkName.taskOfIndexes(benchmark).isPresent()) {
      IndexEncoding.parse(encoding);
    } else if (BenchmarkName.ofDictionaries(benchmark).isPresent()) {
      DictionaryEncoding.parse(encoding);
    } else {
      RowEncodings.parse(encoding);
    }
  }

  /** The suite with another number of rounds. */
  Suite withRounds(int number) {
    return new Suite(description, iterations, number, grids);
  }

  /** The suite with other grids. */
  Suite with(List<Grid> others) {
    return new Suite(description, iterations, rounds, others);
  }
}
