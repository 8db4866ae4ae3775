// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.metrics;

/** The parts of a segment's columns that shape-shift. */
public enum SegmentPart {
  /** Dictionary ids, numbers and the time. */
  ROWS("rows"),
  /** The rows of each value. */
  INDEXES("indexes"),
  /** The values. */
  DICTIONARIES("dictionaries"),
  /** The rows of each key; Druid has nothing like it. */
  HASH_INDEXES("hash indexes");

  private final String text;

  SegmentPart(String text) {
    this.text = text;
  }

  /** Its name for people, and in metrics. */
  @Override
  public String toString() {
    return text;
  }
}
