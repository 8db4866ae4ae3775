// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark;

import io.shapeshift.druid.benchmark.costs.CostsCommand;
import io.shapeshift.druid.benchmark.data.TpchCommand;
import io.shapeshift.druid.benchmark.evaluation.EvaluateCommand;
import io.shapeshift.druid.benchmark.guarantee.GuaranteeCommand;
import io.shapeshift.druid.benchmark.index.KeysCommand;
import io.shapeshift.druid.benchmark.ingestion.IngestionCommand;
import io.shapeshift.druid.benchmark.pool.PoolsCommand;
import io.shapeshift.druid.benchmark.query.QueriesCommand;
import io.shapeshift.druid.benchmark.query.QueriesJvmCommand;
import io.shapeshift.druid.benchmark.sketches.SketchesCommand;
import io.shapeshift.druid.benchmark.suite.SuiteCommand;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.cli.Version;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** Main class of the benchmarks' jar: runs a subcommand, or plain JMH where none is named. */
@Command(
    name = "benchmarks.jar",
    description = "Benchmarks of shape-shifting columns.",
    subcommands = {
        SuiteCommand.class,
        GuaranteeCommand.class,
        CostsCommand.class,
        EvaluateCommand.class,
        IngestionCommand.class,
        KeysCommand.class,
        PoolsCommand.class,
        QueriesCommand.class,
        QueriesJvmCommand.class,
        SketchesCommand.class,
        TpchCommand.class
    }
)
public final class Benchmarks {
  private static final String NAME = "benchmarks: ";

  private Benchmarks() {}

  /** Runs a subcommand or JMH, and exits with one of {@link ExitCode}, as the command-line tool does. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    return args.length > 0 && commandLine().getSubcommands().containsKey(args[0])
           ? commandLine().execute(args)
           : withHandlers(new CommandLine(new JmhCommand())).execute(args);
  }

  /** The subcommands. */
  public static CommandLine commandLine() {
    final CommandLine command = withHandlers(new CommandLine(new Benchmarks()));
    // An annotation cannot name the class, because picocli's packages are renamed in the extension's jar.
    command.getSubcommands().values().forEach(line -> line.getCommandSpec().version(new Version().getVersion()));
    return command;
  }

  private static CommandLine withHandlers(CommandLine command) {
    return command
        .setAbbreviatedOptionsAllowed(false)
        .setUsageHelpAutoWidth(true)
        .setExpandAtFiles(false)
        .setParameterExceptionHandler((e, line) -> refuse(e))
        .setExecutionExceptionHandler((e, line, parsed) -> fail(e, line));
  }

  private static int refuse(ParameterException e) {
    final CommandLine line = e.getCommandLine();
    line.getErr().println(NAME + e.getMessage().replaceFirst("^Error: ", ""));
    line.getErr().println("'" + line.getCommandSpec().qualifiedName() + " --help' lists its options.");
    return ExitCode.USAGE;
  }

  private static int fail(Exception e, CommandLine line) {
    if (e instanceof ToolException || e instanceof RunnerException) {
      line.getErr().println(NAME + e.getMessage());
      return ExitCode.FAILED;
    }
    line.getErr().println(NAME + "an error that it did not expect; please report it, with what follows");
    e.printStackTrace(line.getErr());
    return ExitCode.BROKEN;
  }
}
