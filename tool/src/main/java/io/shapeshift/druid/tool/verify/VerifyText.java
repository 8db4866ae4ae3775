// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.cli.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formatter of results for people. */
final class VerifyText {
  private static final String LINE = System.lineSeparator();

  private VerifyText() {}

  /**
   * Formats the results. A single segment is listed with all columns; of several segments only those with problems are
   * listed. The last line is the verdict.
   */
  static String of(List<VerifiedSegment> segments) {
    if (segments.size() == 1) {
      return details(segments.get(0));
    }
    final StringBuilder text = new StringBuilder();
    for (VerifiedSegment segment : segments) {
      if (segment.countProblems() == 0) {
        text.append(heading(segment)).append(": ")
            .append(segment.count(Status.UNCHECKED) + segment.count(Status.NOTE) == 0
                    ? "fine, " + count(segment.columns().size(), "column")
                    : verdict(List.of(segment)))
            .append(LINE);
        segment.columns().stream().filter(column -> column.status() == Status.NOTE).forEach(
            column -> text.append("  column ").append(column.displayName()).append(": ").append(column.message())
                          .append(LINE));
      }
    }
    for (VerifiedSegment segment : segments) {
      if (segment.countProblems() > 0) {
        text.append(text.isEmpty() ? "" : LINE).append(details(segment));
      }
    }
    return text.append(LINE).append(verdict(segments)).append(LINE).toString();
  }

  private static String heading(VerifiedSegment segment) {
    return segment.path() + (segment.other() == null ? "" : " and " + segment.other());
  }

  private static String details(VerifiedSegment segment) {
    final Table table = new Table("column", "type", "rows", "status", "message");
    for (VerifiedColumn column : segment.columns()) {
      table.add(
          column.displayName(),
          column.type() + (column.multiValue() ? " (multi-value)" : ""),
          column.rows(),
          column.status(),
          column.message()
      );
    }
    return heading(segment) + LINE
        + segment.problems().stream().map(problem -> problem.message() + LINE).collect(Collectors.joining())
        + table.toText()
        + verdict(List.of(segment)) + LINE;
  }

  /** Result of all segments in one line. */
  private static String verdict(List<VerifiedSegment> segments) {
    final List<String> verdicts = new ArrayList<>();
    final int failedColumns = (int) segments.stream()
        .flatMap(segment -> segment.columns().stream())
        .filter(column -> column.status() == Status.FAILED)
        .count();
    final int failed = count(segments, Status.FAILED) - failedColumns;
    if (failed > 0) {
      verdicts.add(count(failed, "segment") + " could not be checked");
    }
    if (failedColumns > 0) {
      verdicts.add(count(failedColumns, "column") + " could not be checked");
    }
    final int notReadable = count(segments, Status.NOT_READABLE_HERE);
    if (notReadable > 0) {
      verdicts.add("not readable here: " + count(notReadable, "column"));
    }
    final int damaged = count(segments, Status.DAMAGED);
    if (damaged > 0) {
      verdicts.add("damaged: " + count(damaged, "problem"));
    }
    final int different = count(segments, Status.DIFFERENT);
    if (different > 0) {
      verdicts.add("the segments differ: " + count(different, "problem"));
    }
    final int unchecked = count(segments, Status.UNCHECKED);
    if (unchecked > 0) {
      verdicts.add((verdicts.isEmpty() ? "fine, but " : "")
          + count(unchecked, "column") + (unchecked == 1 ? " was" : " were") + " not checked in full");
    }
    final int notes = count(segments, Status.NOTE);
    if (!verdicts.isEmpty()) {
      if (notes > 0) {
        verdicts.add(count(notes, "note"));
      }
      return String.join("; ", verdicts);
    }
    final int columns = segments.stream().mapToInt(segment -> segment.columns().size()).sum();
    return (notes == 0 ? "all fine: " : "fine, with " + count(notes, "note") + ": ")
        + count(columns, "column") + " of "
        + (segments.get(0).other() == null
           ? count(segments.size(), "segment")
           : count(segments.size(), "pair") + " of segments");
  }

  private static int count(List<VerifiedSegment> segments, Status status) {
    return segments.stream().mapToInt(segment -> segment.count(status)).sum();
  }

  private static String count(int count, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
  }
}
