// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A jar of benchmarks, run in processes of its own. */
final class BenchmarksJar {
  private static final int LINES_OF_LOG = 20;

  private final Path jar;
  private final Path directory;

  /**
   * Takes a jar whose main class passes JMH's options on.
   *
   * @param directory what paths of segments are relative to
   */
  BenchmarksJar(Path jar, Path directory) {
    this.jar = jar.toAbsolutePath();
    this.directory = directory;
  }

  /**
   * Checks that a benchmark can be run again with the parameters that it had.
   *
   * @param directory what paths of segments are relative to
   * @throws ToolException if not
   */
  static void check(BenchmarkKey key, Path directory) {
    key.params().forEach((name, value) -> {
      if (value.contains(",") || value.contains("=")) {
        throw new ToolException(
            key.toString(),
            "it cannot be run again: on its command line JMH takes no value as that of " + name + ", '" + value
                + "', which has a comma or an equals sign",
            "Compare without --rerun, or measure with other values"
        );
      }
      if (name.equals("segmentPath") && !value.isEmpty() && !Files.exists(directory.resolve(value))) {
        throw new ToolException(
            key.toString(),
            "it cannot be run again: its segment " + value + " does not exist any more",
            "Put it there again, or compare without --rerun"
        );
      }
    });
  }

  /**
   * Runs one fork of a benchmark.
   *
   * @param key      which
   * @param settings of an earlier run, which to follow
   * @param results  the JSON file to write
   */
  void run(BenchmarkKey key, JmhResult settings, Path results) {
    final Path log = results.resolveSibling(results.getFileName() + ".log");
    final int exitCode;
    try {
      exitCode = new ProcessBuilder(command(key, settings, results))
          .directory(directory.toFile())
          .redirectErrorStream(true)
          .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
          .redirectOutput(log.toFile())
          .start()
          .waitFor();
      if (exitCode != 0 || !Files.exists(results)) {
        final List<String> lines = Files.readAllLines(log);
        throw new ToolException(
            jar.toString(),
            key + " failed with exit code " + exitCode + ", and said:" + System.lineSeparator() + lines
                .stream().skip(Math.max(0, lines.size() - LINES_OF_LOG))
                .collect(Collectors.joining(System.lineSeparator())),
            ""
        );
      }
    } catch (IOException e) {
      throw new ToolException(jar.toString(), "it cannot be run: " + e, "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private List<String> command(BenchmarkKey key, JmhResult settings, Path results) {
    final List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", jar.toString(),
        "^" + key.benchmark().replace(".", "\\.") + "$",
        "-bm", key.mode(), "-tu", "ns", "-t", String.valueOf(settings.threads()), "-f", "1", "-foe", "true",
        "-wi", String.valueOf(settings.warmupIterations()), "-i", String.valueOf(settings.measurementIterations()),
        "-rf", "json", "-rff", results.toString()
    ));
    addTime(command, "-w", settings.warmupTime());
    addTime(command, "-r", settings.measurementTime());
    for (Map.Entry<String, String> param : key.params().entrySet()) {
      // Nothing can be given for nothing; it is the default where it is what a benchmark had.
      if (!param.getValue().isEmpty()) {
        command.addAll(List.of("-p", param.getKey() + "=" + param.getValue()));
      }
    }
    if (!settings.jvmArgs().isEmpty()) {
      command.addAll(List.of("-jvmArgsAppend", settings.jvmArgs().stream()
                                                 .map(arg -> arg.contains(" ") ? "\"" + arg + "\"" : arg)
                                                 .collect(Collectors.joining(" "))));
    }
    return command;
  }

  /** An iteration of a single shot has no time. */
  private static void addTime(List<String> command, String option, String time) {
    if (!time.startsWith("single")) {
      command.addAll(List.of(option, time.replace(" ", "")));
    }
  }
}
