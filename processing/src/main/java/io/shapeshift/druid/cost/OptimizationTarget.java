// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cost;

/** Trade-off between size and read speed (Druid PR #6016). */
public enum OptimizationTarget {
  /** Nearly always chooses the smallest form. Zstandard and entropy coding are tried only under this target. */
  SMALLER,
  /** Default: chooses LZ4, which must be decompressed before reads, only if it saves some space. */
  FASTBUTSMALLISH,
  /** Chooses LZ4 only if it saves much space. */
  FASTER
}
