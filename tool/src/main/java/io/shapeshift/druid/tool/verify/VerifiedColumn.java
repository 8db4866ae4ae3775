// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import javax.annotation.Nullable;

/**
 * What was found out of a column.
 *
 * @param name       the column
 * @param projection the projection that it is of; absent for the base table
 * @param type       as Druid names it; "null" where version 9 has nothing but the name of a column
 * @param multiValue whether rows may have several values
 * @param rows       rows that were checked; 0 if it is damaged
 * @param status     how it is
 * @param message    what is wrong and where; absent if there is nothing to say
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
        // What the column's parts say of it cannot be read if they are damaged.
        column.descriptor().path("hasMultipleValues").asBoolean(),
        rows,
        status,
        message
    );
  }

  /** A column of the base table that the segment has no more of than its name. */
  static VerifiedColumn ofNulls(String name, int rows, Status status, String message) {
    return new VerifiedColumn(name, null, "null", false, rows, status, message);
  }

  /** Its name for people: behind that of the projection and a slash if it is of one. */
  public String displayName() {
    return projection == null ? name : projection + "/" + name;
  }
}
