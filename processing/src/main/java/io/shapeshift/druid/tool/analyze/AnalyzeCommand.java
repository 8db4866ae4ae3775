// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.annotation.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code analyze}: what columns cost today, and what each encoding would make of them. */
@Command(
    name = "analyze",
    mixinStandardHelpOptions = true,
    description = {
        "Says per column what it costs today, what each encoding would make of its rows, and how fast each is read.",
        "Rows are encoded anew, into temporary files, by Druid's writers and by the extension's; columns are sorted by "
            + "what shape-shifting would save."
    }
)
public final class AnalyzeCommand implements Callable<Integer> {
  /** How much to explain. */
  enum Explain { COLUMN, CHUNK }

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "segments, or folders of segments")
  private List<Path> paths;

  @Option(names = "--columns", split = ",", paramLabel = "NAME", description = "only these columns; by default all")
  private Set<String> columns = new LinkedHashSet<>();

  @Option(names = "--no-speed", description = "sizes only: takes a fraction of the time")
  private boolean noSpeed;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      description = "of shape-shifting columns: large (default), middle or small"
  )
  private BlockSize blockSize = BlockSize.LARGE;

  @Nullable
  @Option(
      names = "--explain",
      arity = "0..1",
      fallbackValue = "COLUMN",
      paramLabel = "column|chunk",
      description = "say why each form wins or loses, per column (default) or per chunk"
  )
  private Explain explain;

  @Option(
      names = "--target",
      paramLabel = "TARGET",
      description = "the one to explain: smaller, fastbutsmallish (default) or faster"
  )
  private OptimizationTarget target = OptimizationTarget.FASTBUTSMALLISH;

  @Mixin
  private OutputFormat format;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    final Analyzer.Options options =
        new Analyzer.Options(columns, blockSize, !noSpeed, explain == null ? null : target);
    final Analysis analysis = new Analyzer(options).analyze(SegmentLocation.find(paths));
    final AnalysisTables tables = new AnalysisTables(analysis);
    command.commandLine().getOut().print(
        format.format(
            () -> explain == null ? tables.text() : tables.text() + tables.explanation(explain == Explain.CHUNK),
            () -> analysis,
            () -> explain == null
                  ? tables.rows()
                  : explain == Explain.CHUNK ? tables.chunkExplanations() : tables.formExplanations()
        )
    );
    command.commandLine().getOut().flush();
    return ExitCode.OK;
  }
}
