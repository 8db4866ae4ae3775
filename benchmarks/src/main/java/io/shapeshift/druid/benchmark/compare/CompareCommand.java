// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import javax.annotation.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what got slower or larger from one run of the benchmarks to another. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
        "Pairs old and new results of the benchmarks, and says what got slower or larger beyond the noise.",
        "Something is slower if the 95 %% interval of new / old is wholly above 1 + threshold, and if that stands "
            + "among all pairs (Benjamini and Hochberg, 5 %% false discoveries); perhaps slower if only the "
            + "former. Forks are what is independent, so there should be several. More bytes are larger, however few."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
        "0:nothing is slower or larger",
        "1:something is, with --rerun in the second measurement too",
        "2:the command line is wrong",
        "3:results cannot be read, or benchmarks not be run",
        "4:an error in this command"
    }
)
public final class CompareCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "OLD", description = "results: a directory of a run, or a JSON file of JMH's")
  private Path old;

  @Parameters(index = "1", paramLabel = "NEW", description = "results to compare with them")
  private Path now;

  @Option(
      names = "--threshold",
      paramLabel = "SHARE",
      description = "how much slower is of interest (default: ${DEFAULT-VALUE})"
  )
  private double threshold = 0.05;

  @Option(
      names = "--rerun",
      description = "measure again what is or may be slower, old and new in turns; only what is slower then counts"
  )
  private boolean rerun;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "with --rerun: forks of each side (default: ${DEFAULT-VALUE})"
  )
  private int rounds = 5;

  @Nullable
  @Option(names = "--old-jar", paramLabel = "JAR", description = "with --rerun: the benchmarks.jar that OLD is of")
  private Path oldJar;

  @Nullable
  @Option(names = "--new-jar", paramLabel = "JAR", description = "with --rerun: the benchmarks.jar that NEW is of")
  private Path newJar;

  @Nullable
  @Option(
      names = "--jar-of",
      hidden = true,
      description = "a program that makes the jar of the commit that is its last argument, and prints its path"
  )
  private Path jarOf;

  @Option(names = "--run-in", hidden = true, description = "what paths of segments in the results are relative to")
  private Path runIn = Path.of("").toAbsolutePath();

  /** The same as the tool's, whose options picocli does not see once the extension's jar has a picocli of its own. */
  @Nullable
  @ArgGroup(exclusive = true)
  private Format format;

  private static final class Format {
    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @SuppressWarnings("unused") // What is not one is the other.
    @Option(names = "--csv", description = "print CSV, with a header")
    private boolean csv;
  }

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    if (!(threshold >= 0)) {
      throw wrong("--threshold is a share, such as 0.05; it cannot be " + threshold);
    }
    if (rounds < 2) {
      throw wrong("--rounds must be 2 at least: one fork does not tell how much forks differ");
    }
    if (!rerun && (oldJar != null || newJar != null)) {
      throw wrong("--old-jar and --new-jar have no effect without --rerun");
    }
    final Comparison comparison = Comparison.of(Results.read(old), Results.read(now), threshold);
    final Outcome outcome = new Outcome(comparison, rerun ? measureAgain(comparison) : null);
    command.commandLine().getOut().print(format(outcome));
    command.commandLine().getOut().flush();
    return outcome.exitCode();
  }

  private String format(Outcome outcome) {
    if (format == null) {
      return OutcomeText.of(outcome);
    }
    return format.json ? OutputFormat.json(outcome.json()) + System.lineSeparator() : outcome.csv().toCsv();
  }

  @Nullable
  private Comparison measureAgain(Comparison comparison) {
    if (comparison.hasOtherJvms() || comparison.pairs().stream().anyMatch(Pair::hasOtherSettings)) {
      throw new ToolException(
          old + " and " + now,
          "they were measured by other JVMs, or with other iterations, which may be all that differs",
          "Measure both alike, or compare without --rerun"
      );
    }
    checkJar("--old-jar", oldJar, comparison.old());
    checkJar("--new-jar", newJar, comparison.now());
    final List<Pair> suspects = comparison.pairs().stream().filter(Pair::isSuspect).toList();
    if (suspects.isEmpty()) {
      return null;
    }
    suspects.forEach(pair -> BenchmarksJar.check(pair.key(), runIn));
    final BenchmarksJar before = new BenchmarksJar(oldJar == null ? build(comparison.old()) : oldJar, runIn);
    final BenchmarksJar after = new BenchmarksJar(newJar == null ? build(comparison.now()) : newJar, runIn);
    command.commandLine().getErr().println(
        "measuring " + Numbers.count(suspects.size(), "pair") + " again, " + rounds + " forks of each side"
    );
    return Rerun.compare(comparison, suspects, before, after, rounds);
  }

  /** Before anything takes long. */
  private void checkJar(String option, @Nullable Path jar, Results results) {
    if (jar != null) {
      if (!Files.isRegularFile(jar)) {
        throw wrong(option + " " + jar + ": there is no such file");
      }
    } else if (jarOf == null || results.run() == null || !results.run().isOfCommit()) {
      throw wrong(results.path() + " is not known to be of a commit without changes, of which a jar could be "
          + "built: name the jar that it is of with " + option);
    }
  }

  private Path build(Results results) {
    final String commit = results.run().commit();
    try {
      final Process process = new ProcessBuilder(jarOf.toString(), "--jar", commit)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
      final String jar = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new ToolException(
            results.path().toString(),
            "no jar can be built of its commit " + commit,
            "Name one with --old-jar and --new-jar"
        );
      }
      return Path.of(jar);
    } catch (IOException e) {
      throw new ToolException(jarOf.toString(), "it cannot be run: " + e, "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
