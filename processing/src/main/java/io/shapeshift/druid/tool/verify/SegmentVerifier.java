// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.verify.ColumnCheck.Content;
import io.shapeshift.druid.tool.verify.ColumnCheck.UnknownTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import javax.annotation.Nullable;

/** Reads every value of segments, and compares them. */
public final class SegmentVerifier {
  /** Type of columns without a value. */
  private static final String NULLS = "null";

  private SegmentVerifier() {}

  /**
   * Checks a segment by itself.
   *
   * @param wanted which columns
   */
  public static VerifiedSegment check(Segment segment, Predicate<SegmentColumn> wanted) {
    final List<VerifiedColumn> columns = new ArrayList<>();
    final List<SegmentColumn> all = segment.columns().stream().filter(wanted).toList();
    final OptionalInt rows = rows(segment);
    try (Progress progress = new Progress(all.size())) {
      for (SegmentColumn column : all) {
        progress.step(column.displayName());
        columns.add(check(column, rows));
      }
    }
    return new VerifiedSegment(segment.path().toString(), null, List.of(), columns);
  }

  /** Checks two segments, and compares what they hold. */
  public static VerifiedSegment compare(Segment first, Segment second, Predicate<SegmentColumn> wanted) {
    final List<VerifiedColumn> columns = new ArrayList<>();
    final List<SegmentColumn> all = first.columns().stream().filter(wanted).toList();
    try (Progress progress = new Progress(all.size())) {
      for (SegmentColumn column : all) {
        progress.step(column.displayName());
        columns.add(second.column(column) == null
                    ? onlyIn("first", column, second)
                    : compare(column, second.column(column)));
      }
    }
    for (SegmentColumn column : second.columns()) {
      if (wanted.test(column) && first.column(column) == null) {
        columns.add(onlyIn("second", column, first));
      }
    }
    return new VerifiedSegment(
        first.path().toString(),
        second.path().toString(),
        SegmentComparison.differences(first, second),
        columns
    );
  }

  /** Rows of the base table; unknown where the column that tells is damaged, which has a message of its own. */
  private static OptionalInt rows(Segment segment) {
    try {
      return OptionalInt.of(Damage.reading("the number of rows", segment::numRows));
    } catch (Damage e) {
      return OptionalInt.empty();
    }
  }

  private static Content read(SegmentColumn column, OptionalInt baseRows) throws UnknownTypeException {
    final ColumnCheck check =
        new ColumnCheck(column, column.projection() == null ? baseRows : OptionalInt.of(column.numRows()));
    // What is not read through Damage.reading() is not expected to fail, but bytes may be damaged in any way.
    try {
      return check.run();
    } catch (RuntimeException | VirtualMachineError e) {
      return Damage.reading("the column", () -> {
        throw e;
      });
    }
  }

  private static VerifiedColumn check(SegmentColumn column, OptionalInt baseRows) {
    try {
      final Content content = read(column, baseRows);
      return VerifiedColumn.of(column, content.rows(), Status.FINE, null);
    } catch (UnknownTypeException e) {
      return VerifiedColumn.of(column, 0, Status.UNCHECKED, "not checked: " + e.getMessage());
    } catch (Damage e) {
      return VerifiedColumn.of(column, 0, Status.DAMAGED, e.getMessage());
    }
  }

  private static VerifiedColumn onlyIn(String which, SegmentColumn column, Segment other) {
    return column.partType().equals(NULLS) && column.segment().version() != other.version()
           ? VerifiedColumn.of(column, column.numRows(), Status.FINE, "only nulls, which version 9 does not store")
           : VerifiedColumn.of(column, 0, Status.DIFFERENT, "only the " + which + " has it");
  }

  private static VerifiedColumn compare(SegmentColumn first, SegmentColumn second) {
    final ColumnComparison comparison = new ColumnComparison(first, second);
    // A column that shares a dictionary has values that its own bytes do not tell.
    if (first.parent() == null && comparison.isSameBytes()) {
      final VerifiedColumn checked = check(first, rows(first.segment()));
      return checked.status() == Status.UNCHECKED
             ? VerifiedColumn.of(first, 0, Status.FINE, "compared as bytes: " + checked.message())
             : checked;
    }
    try {
      final Content content = readOf("first", first);
      @Nullable final String difference = comparison.difference(content, readOf("second", second));
      return difference == null
             ? VerifiedColumn.of(first, content.rows(), Status.FINE, null)
             : VerifiedColumn.of(first, content.rows(), Status.DIFFERENT, difference);
    } catch (UnknownTypeException e) {
      return comparison.isSameBytes()
             ? VerifiedColumn.of(first, 0, Status.FINE, "compared as bytes: " + e.getMessage())
             : VerifiedColumn.of(first, 0, Status.DIFFERENT, comparison.differentBytes() + ", " + e.getMessage());
    } catch (Damage e) {
      return VerifiedColumn.of(first, 0, Status.DAMAGED, e.getMessage());
    }
  }

  private static Content readOf(String which, SegmentColumn column) throws UnknownTypeException {
    try {
      return read(column, rows(column.segment()));
    } catch (Damage e) {
      throw new Damage("in the " + which + ": " + e.getMessage(), e);
    }
  }
}
