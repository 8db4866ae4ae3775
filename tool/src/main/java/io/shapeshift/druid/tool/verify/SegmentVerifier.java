// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.google.common.collect.Sets;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.verify.ColumnCheck.Content;
import io.shapeshift.druid.tool.verify.ColumnCheck.UnknownTypeException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/** Verifier that reads every value of segments, and compares segments. */
public final class SegmentVerifier {
  /** Type of columns without a value. */
  private static final String NULLS = "null";
  private static final String ONLY_NULLS = "nothing but null";

  private SegmentVerifier() {}

  /**
   * Checks a single segment.
   *
   * @param wanted test of display names for the columns to check
   */
  public static VerifiedSegment check(Segment segment, Predicate<String> wanted) {
    final List<VerifiedColumn> columns = new ArrayList<>();
    final List<SegmentColumn> all = wanted(segment, wanted);
    try (Progress progress = new Progress(all.size())) {
      for (SegmentColumn column : all) {
        progress.step(column.displayName());
        columns.add(check(column));
      }
    }
    final NullColumns nulls = NullColumns.of(segment);
    for (String name : nulls.names()) {
      if (wanted.test(name)) {
        columns.add(VerifiedColumn.ofNulls(name, segment.knownRows().orElse(0), Status.FINE, ONLY_NULLS));
      }
    }
    final List<Finding> problems = new ArrayList<>();
    addDamage("", nulls, problems);
    problems.addAll(queryFailures(segment, columns));
    return new VerifiedSegment(segment.path().toString(), null, problems, columns);
  }

  /** Errors that Druid itself made when it wrote the projections of a segment. */
  public static List<VerifiedColumn> notesOnProjections(Segment segment) {
    return segment.columns().stream()
        .filter(column -> column.projection() != null)
        .map(SegmentVerifier::check)
        .filter(column -> column.status() == Status.NOTE)
        .toList();
  }

  /**
   * Checks two segments and compares their contents.
   *
   * @param wanted test of display names for the columns to compare
   */
  public static VerifiedSegment compare(Segment first, Segment second, Predicate<String> wanted) {
    return compare(first, second, wanted, false);
  }

  /** Checks a copy of a segment, and compares the contents of both. Queries that fail on both do not count. */
  public static VerifiedSegment compareCopy(Segment original, Segment copy) {
    return compare(original, copy, column -> true, true);
  }

  private static VerifiedSegment compare(
      Segment first,
      Segment second,
      Predicate<String> wanted,
      boolean mayBothFailQueries
  ) {
    final List<VerifiedColumn> columns = new ArrayList<>();
    final List<SegmentColumn> all = wanted(first, wanted);
    final NullColumns firstNulls = NullColumns.of(first);
    final NullColumns secondNulls = NullColumns.of(second);
    try (Progress progress = new Progress(all.size())) {
      for (SegmentColumn column : all) {
        progress.step(column.displayName());
        columns.add(second.column(column) == null
                    ? onlyIn("first", column, second, secondNulls)
                    : compare(column, second.column(column)));
      }
    }
    for (SegmentColumn column : wanted(second, wanted)) {
      if (first.column(column) == null) {
        columns.add(onlyIn("second", column, first, firstNulls));
      }
    }
    final Set<String> onlyNamed = new LinkedHashSet<>(firstNulls.names());
    onlyNamed.addAll(secondNulls.names());
    for (String name : onlyNamed) {
      if (wanted.test(name) && first.baseColumn(name) == null && second.baseColumn(name) == null) {
        columns.add(compareNulls(name, first, firstNulls, secondNulls));
      }
    }
    final List<Finding> problems = new ArrayList<>();
    addDamage("in the first: ", firstNulls, problems);
    addDamage("in the second: ", secondNulls, problems);
    if (problems.isEmpty()) {
      final List<Finding> firstFailures = new ArrayList<>(queryFailures(first, columns));
      final List<Finding> secondFailures = new ArrayList<>(queryFailures(second, columns));
      if (mayBothFailQueries) {
        final Set<Finding> both = Sets.intersection(Set.copyOf(firstFailures), Set.copyOf(secondFailures));
        firstFailures.removeAll(both);
        secondFailures.removeAll(both);
      }
      add("in the first: ", firstFailures, problems);
      add("in the second: ", secondFailures, problems);
      SegmentComparison.differences(first, second)
                       .forEach(difference -> problems.add(new Finding(Status.DIFFERENT, difference)));
    }
    return new VerifiedSegment(first.path().toString(), second.path().toString(), problems, columns);
  }

  private static List<SegmentColumn> wanted(Segment segment, Predicate<String> wanted) {
    return segment.columns().stream().filter(column -> wanted.test(column.displayName())).toList();
  }

  /** Failures of queries over the columns that were found fine. */
  private static List<Finding> queryFailures(Segment segment, List<VerifiedColumn> columns) {
    final Set<String> fine = columns.stream()
        .filter(column -> column.status() == Status.FINE)
        .map(VerifiedColumn::displayName)
        .collect(Collectors.toSet());
    return QueryCheck.run(segment, column -> fine.contains(column.displayName()));
  }

  private static void add(String where, List<Finding> failures, List<Finding> problems) {
    failures.forEach(failure -> problems.add(new Finding(failure.status(), where + failure.message())));
  }

  private static void addDamage(String where, NullColumns nulls, List<Finding> problems) {
    if (nulls.damage() != null) {
      problems.add(new Finding(Status.DAMAGED, where + nulls.damage()));
    }
  }

  private static Content read(SegmentColumn column) throws UnknownTypeException {
    final ColumnCheck check = new ColumnCheck(column, column.knownRows());
    // Code outside of Damage.reading() is not expected to fail, but bytes may be damaged in any way.
    try {
      return check.run();
    } catch (RuntimeException | VirtualMachineError e) {
      return Damage.reading("the column", () -> {
        throw e;
      });
    }
  }

  private static VerifiedColumn check(SegmentColumn column) {
    try {
      return sound(column, read(column), null);
    } catch (UnknownTypeException e) {
      return VerifiedColumn.of(column, 0, Status.UNCHECKED, "not checked: " + e.getMessage());
    } catch (Damage e) {
      return VerifiedColumn.of(column, 0, Status.ofUnread(e), e.getMessage());
    } catch (OutOfMemoryError e) {
      return outOfMemory(column, e);
    }
  }

  private static VerifiedColumn outOfMemory(SegmentColumn column, OutOfMemoryError e) {
    return VerifiedColumn.of(column, 0, Status.FAILED, ToolException.outOfMemory(column.where(), e).found());
  }

  /**
   * Result for a column that is not damaged.
   *
   * @param other contents of the column in another segment; null without a comparison
   */
  private static VerifiedColumn sound(SegmentColumn column, Content content, @Nullable Content other) {
    if (content.note() == null && (other == null || other.note() == null)) {
      return VerifiedColumn.of(column, content.rows(), Status.FINE, fineMessage(column));
    }
    final String note;
    if (content.note() == null) {
      note = "in the second: " + other.note();
    } else if (other != null && other.note() == null) {
      note = "in the first: " + content.note();
    } else {
      note = content.note();
    }
    return VerifiedColumn.of(column, content.rows(), Status.NOTE, note);
  }

  @Nullable
  private static String fineMessage(SegmentColumn column) {
    return column.partType().equals(NULLS) ? ONLY_NULLS : null;
  }

  private static VerifiedColumn onlyIn(String which, SegmentColumn column, Segment other, NullColumns otherNulls) {
    final boolean isNamed = column.projection() == null && otherNulls.names().contains(column.name());
    if (column.partType().equals(NULLS) && column.segment().version() != other.version()) {
      return VerifiedColumn.of(
          column,
          column.numRows(),
          Status.FINE,
          isNamed ? ONLY_NULLS : "only nulls, which version 9 does not store"
      );
    }
    return VerifiedColumn.of(
        column,
        0,
        Status.DIFFERENT,
        isNamed ? "only the " + which + " has more of it than nulls" : "only the " + which + " has it"
    );
  }

  private static VerifiedColumn compareNulls(
      String name,
      Segment first,
      NullColumns firstNulls,
      NullColumns secondNulls
  ) {
    if (!secondNulls.names().contains(name)) {
      return VerifiedColumn.ofNulls(name, 0, Status.DIFFERENT, "only the first has it");
    }
    return firstNulls.names().contains(name)
           ? VerifiedColumn.ofNulls(name, first.knownRows().orElse(0), Status.FINE, ONLY_NULLS)
           : VerifiedColumn.ofNulls(name, 0, Status.DIFFERENT, "only the second has it");
  }

  private static VerifiedColumn compare(SegmentColumn first, SegmentColumn second) {
    final ColumnComparison comparison = new ColumnComparison(first, second);
    // The values of a column that shares a dictionary do not follow from its own bytes.
    if (first.parent() == null && comparison.isSameBytes()) {
      final VerifiedColumn checked = check(first);
      return checked.status() == Status.UNCHECKED
             ? VerifiedColumn.of(first, 0, Status.FINE, "compared as bytes: " + checked.message())
             : checked;
    }
    try {
      final Content content = readOf("first", first);
      final Content other = readOf("second", second);
      @Nullable String difference = comparison.difference(content, other);
      final boolean isSameBesideRows = comparison.isSameBesideRows();
      if (difference == null && isSameBesideRows) {
        difference = comparison.differentRowFiles();
      }
      if (difference != null) {
        return VerifiedColumn.of(first, content.rows(), Status.DIFFERENT, difference);
      }
      // For auto columns only values are compared, not indexes. Metrics of complex types have none, and each column of
      // nested data was compared with its own objects.
      return !(NestedCheck.hasObjects(first) && NestedCheck.hasObjects(second))
          && ((content.values() == null && first.complexType() == null) || first.isAuto())
          && !isSameBesideRows
          && !comparison.isSameBytes()
             ? VerifiedColumn.of(
                 first,
                 content.rows(),
                 Status.UNCHECKED,
                 "all rows have the same values, but " + comparison.differentBytes() + ", and is not compared further"
             )
             : sound(first, content, other);
    } catch (UnknownTypeException e) {
      return comparison.isSameBytes()
             ? VerifiedColumn.of(first, 0, Status.FINE, "compared as bytes: " + e.getMessage())
             : VerifiedColumn.of(first, 0, Status.DIFFERENT, comparison.differentBytes() + ", " + e.getMessage());
    } catch (Damage e) {
      return VerifiedColumn.of(first, 0, Status.ofUnread(e), e.getMessage());
    } catch (OutOfMemoryError e) {
      return outOfMemory(first, e);
    }
  }

  private static Content readOf(String which, SegmentColumn column) throws UnknownTypeException {
    try {
      return read(column);
    } catch (Damage e) {
      throw new Damage("in the " + which + ": " + e.getMessage(), e);
    }
  }
}
