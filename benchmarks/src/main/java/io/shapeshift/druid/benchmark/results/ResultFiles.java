// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.results;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/**
 * Files of one run, in a directory: for each benchmark class a CSV table and JMH's own JSON, which has every iteration,
 * under the same name, and {@code run.json} about the run. All files are rewritten whenever results are added, so that
 * an interrupted run keeps what it has.
 */
public final class ResultFiles {
  private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private static final String RUN = "run.json";

  private final Path directory;
  private final RunInfo.Start start;
  /** Results of all JVMs, by name of the file, and by benchmark and parameters. */
  private final Map<String, Map<String, RunResult>> results = new TreeMap<>();

  /**
   * Results that go to a directory.
   *
   * @param directory does not exist yet, or is empty
   * @throws ToolException if it has files already, or cannot be made
   */
  public ResultFiles(Path directory, RunInfo.Start start) {
    this.directory = directory;
    this.start = start;
    try {
      Files.createDirectories(directory);
      try (var files = Files.list(directory)) {
        if (files.findAny().isPresent()) {
          throw new ToolException(
              directory.toString(),
              "there are files in it, perhaps the results of another run",
              "Name a directory that does not exist yet"
          );
        }
      }
    } catch (IOException e) {
      throw new ToolException(directory.toString(), "it cannot be made or read: " + e, "Name another directory", e);
    }
  }

  /** Adds results to those of earlier rounds, and writes all files. */
  public void add(Collection<RunResult> more) {
    if (more.isEmpty()) {
      return;
    }
    for (RunResult result : more) {
      results
          .computeIfAbsent(BenchmarkName.file(ResultTable.benchmark(result)), file -> new LinkedHashMap<>())
          .merge(result.getParams().id(), result, ResultFiles::together);
    }
    try {
      for (var file : results.entrySet()) {
        final List<RunResult> all = List.copyOf(file.getValue().values());
        write(file.getKey() + ".csv", ResultTable.of(all).toCsv());
        write(file.getKey() + ".json", json(all));
      }
      write(RUN, JSON.writeValueAsString(start.end(more.iterator().next().getParams())) + "\n");
    } catch (IOException e) {
      throw cannotBeWritten(e);
    }
  }

  /**
   * Writes tables of results that JMH did not measure.
   *
   * @param tables by the names of their files
   * @param jvm    what measured it
   */
  public void write(Map<String, Table> tables, RunInfo.Jvm jvm) {
    try {
      for (var table : tables.entrySet()) {
        write(table.getKey(), table.getValue().toCsv());
      }
      write(RUN, JSON.writeValueAsString(start.end(jvm)) + "\n");
    } catch (IOException e) {
      throw cannotBeWritten(e);
    }
  }

  private ToolException cannotBeWritten(IOException e) {
    return new ToolException(directory.toString(), "results cannot be written: " + e, "", e);
  }

  /** Merges results of the same benchmark from two JVMs. */
  private static RunResult together(RunResult a, RunResult b) {
    final List<BenchmarkResult> both = new ArrayList<>(a.getBenchmarkResults());
    both.addAll(b.getBenchmarkResults());
    return new RunResult(a.getParams(), both);
  }

  private void write(String name, String text) throws IOException {
    final Path part = Files.writeString(directory.resolve("." + name + ".part"), text);
    Files.move(part, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String json(List<RunResult> results) {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
