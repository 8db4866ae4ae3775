// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.bits.JvmOption;

/**
 * What a dimension of type {@code auto} finds its values by on the heap: a hash table of references and ints, and a
 * list.
 *
 * <p>An array of half a region of the G1 collector or more has regions of its own, the last one for itself: a table of
 * 524,304 bytes takes a megabyte.
 */
final class TableBytes {
  private static final int ARRAY_HEADER = 16;
  private static final long REGION_BYTES = regionBytes();

  private TableBytes() {
  }

  /** What a hash table from references to ints takes, filled to three quarters, and a list that grows by half. */
  static long of(int values) {
    long places = 16;
    while (places * 3 / 4 < values) {
      places *= 2;
    }
    long listed = 10;
    while (listed < values) {
      listed += listed >> 1;
    }
    return 2 * arrayBytes(places + 1) + arrayBytes(listed);
  }

  /** What an array of ints or references takes. */
  private static long arrayBytes(long length) {
    final long size = ARRAY_HEADER + length * Integer.BYTES;
    return size < REGION_BYTES / 2 ? size : (size + REGION_BYTES - 1) / REGION_BYTES * REGION_BYTES;
  }

  /** The size of a region, if the JVM collects by G1; otherwise more than anything is large. */
  private static long regionBytes() {
    return Boolean.parseBoolean(JvmOption.value("UseG1GC", "false"))
           ? Long.parseLong(JvmOption.value("G1HeapRegionSize", String.valueOf(Long.MAX_VALUE)))
           : Long.MAX_VALUE;
  }
}
