// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What became of checking a column. */
public enum Status {
  /** Every value was read, and is as it should be. */
  FINE,
  /** Every value was read, and Druid itself wrote something wrongly, which each copy has. */
  NOTE,
  /** Its type is of an extension that is not here, or not all of it was compared. */
  UNCHECKED,
  /** Something cannot be read, or contradicts something else in the segment. */
  DAMAGED,
  /** It is not what it is in the other segment. */
  DIFFERENT,
  /** It could not be checked at all: a segment of a version that cannot be opened, or memory is too little. */
  FAILED;

  /** Whether it is bad news. */
  public boolean isProblem() {
    return this == DAMAGED || this == DIFFERENT || this == FAILED;
  }

  @Override
  @JsonValue
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
