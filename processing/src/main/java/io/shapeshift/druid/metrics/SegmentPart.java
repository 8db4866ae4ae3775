// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.metrics;

/** Parts of a segment's columns that shape-shift. */
public enum SegmentPart {
  /** Dictionary ids, numbers and the time. */
  ROWS("rows"),
  /** Rows of each value. */
  INDEXES("indexes"),
  /** Distinct values. */
  DICTIONARIES("dictionaries"),
  /** Values of complex types. */
  COMPLEX("complex values"),
  /** Structures and names of nested objects, and objects that cannot be rebuilt. */
  STRUCTURES("structures"),
  /** Rows of each key. Stock has no such index. */
  HASH_INDEXES("hash indexes"),
  /** Trigrams of the texts of dictionaries. Stock has no such index. */
  TEXT_INDEXES("text indexes");

  private final String text;

  SegmentPart(String text) {
    this.text = text;
  }

  /** Name for people, and in metrics. */
  @Override
  public String toString() {
    return text;
  }
}
