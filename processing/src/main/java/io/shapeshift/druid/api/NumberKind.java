// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/** Types of numbers. Numbers are passed as bits, in a long. */
public enum NumberKind {
  /** Longs, as they are. */
  LONG,
  /** Doubles, as {@link Double#doubleToRawLongBits}. */
  DOUBLE,
  /** Floats, as {@link Float#floatToRawIntBits} in the lower half; the upper half is 0. */
  FLOAT
}
