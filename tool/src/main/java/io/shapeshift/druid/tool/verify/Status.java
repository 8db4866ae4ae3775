// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.fasterxml.jackson.annotation.JsonValue;
import io.shapeshift.druid.column.ColumnFormatException;
import java.util.Locale;

/** Result of checking a column. */
public enum Status {
  /** Every value was read and is correct. */
  FINE,
  /** Every value was read; Druid itself made an error when it wrote the segment, which every copy has. */
  NOTE,
  /** The type belongs to an extension that is not loaded, or not everything was compared. */
  UNCHECKED,
  /** Stored in an encoding of another jar that is not loaded; the bytes may be intact. */
  NOT_READABLE_HERE,
  /** Something cannot be read, or contradicts other data of the segment. */
  DAMAGED,
  /** The contents differ from those in the other segment. */
  DIFFERENT,
  /** Could not be checked at all: the segment's version is not supported, or memory is insufficient. */
  FAILED;

  /** Whether the status is a problem. */
  public boolean isProblem() {
    return this == NOT_READABLE_HERE || this == DAMAGED || this == DIFFERENT || this == FAILED;
  }

  /** Status of a column, or of what is asked of it, that could not be read. */
  static Status ofUnread(RuntimeException e) {
    return ColumnFormatException.isMissingEncoding(e) ? NOT_READABLE_HERE : DAMAGED;
  }

  /** Whether something could not be checked at all, so that nothing is known of it. */
  boolean isUnknown() {
    return this == NOT_READABLE_HERE || this == FAILED;
  }

  @Override
  @JsonValue
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
