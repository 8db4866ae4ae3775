// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.ResultsOption;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks one of the evaluation's questions of the columns of segments: for {@code scripts/evaluate}. */
@Command(
    name = "evaluate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Asks a question of docs/evaluation.md of all columns of segments, and writes PART.csv. "
        + "scripts/evaluate builds the segments of tables, runs this, and sums up what it has written.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
        "0:all is measured",
        "2:the command line is wrong",
        "3:a segment cannot be read, or results cannot be written",
        "4:an error in this command"
    }
)
public final class EvaluateCommand implements Callable<Integer> {
  private static final List<OptimizationTarget> TARGETS =
      List.of(OptimizationTarget.FASTBUTSMALLISH, OptimizationTarget.SMALLER);

  /** Name of a part on the command line. */
  enum Part {
    forms,
    samples,
    decode,
    encode
  }

  @Parameters(index = "0", paramLabel = "PART", description = "${COMPLETION-CANDIDATES}")
  private Part part;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "DIR", description = "segments, or folders of segments")
  private List<Path> segments;

  @Option(
      names = "--rows",
      defaultValue = "1048576",
      paramLabel = "N",
      description = "forms: rows of a column that are read, at most (default: ${DEFAULT-VALUE})"
  )
  private int rows;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      paramLabel = "N",
      description = "rounds in which each encoding has its turn; times are medians (default: ${DEFAULT-VALUE})"
  )
  private int rounds;

  @Option(
      names = "--blocks",
      defaultValue = "8",
      paramLabel = "N",
      description = "samples: blocks of 65,536 values of a column that are looked at, at most (default: "
          + "${DEFAULT-VALUE})"
  )
  private int blocks;

  @Option(
      names = "--encoded",
      paramLabel = "FORMAT=DIR",
      description = "decode: folders with the segments of the same tables in other encodings"
  )
  private Map<String, Path> encoded = new LinkedHashMap<>();

  @Mixin
  private ResultsOption results;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    require("--rows", rows);
    require("--rounds", rounds);
    require("--blocks", blocks);
    final List<EvaluatedColumn> columns = EvaluatedColumn.of(segments);
    if (columns.isEmpty()) {
      throw new ToolException(segments.toString(), "there are no columns of rows", "Name segments that have rows");
    }
    final ResultFiles files = new ResultFiles(
        results.directory(), new RunInfo.Start("evaluate", command.commandLine().getParseResult().originalArgs()));
    final PrintWriter err = command.commandLine().getErr();
    try (EvaluationPart measured = part()) {
      for (EvaluatedColumn column : columns) {
        err.println(column);
        err.flush();
        measured.measure(column);
        files.write(
            Map.of(part + ".csv", measured.table()),
            RunInfo.Jvm.like(ManagementFactory.getRuntimeMXBean().getInputArguments())
        );
      }
    }
    return 0;
  }

  private EvaluationPart part() {
    return switch (part) {
      case forms -> new FormsPart(rows, rounds, TARGETS);
      case samples -> new SamplesPart(blocks, TARGETS);
      case decode -> new DecodePart(rounds, encoded);
      case encode -> new EncodePart(rounds);
    };
  }

  private void require(String option, int value) {
    if (value < 1) {
      throw new ParameterException(command.commandLine(), option + " is " + value + ": it must be 1 or more");
    }
  }
}
