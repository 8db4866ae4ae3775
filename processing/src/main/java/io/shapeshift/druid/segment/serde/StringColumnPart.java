// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What can shape-shift of a column of strings; all else is Druid's own in any case. */
public enum StringColumnPart {
  /** The dictionary ids of the rows. */
  IDS,
  /** The rows of each dictionary id. */
  INDEXES,
  /** The values; those of a projection may be in the dictionary of the base table. */
  DICTIONARY;

  /** Its name in a segment's column descriptor; for ever, as the formats are. */
  @JsonValue
  public String json() {
    return name().toLowerCase(Locale.ROOT);
  }
}
