// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import javax.annotation.Nullable;

/**
 * Result of verifying a column.
 *
 * @param name       name of the column
 * @param projection projection of the column; absent for the base table
 * @param type       Druid's name of the type; "null" if a version 9 segment has only the name of the column
 * @param multiValue whether rows may have several values
 * @param rows       number of checked rows; 0 if the column is damaged
 * @param status     result of the check
 * @param message    what is wrong, and where; may be absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VerifiedColumn(
    String name,
    @Nullable String projection,
    String type,
    boolean multiValue,
    int rows,
    Status status,
    @Nullable String message
) {
  static VerifiedColumn of(SegmentColumn column, int rows, Status status, @Nullable String message) {
    return new VerifiedColumn(
        column.name(),
        column.projection() == null ? null : column.projection().name(),
        column.type(),
        // From the descriptor, because the column's parts cannot be read if they are damaged.
        column.descriptor().path("hasMultipleValues").asBoolean(),
        rows,
        status,
        message
    );
  }

  /** Result for a column of the base table of which the segment has only the name. */
  static VerifiedColumn ofNulls(String name, int rows, Status status, String message) {
    return new VerifiedColumn(name, null, "null", false, rows, status, message);
  }

  /** Name of the column for people. For a projection, the projection's name and a slash precede it. */
  public String displayName() {
    return projection == null ? name : projection + "/" + name;
  }
}
