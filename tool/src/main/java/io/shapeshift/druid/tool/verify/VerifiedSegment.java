// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * Result of verifying a segment, or of comparing two.
 *
 * @param path     path of the segment
 * @param other    path of the segment with which it was compared; absent without a comparison
 * @param problems problems of the segment as a whole: it cannot be opened, it has no partner, or the two differ outside
 *     of their columns
 * @param columns  columns, including those of projections
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VerifiedSegment(
    String path,
    @Nullable String other,
    List<Finding> problems,
    List<VerifiedColumn> columns
) {
  /** Copy with other problems before its own. */
  public VerifiedSegment behind(List<Finding> others) {
    return new VerifiedSegment(path, other, Stream.concat(others.stream(), problems.stream()).toList(), columns);
  }

  /** Number of problems of columns and of the segment as a whole. */
  public int countProblems() {
    return (int) allProblems().count();
  }

  /** Number of columns with a status, plus number of problems of the segment as a whole with it. */
  public int count(Status status) {
    return (int) Stream.concat(
        problems.stream().map(Finding::status),
        columns.stream().map(VerifiedColumn::status)
    ).filter(status::equals).count();
  }

  /** Whether nothing is known of the segment or of one of its columns. */
  boolean hasUnknown() {
    return allProblems().anyMatch(problem -> problem.status().isUnknown());
  }

  /** First problem, with the column's name if it concerns one, or null if there is none. */
  @Nullable
  public String firstProblem() {
    return allProblems().map(Finding::message).findFirst().orElse(null);
  }

  /** All problems, with the column's name if they concern one. */
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
