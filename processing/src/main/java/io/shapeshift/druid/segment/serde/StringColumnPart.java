// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Parts of a string column that can shape-shift. All other parts are stock. */
public enum StringColumnPart {
  /** Dictionary ids of the rows. */
  IDS,
  /** Rows of each dictionary id. */
  INDEXES,
  /** Distinct values. A projection may use the dictionary of its base table instead. */
  DICTIONARY;

  /** Name of the part in a segment's column descriptor; never changes. */
  @JsonValue
  public String json() {
    return name().toLowerCase(Locale.ROOT);
  }
}
