// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.ingestion;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the index off the heap beside Druid's on it, each in JVMs of its own. */
@Command(
    name = "ingestion",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures what an index in memory takes while rows are ingested, off the heap and on it: processor "
        + "time to add, to be walked by a persist, and to be persisted; of queries meanwhile; garbage collection; and "
        + "bytes on the heap and off it, as they are and as they are accounted."
)
public final class IngestionCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "NAME",
      description = "what is ingested, of ${COMPLETION-CANDIDATES}; all if absent"
  )
  private List<IngestedData> data = Arrays.asList(IngestedData.values());

  @Option(names = "--rows", paramLabel = "COUNT", description = "inputs; default: ${DEFAULT-VALUE}")
  private int rows = 200_000;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "a directory to which ingestion.csv is written, or to whose it is added; default: ${DEFAULT-VALUE}"
  )
  private Path results = Path.of(".");

  @Option(names = "--only", paramLabel = "times|memory", description = "measures only these")
  private String only = "";

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(results);
    for (IngestedData each : data) {
      for (boolean rollUp : new boolean[] {true, false}) {
        for (boolean memory : new boolean[] {false, true}) {
          if (only.isEmpty() || only.equals("memory") == memory) {
            for (String index : List.of(IngestionMeasurement.ON_HEAP, IngestionMeasurement.SHAPE_SHIFT)) {
              report(run(index, each, rollUp, memory), memory ? "ingestion-memory.csv" : "ingestion-times.csv");
            }
          }
        }
      }
    }
    return ExitCode.OK;
  }

  private void report(Map<String, Object> measured, String file) throws IOException {
    measured.remove("sink");
    final PrintWriter out = command.commandLine().getOut();
    out.println(measured);
    out.flush();
    final Path path = results.resolve(file);
    if (!Files.exists(path)) {
      Files.writeString(path, String.join(",", measured.keySet()) + "\n");
    }
    Files.writeString(
        path,
        measured.values().stream().map(String::valueOf).collect(Collectors.joining(",")) + "\n",
        StandardOpenOption.APPEND
    );
  }

  private Map<String, Object> run(String index, IngestedData each, boolean rollUp, boolean memory) {
    final List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(Jmh.jvmOptions());
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), IngestionMeasurement.class.getName()));
    line.addAll(List.of(index, each.name(), "" + rollUp, "" + rows, "" + memory));
    try {
      final Process process = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      try {
        final List<String> out =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        if (process.waitFor() != 0) {
          throw new ToolException("another JVM", "it has failed to ingest " + each, "It has said why");
        }
        return JSON.readValue(out.get(out.size() - 1), new TypeReference<>() {});
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      throw new ToolException("another JVM", "it cannot be run: " + e, "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
