// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.advise;

import com.google.common.base.Ascii;

/** Aims of advice. */
public enum Aim {
  /** Fewest bytes. */
  SIZE(1, 0),
  /** Least read time. One percent of it is worth ten percent of the bytes. */
  SPEED(.1, 1),
  /** Bytes and read time alike: one percent of either is worth one percent of the other. */
  BALANCE(1, 1);

  /** Weight of a share of the bytes. */
  final double ofBytes;
  /** Weight of a share of the read time. */
  final double ofNanos;

  Aim(double ofBytes, double ofNanos) {
    this.ofBytes = ofBytes;
    this.ofNanos = ofNanos;
  }

  /** Name in JSON. */
  String json() {
    return Ascii.toLowerCase(name());
  }
}
