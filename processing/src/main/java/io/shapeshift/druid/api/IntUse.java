// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/** Kinds of ints that an {@link IntEncoding} may be tried for. */
public enum IntUse {
  /** Dictionary ids of string columns, and offsets of columns with several values per row. */
  IDS,
  /** What longs, doubles and floats become in a frame, such as cents of a price or multiples of a step of time. */
  NUMBERS,
  /** Codes of a dictionary of numbers, from 0 without gaps. */
  CODES
}
