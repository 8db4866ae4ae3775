// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.row;

/** Space of a dimension in the fixed part of each row. */
public enum Slot {
  /** An int, such as the id of a string. */
  INT(Integer.BYTES, false),
  /** A long, such as the bits of a number, and a byte that indicates the meaning of the long. */
  TAGGED_LONG(Long.BYTES, true);

  private final int bytes;
  private final boolean isTagged;

  Slot(int bytes, boolean isTagged) {
    this.bytes = bytes;
    this.isTagged = isTagged;
  }

  /** Size of the slot in bytes, without the tag. */
  int bytes() {
    return bytes;
  }

  /** Whether the row has a byte beside the slot. */
  boolean isTagged() {
    return isTagged;
  }
}
