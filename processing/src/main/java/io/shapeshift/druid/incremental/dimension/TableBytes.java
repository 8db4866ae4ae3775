// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.bits.JvmOption;

/**
 * Heap size of the hash table and the list in which an {@code auto} dimension looks up its values.
 *
 * <p>The G1 collector allocates an array of at least half a region in regions of its own, and leaves the rest of the
 * last region unused. So a table of 524,304 bytes occupies 1 MB.
 */
final class TableBytes {
  private static final int ARRAY_HEADER = 16;
  private static final long REGION_BYTES = regionBytes();

  private TableBytes() {
  }

  /** Bytes of a hash table from references to ints with a load factor of 0.75, plus a list that grows by half. */
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

  /** Bytes of an array of ints or references. */
  private static long arrayBytes(long length) {
    final long size = ARRAY_HEADER + length * Integer.BYTES;
    return size < REGION_BYTES / 2 ? size : (size + REGION_BYTES - 1) / REGION_BYTES * REGION_BYTES;
  }

  /** Size of a G1 region; the largest long if the JVM has another collector. */
  private static long regionBytes() {
    return Boolean.parseBoolean(JvmOption.value("UseG1GC", "false"))
           ? Long.parseLong(JvmOption.value("G1HeapRegionSize", String.valueOf(Long.MAX_VALUE)))
           : Long.MAX_VALUE;
  }
}
