// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.report;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.tool.advise.AdviceOptions;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analyzer;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.cli.Version;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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

/** Command that renders an analysis as an HTML page. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
        "Writes one HTML page that shows how large each column is today and in every encoding, which forms "
            + "shape-shifting chooses, and how fast it is read.",
        "The page needs no network and no other file."
    }
)
public final class ReportCommand implements Callable<Integer> {
  private static final String DEFAULT_TITLE = "What shape-shifting columns would take";

  @Parameters(
      arity = "0..*",
      paramLabel = "PATH",
      description = "segments to analyze, or folders of them"
  )
  private List<Path> paths = List.of();

  @Nullable
  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "a result of 'analyze --json' to show, instead of analyzing segments"
  )
  private Path from;

  @Option(names = "--out", paramLabel = "FILE", required = true, description = "the page to write, such as report.html")
  private Path out;

  @Option(names = "--force", description = "replace the page if it exists")
  private boolean force;

  @Option(names = "--title", paramLabel = "TITLE", description = "its headline (default: ${DEFAULT-VALUE})")
  private String title = DEFAULT_TITLE;

  @Mixin
  private ColumnOption columns;

  @Option(names = "--no-speed", description = "do not measure how fast columns are read")
  private boolean noSpeed;

  @Mixin
  private AdviceOptions advice;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    checkOptions();
    if (Files.isDirectory(out)) {
      throw new ToolException(out.toString(), "it is a directory", "Name the file to write, such as report.html in it");
    }
    if (!force && Files.exists(out, LinkOption.NOFOLLOW_LINKS)) {
      throw new ToolException(out.toString(), "it exists already", "Name another file, or add --force to replace it");
    }
    final Analyzer analyzer =
        new Analyzer(new Analyzer.Options(columns, BlockSize.LARGE, !noSpeed, false, advice.isGiven(), null));
    final Analysis analysis;
    // Created first, because an analysis may take hours, and a target that is not writable should fail before that.
    try (TemporaryDirectory temporary = TemporaryDirectory.beside(out)) {
      analysis = from == null ? analyze(analyzer) : AnalysisReader.read(from);
      ReportWriter.write(analysis, title, temporary, out, force);
    }
    if (ToolException.print(analyzer.unopened(), command.commandLine().getErr())) {
      return ExitCode.FAILED;
    }
    return analysis.hasProblems() ? ExitCode.DIFFERENT : ExitCode.OK;
  }

  private Analysis analyze(Analyzer analyzer) {
    final List<SegmentLocation> locations = SegmentLocation.find(paths);
    final Analysis analysis = analyzer.analyze(locations);
    return advice.isGiven() ? advice.addTo(analysis, BlockSize.LARGE, locations) : analysis;
  }

  private void checkOptions() {
    advice.check(!noSpeed);
    if (paths.isEmpty() == (from == null)) {
      throw new ParameterException(
          command.commandLine(),
          from == null
          ? "Name segments to analyze, or with --from a result of 'analyze --json'"
          : "Segments are not analyzed with --from: name either of them"
      );
    }
    if (from != null && (noSpeed || columns.isGiven() || advice.isGiven())) {
      throw new ParameterException(
          command.commandLine(),
          "--columns, --no-speed and --advise have no effect with --from: give them to 'analyze'"
      );
    }
  }
}
