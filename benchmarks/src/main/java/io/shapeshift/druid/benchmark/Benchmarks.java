// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark;

import io.shapeshift.druid.benchmark.data.TpchCommand;
import io.shapeshift.druid.benchmark.suite.SuiteCommand;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.ToolException;
import java.util.Set;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The benchmarks' jar: suites of benchmarks and what goes with them as subcommands, and without one, plain JMH. */
@Command(
    name = "benchmarks.jar",
    description = "Benchmarks of shape-shifting columns.",
    subcommands = {SuiteCommand.class, TpchCommand.class}
)
public final class Benchmarks {
  private Benchmarks() {}

  /** Runs a subcommand or JMH, and exits as the command-line tool does: with one of {@link ExitCode}. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  static int run(String... args) {
    final CommandLine commands = new CommandLine(new Benchmarks());
    final Set<String> names = commands.getSubcommands().keySet();
    final boolean isSubcommand = args.length > 0 && names.contains(args[0]);
    final CommandLine command = isSubcommand ? commands : new CommandLine(new JmhCommand());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setUsageHelpAutoWidth(true);
    command.setParameterExceptionHandler((e, line) -> refuse(e));
    command.setExecutionExceptionHandler((e, line, parsed) -> fail(e));
    return command.execute(args);
  }

  private static int refuse(ParameterException e) {
    System.err.println("benchmarks: " + e.getMessage());
    return ExitCode.USAGE;
  }

  private static int fail(Exception e) {
    if (e instanceof ToolException || e instanceof RunnerException) {
      System.err.println("benchmarks: " + e.getMessage());
      return ExitCode.FAILED;
    }
    System.err.println("benchmarks: an error that they did not expect; please report it, with what follows");
    e.printStackTrace();
    return ExitCode.BROKEN;
  }
}
