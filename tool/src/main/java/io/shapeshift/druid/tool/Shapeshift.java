// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.tool.analyze.AnalyzeCommand;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.cli.Version;
import io.shapeshift.druid.tool.convert.ConvertCommand;
import io.shapeshift.druid.tool.ingest.BuildCommand;
import io.shapeshift.druid.tool.inspect.InspectCommand;
import io.shapeshift.druid.tool.report.ReportCommand;
import io.shapeshift.druid.tool.segment.Extensions;
import io.shapeshift.druid.tool.verify.VerifyCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command-line tool, {@code scripts/shapeshift}. It inspects, analyzes, converts and verifies segments of any
 * Druid.
 */
@Command(
    name = "shapeshift",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = {
        "Builds, analyzes, converts and checks segments of Apache Druid.",
        "A segment is a directory (version 9 or 10) or an index.zip from deep storage. A folder stands for all "
            + "segments below it. Inputs are never changed."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
        "0:done",
        "1:done, but a column is damaged or differs",
        "2:the command line is wrong",
        "3:an input cannot be read, an output cannot be written, or there is too little memory; nothing is left half "
            + "written",
        "4:an error in the tool or its installation"
    },
    footer = {"", "'shapeshift COMMAND --help' lists the options of a command. SHAPESHIFT_JAVA_OPTS adds JVM options."},
    subcommands = {
        BuildCommand.class,
        AnalyzeCommand.class,
        InspectCommand.class,
        ConvertCommand.class,
        VerifyCommand.class,
        ReportCommand.class,
        HelpCommand.class
    }
)
public final class Shapeshift {
  @Spec
  private CommandSpec spec;
  private final Set<Path> loaded = new HashSet<>();

  private Shapeshift() {}

  @Option(
      names = "--extension",
      paramLabel = "JAR|FOLDER",
      scope = ScopeType.INHERIT,
      description = "extension of Druid with encodings of its own: its jar, or the folder of its jars; may be repeated,"
          + " and comes before options that name its encodings"
  )
  void load(List<Path> extensions) {
    // Called before the first extension, and with all former ones for each.
    final List<Path> added = extensions.stream().filter(loaded::add).toList();
    if (added.isEmpty()) {
      return;
    }
    try {
      Extensions.load(added, message -> spec.commandLine().getErr().println("shapeshift: " + message));
    } catch (ToolException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** Runs a command and exits with an {@link ExitCode}. */
  public static void main(String[] args) {
    System.exit(run(new FileOutputStream(FileDescriptor.out), System.err, args));
  }

  /** Runs a command and returns an {@link ExitCode}. */
  static int run(OutputStream standardOut, OutputStream standardErr, String... args) {
    final CommandLine command = new CommandLine(new Shapeshift());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setAbbreviatedOptionsAllowed(false);
    command.setUsageHelpAutoWidth(true);
    // An option's value may itself start with @, followed by a file name.
    command.setExpandAtFiles(false);
    final StandardOutput out = new StandardOutput(standardOut);
    command.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    command.setErr(new PrintWriter(standardErr, true, StandardCharsets.UTF_8));
    command.setParameterExceptionHandler((e, line) -> refuse(e));
    command.setExecutionExceptionHandler((e, line, parsed) -> fail(e, line.getErr()));
    try {
      final int exitCode = command.execute(args.length == 0 ? new String[]{"--help"} : args);
      command.getOut().flush();
      if (out.problem() != null) {
        command.getErr().println("shapeshift: standard output cannot be written: " + out.problem());
        return ExitCode.FAILED;
      }
      return exitCode;
    } catch (Throwable e) {
      // The JVM's own exit code after an uncaught exception would mean that a segment is damaged.
      return fail(e, command.getErr());
    }
  }

  /** Prints one message about the command line's error, and how to get the usage, which is too long to print. */
  private static int refuse(ParameterException e) {
    final CommandLine line = e.getCommandLine();
    line.getErr().println("shapeshift: " + e.getMessage().replaceFirst("^Error: ", ""));
    UnmatchedArgumentException.printSuggestions(e, line.getErr());
    line.getErr().println("'" + line.getCommandSpec().qualifiedName() + " --help' lists its options.");
    return ExitCode.USAGE;
  }

  /** Prints one message about a failure. For an internal error also prints the stack trace. */
  static int fail(Throwable e, PrintWriter err) {
    if (isEnding()) {
      return ExitCode.FAILED;
    }
    if (e instanceof ToolException) {
      err.println("shapeshift: " + e.getMessage());
      if (Boolean.getBoolean("shapeshift.trace")) {
        e.printStackTrace(err);
      }
      return ExitCode.FAILED;
    }
    @Nullable final Throwable encoding = faultOfEncoding(e);
    if (encoding != null) {
      err.println("shapeshift: " + encoding.getMessage());
      return ExitCode.FAILED;
    }
    if (e instanceof OutOfMemoryError memory) {
      err.println(ToolException.outOfMemory("shapeshift", memory).getMessage());
      return ExitCode.FAILED;
    }
    if (e instanceof InternalError && String.valueOf(e.getMessage()).contains("unsafe memory access")) {
      err.println("shapeshift: a mapped file cannot be read: " + e.getMessage()
          + ". It may have been made shorter meanwhile, or the disk may be full or failing");
      return ExitCode.FAILED;
    }
    if (e instanceof LinkageError) {
      // Libraries with native code unpack themselves into this directory.
      err.println("shapeshift: a library cannot be loaded: " + e + ". There must be room for it in "
          + System.getProperty("java.io.tmpdir") + ", and what is there must be allowed to run (not so where it is"
          + " mounted noexec): SHAPESHIFT_JAVA_OPTS=-Djava.io.tmpdir=FOLDER names another");
      return ExitCode.FAILED;
    }
    err.println("shapeshift: an error that it did not expect; please report it, with what follows");
    e.printStackTrace(err);
    return ExitCode.BROKEN;
  }

  /** Cause that is a fault of an encoding of another jar, or its absence; null if there is none. */
  @Nullable
  private static Throwable faultOfEncoding(Throwable e) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (each instanceof EncodingException
          || (each instanceof ColumnFormatException && ColumnFormatException.isMissingEncoding(each))) {
        return each;
      }
    }
    return null;
  }

  /** Whether a signal is ending the process. Failures are then caused by the deletion of files. */
  private static boolean isEnding() {
    final Thread hook = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
