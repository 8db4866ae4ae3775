// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.benchmark.Benchmarks;
import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.ResultsOption;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.JsonFile;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.convert.Conversion;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares the times of native queries over segments in Druid's own columns and over the same segments in others. */
@Command(
    name = "queries",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Puts the same native queries, in turns, to a data source in Druid's own columns (druid-lz4, Druid's default) "
            + "and to others whose ids and numbers are stored in other encodings, all in one process that answers as a "
            + "Historical does, without caches; compares their results, and tells their times.",
        "The data is TPC-H's lineitem in several segments, with its numbers as numbers or, with --table strings, all "
            + "its columns as strings, unless --segments names others."
    }
)
public final class QueriesCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Option(
      names = "--table",
      defaultValue = "numbers",
      paramLabel = "TABLE",
      description = "numbers, for lineitem with keys and amounts as numbers and queries that sum, group and filter "
          + "them, or strings, for all columns as strings and queries that group and filter these (default: "
          + "${DEFAULT-VALUE})"
  )
  private QueriedTable table;

  @Option(
      names = "--scale",
      defaultValue = "0.5",
      paramLabel = "FACTOR",
      description = "the scale factor of TPC-H: at 1, lineitem has six million rows (default: ${DEFAULT-VALUE})"
  )
  private double scale;

  @Option(
      names = "--rows-per-segment",
      defaultValue = "500000",
      paramLabel = "N",
      description = "rows of a segment of lineitem, at most (default: ${DEFAULT-VALUE})"
  )
  private int rowsPerSegment;

  @Nullable
  @Option(
      names = "--segments",
      paramLabel = "PATH",
      description = "your own segments in place of lineitem: a folder of them, or one; with --queries"
  )
  private Path segments;

  @Option(
      names = "--encodings",
      split = ",",
      defaultValue = "shapeshift-fastbutsmallish",
      paramLabel = "NAME",
      description = "what to compare with druid-lz4: shapeshift-TARGET and others, with commas between them (default: "
          + "${DEFAULT-VALUE})"
  )
  private List<String> encodings;

  @Nullable
  @Option(
      names = "--queries",
      paramLabel = "DIR",
      description = "your own queries: each NAME.json in it is a native query, whose data source does not matter"
  )
  private Path queries;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "only queries in whose name this is found, such as '^groupBy.*all'"
  )
  private Pattern only = Pattern.compile("");

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "processing threads (default: as many as Druid would take, one less than there are processors)"
  )
  private int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

  @Option(
      names = "--jvms",
      defaultValue = "3",
      paramLabel = "N",
      description = "how many JVMs measure, one after another (default: ${DEFAULT-VALUE})"
  )
  private int jvms;

  @Option(
      names = "--warmups",
      defaultValue = "10",
      paramLabel = "N",
      description = "rounds of each JVM that are not counted, in which each query is put for at least 30 ms to each "
          + "data source (default: ${DEFAULT-VALUE})"
  )
  private int warmups;

  @Option(
      names = "--rounds",
      defaultValue = "20",
      paramLabel = "N",
      description = "rounds of each JVM that are: in each, every query is put to every data source once (default: "
          + "${DEFAULT-VALUE})"
  )
  private int rounds;

  @Option(
      names = "--profile",
      defaultValue = "0",
      paramLabel = "SECONDS",
      description = "when all is measured, run each query so long on each data source under a profiler, and tell what "
          + "they spend their time on"
  )
  private double profileSeconds;

  @Mixin
  private ResultsOption results;

  @Option(
      names = "--data",
      defaultValue = "benchmarks/target/segments",
      paramLabel = "DIR",
      description = "where the segments of lineitem are kept, and made if need be, and the converted ones while it "
          + "runs (default: ${DEFAULT-VALUE})"
  )
  private Path data;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    check();
    // Checks the queries before anything takes long.
    final List<NamedQuery> chosen = NamedQuery.read(queries, table, only, NamedQuery.Values.NONE);
    final ResultFiles files = new ResultFiles(
        results.directory(),
        new RunInfo.Start("queries", command.commandLine().getParseResult().originalArgs())
    );
    final PrintWriter out = command.commandLine().getOut();
    try (TemporaryDirectory work = TemporaryDirectory.beside(data.resolve("queries"))) {
      final Job job = new Job(
          store(chosen, work.path(), out),
          queries == null ? null : queries.toString(),
          table,
          only.pattern(),
          threads,
          warmups,
          rounds,
          profileSeconds
      );
      final List<Measured> measured = new ArrayList<>();
      for (int jvm = 0; jvm < jvms; jvm++) {
        say(out, "measuring in JVM " + (jvm + 1) + " of " + jvms);
        final Path result = work.path().resolve("measured-" + jvm + ".json");
        final int exitCode = run(job, work.path().resolve("job.json"), result);
        if (exitCode != ExitCode.OK) {
          // The other JVM has reported the reason.
          return exitCode;
        }
        measured.add(JsonFile.read(result, Measured.class, "result", ""));
      }
      report(new QueryTimes(measured), files, out);
    }
    return ExitCode.OK;
  }

  private void check() {
    require(rowsPerSegment > 0, "--rows-per-segment", rowsPerSegment, "1 or more");
    require(threads > 0, "--threads", threads, "1 or more");
    require(jvms > 0, "--jvms", jvms, "1 or more");
    require(warmups >= 0, "--warmups", warmups, "0 or more");
    require(rounds > 0, "--rounds", rounds, "1 or more");
    require(profileSeconds >= 0, "--profile", profileSeconds, "0 or more");
    require(scale > 0 && scale < Double.POSITIVE_INFINITY, "--scale", scale, "a number greater than 0");
    if (segments != null && queries == null) {
      throw wrong("--segments needs --queries: those of the project are for lineitem");
    }
    encodings.forEach(name -> {
      try {
        RowEncodings.parse(name);
      } catch (IllegalArgumentException e) {
        throw wrong(e.getMessage());
      }
    });
  }

  private void require(boolean isRight, String option, Object value, String must) {
    if (!isRight) {
      throw wrong(option + " is " + value + ": it must be " + must);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  private static void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }

  /** Makes the segments of all encodings, in a temporary directory if they are not to be kept. */
  private List<Job.Stored> store(List<NamedQuery> chosen, Path work, PrintWriter out) {
    final Path source;
    if (segments == null) {
      say(out, "making the segments of " + QueriedTable.TABLE + " (" + table + ") at scale " + scale
          + ", if they are not there yet");
      source = table.segments(scale, rowsPerSegment, data);
    } else {
      source = segments;
    }
    final List<SegmentLocation> locations = SegmentLocation.find(List.of(source));
    final Set<String> columns = columns(locations);
    chosen.forEach(query -> query.check(columns));
    final String baseline = RowEncodings.DRUID_LZ4.name();
    final Set<String> names = new LinkedHashSet<>(List.of(baseline));
    names.addAll(encodings);
    final List<Job.Stored> stored = new ArrayList<>();
    for (String name : names) {
      if (name.equals(baseline) && segments == null) {
        stored.add(new Job.Stored(name, source.toString()));
      } else {
        say(out, "converting to " + name);
        final Path converted = work.resolve(name);
        new Conversion(RowEncodings.parse(name), false).run(source, locations, converted);
        stored.add(new Job.Stored(name, converted.toString()));
      }
    }
    return stored;
  }

  /** Names of all columns that any of the segments has. */
  private static Set<String> columns(List<SegmentLocation> locations) {
    final Set<String> columns = new TreeSet<>();
    for (SegmentLocation location : locations) {
      try (Segment segment = location.open()) {
        segment.columns().stream()
            .filter(column -> column.projection() == null)
            .forEach(column -> columns.add(column.name()));
      }
    }
    return columns;
  }

  private List<String> jvmOptions() {
    final List<String> options = Jmh.jvmOptions();
    if (profileSeconds > 0) {
      options.addAll(Profiler.JVM_OPTIONS);
    }
    return options;
  }

  private int run(Job job, Path jobFile, Path result) {
    final List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(jvmOptions());
    line.addAll(List.of(
        "-Dshapeshift.progress=" + Boolean.getBoolean("shapeshift.progress"),
        "-cp", System.getProperty("java.class.path"),
        Benchmarks.class.getName(), QueriesJvmCommand.NAME, jobFile.toString(), result.toString()
    ));
    try {
      JSON.writeValue(jobFile.toFile(), job);
      final Process process = new ProcessBuilder(line)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .redirectOutput(ProcessBuilder.Redirect.INHERIT)
          .start();
      try {
        return process.waitFor();
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

  private void report(QueryTimes times, ResultFiles files, PrintWriter out) {
    final Map<String, Table> tables = new LinkedHashMap<>();
    tables.put("queries.csv", times.summary());
    tables.put("query-rounds.csv", times.rounds());
    out.println();
    out.print(times.text().toText());
    if (times.hasProfile()) {
      tables.put("query-profile.csv", times.profile());
      out.println();
      out.print(times.profileText().toText());
    }
    files.write(tables, RunInfo.Jvm.like(jvmOptions()));
    out.println();
    out.println("All results are the same. Times: " + results.directory());
    out.flush();
  }
}
