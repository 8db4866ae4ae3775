// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.benchmark.results.RunInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A directory of results, as a run of the benchmarks writes it. */
final class TestResults {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;
  private final List<Map<String, Object>> results = new ArrayList<>();

  TestResults(Path directory) {
    this.directory = directory;
  }

  TestResults add(String benchmark, Map<String, String> params, List<double[]> forks, Long sizeInBytes) {
    results.add(Map.ofEntries(
        Map.entry("jmhVersion", "1.37"),
        Map.entry("benchmark", "org.example." + benchmark),
        Map.entry("mode", "avgt"),
        Map.entry("threads", 1),
        Map.entry("forks", forks.size()),
        Map.entry("jvmArgs", List.of()),
        Map.entry("warmupIterations", 3),
        Map.entry("warmupTime", "10 ms"),
        Map.entry("measurementIterations", forks.get(0).length),
        Map.entry("measurementTime", "10 ms"),
        Map.entry("params", params),
        Map.entry("primaryMetric", Map.of(
            "score", forks.get(0)[0], "scoreError", "NaN", "scoreUnit", "ns/op", "rawData", forks
        )),
        Map.entry("secondaryMetrics", sizeInBytes == null ? Map.of() : Map.of("sizeInBytes", Map.of(
            "score", sizeInBytes.doubleValue(), "scoreError", "NaN", "scoreUnit", "bytes",
            "rawData", List.of(List.of(sizeInBytes.doubleValue()))
        )))
    ));
    return this;
  }

  TestResults run(String commit, boolean dirty, String cpu, String jvm) {
    write("run.json", new RunInfo(
        "smoke",
        List.of("smoke"),
        commit,
        dirty,
        "2026-11-22T01:00:00Z",
        93,
        0.3,
        new RunInfo.Machine(cpu, 2, 8_000_000_000L, "Linux 6.1 amd64"),
        new RunInfo.Jvm("OpenJDK", jvm, List.of("-Xmx2g"))
    ));
    return this;
  }

  /** Writes what was added; gives the directory. */
  Path write() {
    write("results.json", results);
    return directory;
  }

  private void write(String file, Object value) {
    try {
      Files.createDirectories(directory);
      JSON.writeValue(directory.resolve(file).toFile(), value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
