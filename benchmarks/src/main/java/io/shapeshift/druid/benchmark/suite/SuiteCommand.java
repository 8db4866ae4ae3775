// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.suite;

import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.ResultsOption;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.speed.TurnOrder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a suite of benchmarks and keeps its results. */
@Command(
    name = "suite",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Runs a suite of benchmarks, and keeps their results with what they ran on.",
    footer = {
        "",
        "'scripts/benchmark guarantee' is no suite: it tests what is promised of every column. "
            + "'scripts/benchmark guarantee --help' lists its options."
    }
)
public final class SuiteCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "SUITE",
      description = "smoke: everything once, less than 2 minutes, its times say nothing; quick: the main claims, "
          + "about a quarter of an hour and then some filters; forms: each form by itself, about a quarter of an hour; "
          + "number-filters: filters on numbers, under each target and in each form; index: building and filters; "
          + "dictionary: reading and building dictionaries of strings; full: all of it, a night; or a JSON file"
  )
  private String suite;

  @Option(
      names = "--segment",
      paramLabel = "PATH",
      description = "your own segment in place of the suite's, a directory or an index.zip; all its columns are taken; "
          + "can be given several times"
  )
  private final List<Path> segments = new ArrayList<>();

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "NAME",
      description = "with --segment, only these columns"
  )
  private final List<String> columns = new ArrayList<>();

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "only benchmarks in whose name this is found, such as 'IntsSelect.*Segment'"
  )
  private Pattern only = Pattern.compile("");

  @Nullable
  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "run all of it so often, each time in new JVMs, as comparing with another run needs "
          + "(default: as often as the suite says)"
  )
  private Integer rounds;

  @Mixin
  private ResultsOption results;

  @Option(
      names = "--data",
      defaultValue = "benchmarks/target/segments",
      paramLabel = "DIR",
      description = "where the suite's own segments are kept, and made if need be (default: ${DEFAULT-VALUE})"
  )
  private Path data;

  @Option(names = "--dry-run", description = "say what would run, and stop")
  private boolean dryRun;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() throws RunnerException {
    if (rounds != null && rounds < 1) {
      throw new ParameterException(command.commandLine(), "--rounds is " + rounds + ": it must be 1 or more");
    }
    if (segments.isEmpty() && !columns.isEmpty()) {
      throw new ToolException("--columns", "there is no --segment that they are of", "Name one");
    }
    final Suite chosen = choose();
    System.out.println(chosen.size() + " benchmarks, each in a JVM of its own");
    if (dryRun) {
      chosen.grids().forEach(grid -> System.out.println(grid.size() + " " + grid));
      return ExitCode.OK;
    }
    final ResultFiles files = new ResultFiles(
        results.directory(),
        new RunInfo.Start(suite, command.commandLine().getParseResult().originalArgs())
    );
    final Path logFile = results.directory().resolve("jmh.log");
    final int failed;
    try (PrintStream log = new PrintStream(logFile.toFile(), StandardCharsets.UTF_8)) {
      failed = run(chosen, files, log);
    } catch (IOException e) {
      throw new ToolException(logFile.toString(), "it cannot be written: " + e, "", e);
    }
    System.out.println("Results: " + results.directory());
    if (failed > 0) {
      System.err.println("benchmarks: " + failed + " of them failed; " + logFile + " says why");
      return ExitCode.FAILED;
    }
    return ExitCode.OK;
  }

  private Suite choose() {
    final Suite read = rounds == null ? Suite.of(suite) : Suite.of(suite).withRounds(rounds);
    final SuiteSegments source = new SuiteSegments(data, segments, columns);
    final List<Grid> wanted = new ArrayList<>();
    for (Grid grid : read.grids()) {
      final List<String> benchmarks = grid.benchmarks().stream()
          .filter(name -> only.matcher(name).find())
          .toList();
      if (!benchmarks.isEmpty()) {
        wanted.add(grid.of(benchmarks));
      }
    }
    final Suite resolved = new SuiteForms().resolve(source.resolve(read.with(wanted)));
    resolved.check();
    if (resolved.grids().isEmpty()) {
      throw new ToolException(suite, "nothing is left of it to run", "--dry-run lists what runs");
    }
    final Collection<String> missing = source.missingColumns(resolved);
    if (!missing.isEmpty()) {
      throw new ToolException(segments.toString(), "there is no column " + String.join(", ", missing),
          "'scripts/shapeshift inspect' lists all columns");
    }
    return resolved;
  }

  /** Runs the suite, and returns the number of failed benchmarks. */
  private static int run(Suite chosen, ResultFiles files, PrintStream log) throws RunnerException {
    final Instant start = Instant.now();
    final TurnOrder order = new TurnOrder();
    final int size = chosen.size();
    int done = 0;
    int failed = 0;
    for (int round = 0; round < chosen.rounds(); round++) {
      for (Grid grid : chosen.grids()) {
        for (Grid piece : grid.byEncoding()) {
          final Grid turned = piece.with(Grid.ENCODING, order.next(piece.params().get(Grid.ENCODING)));
          final Collection<RunResult> results = run(chosen.iterations(piece), turned, log);
          files.add(results);
          done += piece.size();
          failed += piece.size() - results.size();
          final Duration left = Duration.between(start, Instant.now()).multipliedBy(size - done).dividedBy(done);
          System.out.printf("%d of %d done, %d s left: %s%n", done, size, left.toSeconds(), piece);
        }
      }
    }
    return failed;
  }

  private static Collection<RunResult> run(Suite.Iterations iterations, Grid piece, PrintStream log)
      throws RunnerException {
    final TimeValue time = TimeValue.milliseconds(iterations.millis());
    final ChainedOptionsBuilder options = Jmh.options(new OptionsBuilder().build())
        .forks(1)
        .warmupIterations(iterations.warmups())
        .warmupTime(time)
        .measurementIterations(iterations.measured())
        .measurementTime(time)
        .include("\\." + piece.benchmarks().get(0) + "\\.");
    piece.params().forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
    return Jmh.run(options.build(), log);
  }
}
