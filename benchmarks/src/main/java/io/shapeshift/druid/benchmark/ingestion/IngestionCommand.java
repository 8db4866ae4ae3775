// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.ingestion;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.Lists;
import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.ResultsOption;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares the index off the heap with Druid's on-heap index, each in JVMs of its own. */
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
  private static final int MIN_HEAP_MEGABYTES = 16;
  /**
   * The search for the least heap ends when one that is enough is larger by at most this factor than one that is not.
   */
  private static final double HEAP_STEP = 1.1;
  /** End of a measurement that has results. */
  private static final String DONE = "done";
  private static final String OUT_OF_MEMORY = "out of memory";
  private static final String OUTCOME = "outcome";

  /**
   * End of a measurement in another JVM.
   *
   * @param results null if it failed
   * @param outcome {@value #DONE}, or why it failed
   */
  private record Measured(@Nullable Map<String, Object> results, String outcome) {}

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
      names = "--task-rows",
      paramLabel = "COUNT",
      description = "inputs of a task whose least heap is looked for; default: ${DEFAULT-VALUE}"
  )
  private int taskRows = 10_000_000;

  @Option(
      names = "--max-rows-in-memory",
      paramLabel = "COUNT",
      description = "what the tuningConfig of such a task says; default: ${DEFAULT-VALUE}"
  )
  private int maxRowsInMemory = 1_000_000;

  @Option(
      names = "--max-bytes-in-memory",
      paramLabel = "COUNT",
      description = "what the tuningConfig of such a task says; 0 is each index's own default, a sixth of the heap, "
          + "and -1 no limit; default: ${DEFAULT-VALUE}"
  )
  private long maxBytesInMemory;

  @Option(
      names = "--max-direct",
      paramLabel = "SIZE",
      description = "direct memory that such a task may have; default: ${DEFAULT-VALUE}"
  )
  private String maxDirect = "1g";

  @Option(
      names = "--heaps",
      split = ",",
      paramLabel = "MEGABYTES",
      description = "heaps with which such a task is run, enough or not; if absent, the least one that is enough is "
          + "looked for"
  )
  private List<Integer> heaps = List.of();

  @Option(
      names = "--max-heap",
      paramLabel = "MEGABYTES",
      description = "the heap with which the search for the least begins; default: ${DEFAULT-VALUE}"
  )
  private int maxHeap = 2048;

  @Option(
      names = "--max-seconds",
      paramLabel = "COUNT",
      description = "time after which a JVM is ended; default: ${DEFAULT-VALUE}"
  )
  private int maxSeconds = 3600;

  @Mixin
  private ResultsOption results;

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
  public Integer call() {
    final ResultFiles files = new ResultFiles(
        results.directory(),
        new RunInfo.Start("ingestion", command.commandLine().getParseResult().originalArgs())
    );
    final Map<String, Table> tables = new TreeMap<>();
    for (IngestedData each : data) {
      for (IngestionMeasurement.Kind kind : kinds) {
        for (boolean rollUp : kind == IngestionMeasurement.Kind.HEAP ? ONLY_PLAIN : BOTH) {
          for (Map<String, Object> measured : measureBoth(each, rollUp, kind)) {
            report(measured);
            final String[] header = measured.keySet().toArray(String[]::new);
            tables.computeIfAbsent(
                "ingestion-" + kind.name().toLowerCase(Locale.ROOT) + ".csv", file -> new Table(header)
            ).add(measured.values().toArray());
            files.write(tables, RunInfo.Jvm.like(Jmh.jvmOptions()));
          }
        }
      }
    }
    return ExitCode.OK;
  }

  /** Measures both indexes in turns, since the speed of the machine may change over time. */
  private List<Map<String, Object>> measureBoth(IngestedData each, boolean rollUp, IngestionMeasurement.Kind kind) {
    if (kind == IngestionMeasurement.Kind.HEAP) {
      final List<Map<String, Object>> measured = new ArrayList<>();
      INDEXES.forEach(index -> measured.addAll(heaps.isEmpty()
          ? leastHeap(index, each)
          : heaps.stream().map(heap -> task(index, each, heap, maxSeconds)).toList()));
      return measured;
    }
    final Map<String, Map<String, Object>> least = new LinkedHashMap<>();
    for (int round = 0; round < (kind == IngestionMeasurement.Kind.TIMES ? rounds : 1); round++) {
      // The order of the indexes alternates.
      for (String index : round % 2 == 0 ? INDEXES : Lists.reverse(INDEXES)) {
        least.merge(index, run(index, each, rollUp, kind), IngestionCommand::less);
      }
    }
    return List.copyOf(least.values());
  }

  /** Takes the smaller of two times of each kind. Entries that are not times are equal in both. */
  static Map<String, Object> less(Map<String, Object> one, Map<String, Object> other) {
    one.replaceAll((name, value) ->
        value instanceof Double time ? Math.min(time, ((Number) other.get(name)).doubleValue()) : value);
    return one;
  }

  /**
   * Searches for the least heap by halving the range between one that is enough and one that is not. A heap with which
   * ingestion takes more than twice as long as with the largest is not enough: the JVM is busy collecting garbage.
   */
  private List<Map<String, Object>> leastHeap(String index, IngestedData each) {
    Map<String, Object> measured = task(index, each, maxHeap, maxSeconds);
    if (!measured.get(OUTCOME).equals(DONE)) {
      throw new ToolException(
          "another JVM", "it cannot ingest " + each + " in " + maxHeap + " MB: " + measured.get(OUTCOME), "");
    }
    final int limit = 2 * ((Number) measured.get("seconds")).intValue() + 30;
    double tooSmall = MIN_HEAP_MEGABYTES;
    int enough = maxHeap;
    while (enough > tooSmall * HEAP_STEP) {
      final int heap = (int) Math.sqrt(tooSmall * enough);
      final Map<String, Object> result = task(index, each, heap, limit);
      if (result.get(OUTCOME).equals(DONE)) {
        enough = heap;
        measured = result;
      } else {
        tooSmall = heap;
      }
    }
    return List.of(measured);
  }

  private Map<String, Object> task(String index, IngestedData each, int heap, int seconds) {
    final String[] arguments = {
        index, each.name(), "false", "" + taskRows, IngestionMeasurement.Kind.HEAP.name(),
        "" + maxRowsInMemory, "" + maxBytesInMemory
    };
    final Measured measured = measure(
        List.of("-Xms8m", "-Xmx" + heap + "m", "-XX:MaxDirectMemorySize=" + maxDirect, "-XX:+ExitOnOutOfMemoryError"),
        List.of(arguments),
        seconds
    );
    final Map<String, Object> results =
        measured.results == null ? IngestionMeasurement.taskResults(arguments) : measured.results;
    results.put("maxDirect", maxDirect);
    results.put("heapMegabytes", heap);
    results.put(OUTCOME, measured.outcome);
    final PrintWriter out = command.commandLine().getOut();
    out.println(results);
    out.flush();
    return results;
  }

  private void report(Map<String, Object> measured) {
    final PrintWriter out = command.commandLine().getOut();
    out.println(measured);
    out.flush();
  }

  private Map<String, Object> run(String index, IngestedData each, boolean rollUp, IngestionMeasurement.Kind kind) {
    final Measured measured =
        measure(List.of(), List.of(index, each.name(), "" + rollUp, "" + rows, kind.name()), maxSeconds);
    if (measured.results == null) {
      throw new ToolException("another JVM", "it cannot ingest " + each + ": " + measured.outcome, "");
    }
    return measured.results;
  }

  /** Runs a measurement in another JVM. It is too slow with a heap in which the JVM only collects garbage. */
  private static Measured measure(List<String> options, List<String> arguments, int seconds) {
    final List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(Jmh.jvmOptions());
    line.addAll(options);
    try (TemporaryDirectory directory = TemporaryDirectory.create("ingestion")) {
      // Files that a killed process leaves are deleted with the directory.
      line.add("-Djava.io.tmpdir=" + directory.path());
      line.addAll(List.of("-cp", System.getProperty("java.class.path"), IngestionMeasurement.class.getName()));
      line.addAll(arguments);
      final Path out = directory.path().resolve("out");
      final Path errors = directory.path().resolve("errors");
      final Process process =
          new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(errors.toFile()).start();
      try {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
          return new Measured(null, "slower than " + seconds + " s");
        }
        final List<String> lines = Files.readAllLines(out);
        if (process.exitValue() == 0) {
          return new Measured(JSON.readValue(lines.get(lines.size() - 1), new TypeReference<>() {}), DONE);
        }
        // -XX:+ExitOnOutOfMemoryError writes to standard output, an uncaught error to standard error.
        lines.addAll(Files.readAllLines(errors));
        if (lines.stream().anyMatch(each -> each.contains("OutOfMemoryError"))) {
          return new Measured(null, OUT_OF_MEMORY);
        }
        throw new ToolException("another JVM", String.join(" ", lines), "");
      } finally {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      throw new ToolException("another JVM", "it cannot be run: " + e, "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
