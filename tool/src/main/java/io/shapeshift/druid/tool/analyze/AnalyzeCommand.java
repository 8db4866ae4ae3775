// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.advise.AdviceOptions;
import io.shapeshift.druid.tool.analysis.AdviceText;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analyzer;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.cli.Version;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import javax.annotation.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code analyze} command: present sizes of columns, and their sizes and speeds in each encoding. */
@Command(
    name = "analyze",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
        "Reports the size of each column today and in each encoding, by rows, index and dictionary, and how fast each "
            + "encoding is read.",
        "Druid's writers and the extension's encode the columns into temporary files. The columns that "
            + "shape-shifting saves most bytes of come first."
    }
)
public final class AnalyzeCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PATH", arity = "1..*", description = "segments, or folders of segments")
  private List<Path> paths;

  @Mixin
  private ColumnOption columns;

  @Option(names = "--no-speed", description = "only sizes; takes less time")
  private boolean noSpeed;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      description = "block size of shape-shifting columns: large (default, 64 KB of ids or numbers), middle (32 KB) or "
          + "small (16 KB)"
  )
  private BlockSize blockSize = BlockSize.LARGE;

  @Option(names = "--fields", description = "list the fields of nested columns")
  private boolean fields;

  @Option(names = "--explain", description = "explain why each form wins or loses in each column")
  private boolean explain;

  @Option(names = "--explain-chunks", description = "as --explain, and list each decision and each chunk")
  private boolean explainChunks;

  @Nullable
  @Option(
      names = "--target",
      paramLabel = "TARGET",
      description = "optimization target to explain: smaller, fastbutsmallish (default) or faster"
  )
  private OptimizationTarget target;

  @Mixin
  private AdviceOptions advice;

  @Mixin
  private OutputFormat format;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    final boolean isExplained = explain || explainChunks;
    if (target != null && !isExplained) {
      throw new ParameterException(
          command.commandLine(),
          "--target has no effect without --explain: all targets are analyzed"
      );
    }
    if (advice.isGiven() && (isExplained || fields)) {
      throw new ParameterException(
          command.commandLine(),
          "--advise prints nothing of --explain, --explain-chunks and --fields: leave them out"
      );
    }
    advice.check(!noSpeed);
    final OptimizationTarget explained = target == null ? OptimizationTarget.FASTBUTSMALLISH : target;
    final Analyzer.Options options =
        new Analyzer.Options(columns, blockSize, !noSpeed, fields, advice.isGiven(), isExplained ? explained : null);
    final Analyzer analyzer = new Analyzer(options);
    final List<SegmentLocation> locations = SegmentLocation.find(paths);
    final Analysis analyzed = analyzer.analyze(locations);
    final Analysis analysis = advice.isGiven() ? advice.addTo(analyzed, blockSize, locations) : analyzed;
    command.commandLine().getOut().print(
        format.format(
            () -> analysis.advice() != null
                  ? AdviceText.text(analysis.advice())
                  : new AnalysisText(analysis).text()
                      + (isExplained ? new Explanations(analysis).text(explainChunks, explained, blockSize) : ""),
            () -> analysis,
            () -> analysis.advice() != null ? AdviceText.csv(analysis.advice()) : explainChunks
                  ? new Explanations(analysis).decisions()
                  : explain ? new Explanations(analysis).forms() : AnalysisCsv.of(analysis)
        )
    );
    command.commandLine().getOut().flush();
    if (ToolException.print(analyzer.unopened(), command.commandLine().getErr())) {
      return ExitCode.FAILED;
    }
    return analysis.hasProblems() ? ExitCode.DIFFERENT : ExitCode.OK;
  }
}
