// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.tool.cli.JsonFile;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * What one side measured.
 *
 * @param path         where it was read from
 * @param run          what {@code run.json} tells; null if there is none
 * @param measurements by what was measured, in the order of the files
 */
record Results(Path path, @Nullable RunInfo run, Map<BenchmarkKey, Measurement> measurements) {
  private static final String RUN = "run.json";
  private static final String TO_DO =
      "Name a file that JMH wrote with '-rf json', or the directory of results that a run of the benchmarks wrote";

  /**
   * Reads results. A benchmark that is in several files has the forks of all.
   *
   * @param path one of JMH's JSON files, or a directory of them
   * @throws ToolException if they cannot be read
   */
  static Results read(Path path) {
    final boolean isDirectory = Files.isDirectory(path);
    final Map<BenchmarkKey, Measurement> measurements = new LinkedHashMap<>();
    for (Path file : isDirectory ? filesIn(path) : List.of(path)) {
      for (JmhResult result : JsonFile.read(file, JmhResult[].class, "result of JMH", TO_DO)) {
        final BenchmarkKey key = new BenchmarkKey(
            result.benchmark(),
            result.mode(),
            new TreeMap<>(result.params() == null ? Map.of() : result.params())
        );
        try {
          measurements.merge(key, Measurement.of(result), Measurement::and);
        } catch (IllegalArgumentException e) {
          throw new ToolException(
              file.toString(),
              key + " cannot be compared: " + e.getMessage(),
              "Measure times per operation in nanoseconds, as with '-bm avgt -tu ns'",
              e
          );
        }
      }
    }
    if (measurements.isEmpty()) {
      throw new ToolException(path.toString(), "there is no result of JMH", TO_DO);
    }
    final Path run = isDirectory ? path.resolve(RUN) : path.resolveSibling(RUN);
    return new Results(
        path,
        Files.exists(run) ? JsonFile.read(run, RunInfo.class, "run of benchmarks", "Run the benchmarks again") : null,
        measurements
    );
  }

  private static List<Path> filesIn(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".json") && !file.endsWith(RUN)).sorted().toList();
    } catch (IOException e) {
      throw new ToolException(directory.toString(), "it cannot be listed: " + e, "", e);
    }
  }
}
