// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark;

import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Plain JMH, with two more options. */
@Command(name = "benchmarks.jar")
final class JmhCommand implements Callable<Integer> {
  @Nullable
  @Option(names = "--results")
  private Path results;

  @Option(names = "--all-columns")
  private boolean allColumns;

  @Option(names = "--help")
  private boolean help;

  @Spec
  private CommandSpec command;

  @Unmatched
  private final List<String> jmhArguments = new ArrayList<>();

  /** Number of results if nothing fails. */
  private int size;

  @Override
  public Integer call() throws Exception {
    if (help) {
      jmhArguments.add("-h");
    }
    final CommandLineOptions options;
    try {
      options = new CommandLineOptions(jmhArguments.toArray(String[]::new));
    } catch (CommandLineOptionException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    if (options.shouldHelp() || options.shouldList() || options.shouldListWithParams()
        || options.shouldListProfilers() || options.shouldListResultFormats()) {
      if (options.shouldHelp()) {
        System.out.println(help());
      }
      org.openjdk.jmh.Main.main(jmhArguments.toArray(String[]::new));
      return ExitCode.OK;
    }
    @Nullable final ResultFiles files =
        results == null
        ? null
        : new ResultFiles(results, new RunInfo.Start("custom", jmhArguments));
    final Collection<RunResult> done;
    try {
      done = allColumns ? runAllColumns(options) : run(Jmh.options(options).build());
    } catch (NoBenchmarksException e) {
      throw new ToolException(options.getIncludes().toString(), "there is no such benchmark", "-l lists all", e);
    }
    if (files != null) {
      files.add(done);
    }
    if (done.size() < size) {
      final String failed = size - done.size() + " of " + size + " benchmarks have no result";
      throw new ToolException("JMH", failed, "The reasons are above");
    }
    return ExitCode.OK;
  }

  private Collection<RunResult> run(Options options) throws RunnerException {
    size += Jmh.size(options);
    return Jmh.run(options);
  }

  /** Runs the benchmarks of each column type separately, because the column names differ between types. */
  private Collection<RunResult> runAllColumns(CommandLineOptions options) throws RunnerException {
    final Collection<String> segments = options.getParameter("segmentPath").orElse(List.of());
    if (segments.isEmpty()) {
      throw new ToolException("--all-columns", "no segment is named", "Name one: -p segmentPath=PATH");
    }
    final List<RunResult> done = new ArrayList<>();
    @Nullable NoBenchmarksException none = null;
    for (String segment : segments) {
      for (EncodedType type : EncodedType.OF_ROWS) {
        final List<String> names = SegmentColumns.names(segment, type);
        if (names.isEmpty()) {
          continue;
        }
        final ChainedOptionsBuilder builder = Jmh.options(options)
            .param("segmentPath", segment)
            .param("columnName", names.toArray(String[]::new))
            .exclude("FromGenerator");
        if (type != EncodedType.INT) {
          builder.exclude("Dictionary");
        }
        EncodedType.OF_ROWS.stream()
            .filter(other -> other != type)
            .forEach(other -> builder.exclude("(?i)Columnar" + other + "s"));
        try {
          done.addAll(run(builder.build()));
        } catch (NoBenchmarksException e) {
          // The command line may name benchmarks of one type only.
          none = e;
        }
      }
    }
    if (done.isEmpty() && none != null) {
      throw none;
    }
    return done;
  }

  /** Usage of the jar, which stands before JMH's own. */
  static String help() {
    final String commands = Benchmarks.commandLine().getSubcommands().entrySet().stream()
        .filter(command -> !command.getValue().getCommandSpec().usageMessage().hidden())
        .map(Map.Entry::getKey)
        .collect(Collectors.joining("|"));
    return """
        Usage: java -jar benchmarks.jar [--results DIR] [--all-columns] [JMH's options, which follow]
               java -jar benchmarks.jar %s --help

          --results DIR   write each benchmark's results into DIR, which must be new or empty: a table as
                          column-ints-select-speed-segments.csv and the like, JMH's own JSON beside it, and run.json
          --all-columns   with '-p segmentPath=PATH', benchmarks of segments take all columns of their kind
        """.formatted(commands);
  }
}
