// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import java.util.Locale;

/** What the columns of a segment store, of which each kind can have an encoding strategy of its own. */
public enum EncodedType {
  /** Dictionary ids of string columns, and the offsets of those with several values per row. */
  INT,
  /** Dimensions and metrics of type long, and {@code __time}. */
  LONG,
  /** Dimensions and metrics of type double. */
  DOUBLE,
  /** Dimensions and metrics of type float. */
  FLOAT;

  /** Name of this type's property in an indexSpec. */
  public String property() {
    return name().toLowerCase(Locale.ROOT) + "EncodingStrategy";
  }
}
