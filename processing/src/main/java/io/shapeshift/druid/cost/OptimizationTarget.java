// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cost;

/** What a column is to be good at where size and speed of reading disagree (Druid PR #6016). */
public enum OptimizationTarget {
  /** The smallest form wins, nearly however it reads; the only target under which Zstandard and FastPFOR are tried. */
  SMALLER,
  /** The default: LZ4, which must be decompressed before it is read, has to save something. */
  FASTBUTSMALLISH,
  /** LZ4 has to save a lot. */
  FASTER
}
