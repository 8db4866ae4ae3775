// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

/** Reason why an object is not rebuilt from its structure and fields, but kept as a whole. */
public enum Kept {
  /** A number that is neither an integer of 64 bits nor a float or double, or a NaN of which there are several. */
  NUMBER("a number of another kind"),
  /** A value of another class: bytes, arrays of primitives, dates. */
  CLASS("a value of another kind"),
  /** An array of values of several kinds, as one field. */
  MIXED_ARRAY("an array of mixed kinds"),
  /** Half a surrogate pair. */
  TEXT("a text that UTF-8 changes"),
  /** No key, or too many keys without a field. */
  KEY("too many keys without values"),
  /** A value whose path is not the path of a field. */
  NO_FIELD("a value without a field"),
  /** Two values of one field, whose different keys have the same path. */
  SAME_FIELD("two values of one field"),
  /** A value that its field does not return. */
  NOT_STORED("a value that its field does not store"),
  /** More objects and arrays around a value than {@value Tokens#MAX_DEPTH}. */
  DEPTH("too deep"),
  /** An object or array of too many parts, or one whose parts change. */
  SIZE("too many parts"),
  /** A new structure beyond the bounds of {@link StructuresSerializer}. */
  NOT_ADMITTED("too many structures");

  private final String reason;

  Kept(String reason) {
    this.reason = reason;
  }

  @Override
  public String toString() {
    return reason;
  }
}
