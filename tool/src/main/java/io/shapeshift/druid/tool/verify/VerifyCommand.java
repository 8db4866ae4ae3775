// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.cli.ColumnNameConverter;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.cli.Version;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentFiles;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import javax.annotation.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command that reads every value of a segment, and can compare the segment with another. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
        "Reads every value of a segment, or compares two segments.",
        "Checks that the parts of each column agree: dictionary ids with the dictionary, the dictionary's order, "
            + "indexes with the rows, numbers of rows, the order of time. With OTHER, also compares every row, "
            + "dictionary, index and projection, in whatever encoding, and the metadata if both segments have the "
            + "same version.",
        "Compares all files with the segment's checksums first, if it has any, and names the damaged bytes and what "
            + "they belong to. Names the first difference of each column, with its row, chunk and offset. Without "
            + "checksums, a damaged byte that gives another valid value is found only by a comparison."
    },
    footer = {
        "",
        "A note names a fault that Druid itself makes when it writes a segment. Every copy of the segment has it.",
        "",
        "Exits with 0 if nothing is damaged or different, even with notes; with 1 if anything is; with 3 if a segment "
            + "cannot be opened, the extension of a column's encoding is not loaded, or a column needs more memory."
    }
)
public final class VerifyCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "PATH", description = "a segment, its index.zip, or a folder of segments")
  private Path path;

  @Nullable
  @Parameters(index = "1", arity = "0..1", paramLabel = "OTHER", description = {
      "a segment to compare with PATH; if both are folders, segments at the same places are compared"
  })
  private Path other;

  @Option(
      names = "--columns",
      split = ",",
      converter = ColumnNameConverter.class,
      paramLabel = "NAME",
      description = ColumnOption.DESCRIPTION
  )
  private List<String> columns = List.of();

  /** Names of the columns in all segments that were opened. */
  private final Set<String> names = new LinkedHashSet<>();

  @Mixin
  private OutputFormat format;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    final List<VerifiedSegment> segments = other == null ? checkAll() : compareAll(other);
    requireFound(segments);
    command.commandLine().getOut()
           .print(format.format(() -> VerifyText.of(segments), () -> segments, () -> csv(segments)));
    command.commandLine().getOut().flush();
    if (segments.stream().anyMatch(VerifiedSegment::hasUnknown)) {
      return ExitCode.FAILED;
    }
    return segments.stream().allMatch(segment -> segment.countProblems() == 0) ? ExitCode.OK : ExitCode.DIFFERENT;
  }

  private List<VerifiedSegment> checkAll() {
    final List<SegmentLocation> locations = SegmentLocation.find(List.of(path));
    final List<VerifiedSegment> segments = new ArrayList<>();
    for (SegmentLocation location : locations) {
      try (SegmentFiles files = location.unpack()) {
        segments.add(check(location, files));
      } catch (ToolException e) {
        // If there are other segments, they are still worth checking.
        if (locations.size() == 1) {
          throw e;
        }
        segments.add(problem(location, null, Status.FAILED, e.found()));
      }
    }
    return segments;
  }

  private VerifiedSegment check(SegmentLocation location, SegmentFiles files) {
    final List<Finding> damage = ChecksumCheck.run(files.directory());
    try (Segment segment = files.open()) {
      return SegmentVerifier.check(segment, wanted(segment)).behind(damage);
    } catch (ToolException e) {
      if (damage.isEmpty()) {
        throw e;
      }
      // The damage explains why the segment cannot be opened, so it comes first.
      return problem(location, null, Status.FAILED, e.found()).behind(damage);
    }
  }

  private List<VerifiedSegment> compareAll(Path with) {
    final List<SegmentPair> pairs = SegmentPair.of(path, with);
    final List<VerifiedSegment> segments = new ArrayList<>();
    for (SegmentPair pair : pairs) {
      if (pair.first() == null || pair.second() == null) {
        final SegmentLocation there = pair.first() == null ? pair.second() : pair.first();
        final Path missing = (pair.first() == null ? path : with).resolve(pair.relative());
        segments.add(problem(there, null, Status.DIFFERENT, "there is no segment " + missing));
        continue;
      }
      try {
        segments.add(compare(pair.first(), pair.second()));
      } catch (ToolException e) {
        if (pairs.size() == 1) {
          throw e;
        }
        segments.add(problem(pair.first(), pair.second(), Status.FAILED, e.getMessage()));
      }
    }
    return segments;
  }

  private VerifiedSegment compare(SegmentLocation one, SegmentLocation another) {
    try (SegmentFiles oneFiles = one.unpack(); SegmentFiles otherFiles = another.unpack()) {
      final List<Finding> damage = new ArrayList<>();
      addDamage("in the first: ", oneFiles, damage);
      addDamage("in the second: ", otherFiles, damage);
      try (Segment first = oneFiles.open(); Segment second = otherFiles.open()) {
        return SegmentVerifier.compare(first, second, wanted(first, second)).behind(damage);
      } catch (ToolException e) {
        if (damage.isEmpty()) {
          throw e;
        }
        return problem(one, another, Status.FAILED, e.getMessage()).behind(damage);
      }
    }
  }

  private static void addDamage(String where, SegmentFiles files, List<Finding> damage) {
    for (Finding each : ChecksumCheck.run(files.directory())) {
      damage.add(new Finding(each.status(), where + each.message()));
    }
  }

  private static VerifiedSegment problem(
      SegmentLocation segment,
      @Nullable SegmentLocation other,
      Status status,
      String message
  ) {
    return new VerifiedSegment(
        segment.path().toString(),
        other == null ? null : other.path().toString(),
        List.of(new Finding(status, message)),
        List.of()
    );
  }

  private Predicate<String> wanted(Segment... segments) {
    for (Segment segment : segments) {
      segment.columns().forEach(column -> names.add(column.displayName()));
      names.addAll(NullColumns.of(segment).names());
    }
    return column -> columns.isEmpty() || columns.contains(column);
  }

  /** Requires each selected column to be in at least one segment. Segments of a table may have different columns. */
  private void requireFound(List<VerifiedSegment> segments) {
    if (segments.stream().anyMatch(segment -> segment.count(Status.FAILED) > 0)) {
      return;
    }
    for (String column : columns) {
      if (!names.contains(column)) {
        throw new ToolException(
            path.toString(), "there is no column " + column, "There are " + String.join(", ", names));
      }
    }
  }

  private static Table csv(List<VerifiedSegment> segments) {
    final Table table = new Table(
        "segment", "other", "projection", "column", "type", "multiValue", "rows", "status", "message");
    for (VerifiedSegment segment : segments) {
      for (Finding problem : segment.problems()) {
        table.add(
            segment.path(), segment.other(), null, null, null, null, null, problem.status(), problem.message()
        );
      }
      for (VerifiedColumn column : segment.columns()) {
        table.add(
            segment.path(), segment.other(), column.projection(), column.name(), column.type(), column.multiValue(),
            column.rows(), column.status(), column.message()
        );
      }
    }
    return table;
  }
}
