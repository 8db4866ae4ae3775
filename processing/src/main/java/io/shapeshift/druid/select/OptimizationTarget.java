// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

/** What a column is to be good at where size and speed of reading disagree (Druid PR #6016). */
public enum OptimizationTarget {
  /** The smallest form wins, however it reads; the only target under which Zstandard is tried. */
  SMALLER,
  /** The default: forms that must be decoded whole have to save something. */
  FASTBUTSMALLISH,
  /** Forms that must be decoded whole have to save a lot. */
  FASTER
}
