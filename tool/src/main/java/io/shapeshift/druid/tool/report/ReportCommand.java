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
import java.io.IOException;
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
        "Writes one HTML page: the size of each column today and in each encoding, the forms that shape-shifting "
            + "chooses, and how fast each encoding is read.",
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
      description = "output of 'analyze --json' to show, instead of analyzing segments"
  )
  private Path from;

  @Option(names = "--out", paramLabel = "FILE", required = true, description = "the page to write, such as report.html")
  private Path out;

  @Option(names = "--force", description = "replace the page if it exists")
  private boolean force;

  @Option(names = "--title", paramLabel = "TITLE", description = "headline of the page (default: ${DEFAULT-VALUE})")
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
    if (SegmentLocation.isSegment(out.toAbsolutePath().normalize().getParent())) {
      throw new ToolException(
          out.toString(), "this directory is a segment, and segments are never changed", "Name a file in another");
    }
    final Analyzer analyzer =
        new Analyzer(new Analyzer.Options(columns, BlockSize.LARGE, !noSpeed, false, advice.isGiven(), null));
    final Analysis analysis;
    // Created first, because an analysis may take hours, and a target that is not writable should fail before that.
    try (TemporaryDirectory temporary = TemporaryDirectory.beside(out)) {
      analysis = from == null ? analyze(analyzer) : read(from);
      ReportWriter.write(analysis, title, temporary, out, force);
    }
    if (ToolException.print(analyzer.unopened(), command.commandLine().getErr())) {
      return ExitCode.FAILED;
    }
    return analysis.hasProblems() ? ExitCode.DIFFERENT : ExitCode.OK;
  }

  private Analysis analyze(Analyzer analyzer) {
    final List<SegmentLocation> locations = SegmentLocation.find(paths);
    locations.forEach(location -> requireOther(location.path()));
    final Analysis analysis = analyzer.analyze(locations);
    return advice.isGiven() ? advice.addTo(analysis, BlockSize.LARGE, locations) : analysis;
  }

  private Analysis read(Path file) {
    requireOther(file);
    return AnalysisReader.read(file);
  }

  /** Rejects a page that would replace an input. */
  private void requireOther(Path input) {
    try {
      if (Files.isSameFile(input, out)) {
        throw new ToolException(out.toString(), "it is an input, and inputs are never changed", "Name another file");
      }
    } catch (IOException e) {
      // One of the two does not exist.
    }
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
