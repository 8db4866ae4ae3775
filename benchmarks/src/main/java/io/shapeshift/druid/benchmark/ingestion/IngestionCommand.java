// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.ingestion;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
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
  private static final List<String> INDEXES =
      List.of(IngestionMeasurement.ON_HEAP, IngestionMeasurement.SHAPE_SHIFT);
  private static final boolean[] BOTH = {true, false};
  private static final boolean[] ONLY_PLAIN = {false};
  private static final int MAX_HEAP_MEGABYTES = 1536;
  /** Inputs that fill an index over and over: few, as they are on the heap as well. */
  private static final int FILLING_INPUTS = 5000;
  private static final int MAX_SECONDS = 120;

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
      names = "--rounds",
      paramLabel = "COUNT",
      description = "JVMs of each index that measure times, of which the least are taken; default: ${DEFAULT-VALUE}"
  )
  private int rounds = 2;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "a directory to which ingestion.csv is written, or to whose it is added; default: ${DEFAULT-VALUE}"
  )
  private Path results = Path.of(".");

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "KIND",
      description = "what is measured, of ${COMPLETION-CANDIDATES}; all if absent"
  )
  private List<IngestionMeasurement.Kind> kinds = Arrays.asList(IngestionMeasurement.Kind.values());

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(results);
    for (IngestedData each : data) {
      for (IngestionMeasurement.Kind kind : kinds) {
        for (boolean rollUp : kind == IngestionMeasurement.Kind.HEAP ? ONLY_PLAIN : BOTH) {
          for (Map<String, Object> measured : measureBoth(each, rollUp, kind)) {
            report(measured, "ingestion-" + kind.name().toLowerCase(Locale.ROOT) + ".csv");
          }
        }
      }
    }
    return ExitCode.OK;
  }

  /** Both indexes, and times of both in turns, since the machine may be faster now than later. */
  private List<Map<String, Object>> measureBoth(IngestedData each, boolean rollUp, IngestionMeasurement.Kind kind) {
    final List<Map<String, Object>> measured = new ArrayList<>();
    for (int round = 0; round < (kind == IngestionMeasurement.Kind.TIMES ? rounds : 1); round++) {
      for (int i = 0; i < INDEXES.size(); i++) {
        final Map<String, Object> result = kind == IngestionMeasurement.Kind.HEAP
            ? leastHeap(INDEXES.get(i), each)
            : run(INDEXES.get(i), each, rollUp, kind);
        if (round == 0) {
          measured.add(result);
        } else {
          measured.get(i).replaceAll((name, value) -> less(value, result.get(name)));
        }
      }
    }
    return measured;
  }

  /** The less of two times; what is no time is the same in both. */
  private static Object less(Object one, Object other) {
    return one instanceof Double number ? Math.min(number, ((Number) other).doubleValue()) : one;
  }

  /** Halves the range of heaps, of which the upper end does and the lower does not, until it is narrow. */
  private Map<String, Object> leastHeap(String index, IngestedData each) {
    int tooSmall = 0;
    int enough = MAX_HEAP_MEGABYTES;
    Map<String, Object> measured = null;
    while (measured == null || enough - tooSmall > Math.max(8, enough / 20)) {
      final int heap = measured == null ? enough : (tooSmall + enough) / 2;
      final Map<String, Object> result = measure(
          index, each, false, IngestionMeasurement.Kind.HEAP, FILLING_INPUTS, List.of("-Xms8m", "-Xmx" + heap + "m"));
      if (result != null) {
        enough = heap;
        measured = result;
      } else if (measured == null) {
        throw new ToolException("another JVM", "it cannot ingest " + each + " in " + heap + " MB", "");
      } else {
        tooSmall = heap;
      }
    }
    measured.put("leastHeapMegabytes", enough);
    return measured;
  }

  private void report(Map<String, Object> measured, String file) throws IOException {
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

  private Map<String, Object> run(String index, IngestedData each, boolean rollUp, IngestionMeasurement.Kind kind) {
    final Map<String, Object> measured = measure(index, each, rollUp, kind, rows, List.of());
    if (measured == null) {
      throw new ToolException("another JVM", "it has failed to ingest " + each, "It has said why");
    }
    return measured;
  }

  /**
   * What another JVM has measured; null if it failed, or was too slow, as it is where nothing is left but to collect.
   */
  @Nullable
  private Map<String, Object> measure(
      String index,
      IngestedData each,
      boolean rollUp,
      IngestionMeasurement.Kind kind,
      int inputs,
      List<String> options
  ) {
    final List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(Jmh.jvmOptions());
    line.addAll(options);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), IngestionMeasurement.class.getName()));
    line.addAll(List.of(index, each.name(), "" + rollUp, "" + inputs, kind.name()));
    try (TemporaryDirectory directory = TemporaryDirectory.create("ingestion")) {
      final Path out = directory.path().resolve("out");
      final Process process = new ProcessBuilder(line)
          .redirectOutput(out.toFile())
          .redirectError(
              kind == IngestionMeasurement.Kind.HEAP
              ? ProcessBuilder.Redirect.DISCARD
              : ProcessBuilder.Redirect.INHERIT
          )
          .start();
      try {
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
          return null;
        }
        final List<String> lines = Files.readAllLines(out);
        return JSON.readValue(lines.get(lines.size() - 1), new TypeReference<>() {});
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new ToolException("another JVM", "it cannot be run: " + e, "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
