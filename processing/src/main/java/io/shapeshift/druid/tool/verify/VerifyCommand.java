// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads every value of a segment, and compares it with another. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
        "Reads every value of a segment, or of all segments in a folder, and checks that its parts agree: dictionary "
            + "ids with the dictionary, its order, bitmap indexes with the rows, numbers of rows, the order of time.",
        "With OTHER it says whether the two hold the same, however they store it: every row, dictionary, index and "
            + "projection, and, of segments of the same version, the metadata.",
        "For each column it tells of the first that is wrong, with row, chunk and offset. There are no checksums in "
            + "a segment: a damaged byte that gives another valid value shows in a comparison only."
    },
    footer = {
        "",
        "Exits with 0 if all is fine, with 1 if anything is damaged or different, with 3 if a segment cannot be opened."
    }
)
public final class VerifyCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "PATH", description = "a segment, its index.zip, or a folder of segments")
  private Path path;

  @Nullable
  @Parameters(index = "1", arity = "0..1", paramLabel = "OTHER", description = "a segment to compare PATH with")
  private Path other;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "COLUMN",
      description = "only these columns, separated by commas; of projections as PROJECTION/COLUMN"
  )
  private List<String> columns = List.of();

  @Mixin
  private OutputFormat format;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    final List<SegmentLocation> unopened = new ArrayList<>();
    final List<VerifiedSegment> segments = other == null ? checkAll(unopened) : List.of(compare(other));
    command.commandLine().getOut().print(format.format(() -> text(segments), () -> segments, () -> csv(segments)));
    command.commandLine().getOut().flush();
    if (!unopened.isEmpty()) {
      return ExitCode.FAILED;
    }
    return segments.stream().allMatch(segment -> segment.countProblems() == 0) ? ExitCode.OK : ExitCode.DIFFERENT;
  }

  private List<VerifiedSegment> checkAll(List<SegmentLocation> unopened) {
    final List<SegmentLocation> locations = SegmentLocation.find(List.of(path));
    final List<VerifiedSegment> segments = new ArrayList<>();
    for (SegmentLocation location : locations) {
      try (Segment segment = location.open()) {
        segments.add(SegmentVerifier.check(segment, wanted(segment)));
      } catch (ToolException e) {
        // Of many segments the others are worth checking still.
        if (locations.size() == 1) {
          throw e;
        }
        unopened.add(location);
        segments.add(new VerifiedSegment(location.path().toString(), null, List.of(e.found()), List.of()));
      }
    }
    return segments;
  }

  private VerifiedSegment compare(Path with) {
    try (Segment first = SegmentLocation.one(path).open(); Segment second = SegmentLocation.one(with).open()) {
      return SegmentVerifier.compare(first, second, wanted(first, second));
    }
  }

  private Predicate<SegmentColumn> wanted(Segment... segments) {
    final Set<String> names = Arrays.stream(segments)
                                    .flatMap(segment -> segment.columns().stream())
                                    .map(SegmentColumn::displayName)
                                    .collect(Collectors.toCollection(LinkedHashSet::new));
    for (String column : columns) {
      if (!names.contains(column)) {
        throw new ToolException(
            segments[0].path().toString(),
            "there is no column " + column,
            "There are " + String.join(", ", names)
        );
      }
    }
    return column -> columns.isEmpty() || columns.contains(column.displayName());
  }

  private static String text(List<VerifiedSegment> segments) {
    return segments.stream().map(VerifyCommand::text).collect(Collectors.joining(System.lineSeparator()));
  }

  private static String text(VerifiedSegment segment) {
    final Table table = new Table("column", "type", "rows", "status", "message");
    for (VerifiedColumn column : segment.columns()) {
      table.add(column.displayName(), column.type(), column.rows(), column.status(), column.message());
    }
    final int problems = segment.countProblems();
    final String line = System.lineSeparator();
    return segment.path() + (segment.other() == null ? "" : " and " + segment.other()) + line
        + segment.problems().stream().map(problem -> problem + line).collect(Collectors.joining())
        + table.toText()
        + (problems == 0 ? "fine" : String.format(Locale.ROOT, "%,d problem%s", problems, problems == 1 ? "" : "s"))
        + line;
  }

  private static Table csv(List<VerifiedSegment> segments) {
    final Table table = new Table("segment", "other", "projection", "column", "type", "rows", "status", "message");
    for (VerifiedSegment segment : segments) {
      for (String problem : segment.problems()) {
        table.add(
            segment.path(), segment.other(), null, null, null, null,
            segment.other() == null ? Status.DAMAGED : Status.DIFFERENT, problem
        );
      }
      for (VerifiedColumn column : segment.columns()) {
        table.add(
            segment.path(), segment.other(), column.projection(), column.name(), column.type(), column.rows(),
            column.status(), column.message()
        );
      }
    }
    return table;
  }
}
