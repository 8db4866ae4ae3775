// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * What was found out of a segment, or of two.
 *
 * @param path     where it is
 * @param other    the segment that it was compared with; absent if it was not
 * @param problems what is wrong with it as a whole: that it cannot be opened, or has no partner, or how the two differ
 *                 beside the columns
 * @param columns  its columns, those of projections as well
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VerifiedSegment(
    String path,
    @Nullable String other,
    List<Finding> problems,
    List<VerifiedColumn> columns
) {
  /** The same with other problems before its own. */
  public VerifiedSegment behind(List<Finding> others) {
    return new VerifiedSegment(path, other, Stream.concat(others.stream(), problems.stream()).toList(), columns);
  }

  /** Number of problems, of its columns and as a whole. */
  public int countProblems() {
    return (int) allProblems().count();
  }

  /** Number of columns, and of problems as a whole, of a status. */
  public int count(Status status) {
    return (int) Stream.concat(
        problems.stream().map(Finding::status),
        columns.stream().map(VerifiedColumn::status)
    ).filter(status::equals).count();
  }

  /** The first problem, naming the column if it is of one, or null if there is none. */
  @Nullable
  public String firstProblem() {
    return allProblems().map(Finding::message).findFirst().orElse(null);
  }

  /** All problems, naming the column if they are of one. */
  public Stream<Finding> allProblems() {
    return Stream.concat(
        problems.stream(),
        columns.stream()
               .filter(column -> column.status().isProblem())
               .map(column -> new Finding(
                   column.status(), "column " + column.displayName() + ": " + column.message()))
    );
  }
}
