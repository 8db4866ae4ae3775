// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

/** Bit-matrix transposition: reorders bits that were computed lane by lane into the order of their values. */
final class BitMatrix {
  private BitMatrix() {}

  /**
   * Transposes square blocks of bits.
   *
   * @param rows the first {@code size} rows hold 64 / size blocks side by side; afterwards bit c of a block's row r is
   *     the former bit r of its row c
   * @param size a power of two from 1 to 64
   */
  static void transpose(long[] rows, int size) {
    long mask = -1L;
    for (int distance = Long.SIZE / 2; distance > 0; distance /= 2) {
      mask ^= mask << distance;
      if (distance < size) {
        swap(rows, size, distance, mask);
      }
    }
  }

  /** Swaps the upper bits of each row with the lower bits of the row {@code distance} away (Hacker's Delight, 7-3). */
  private static void swap(long[] rows, int size, int distance, long mask) {
    for (int start = 0; start < size; start += 2 * distance) {
      for (int i = start; i < start + distance; i++) {
        final long swapped = ((rows[i] >>> distance) ^ rows[i + distance]) & mask;
        rows[i] ^= swapped << distance;
        rows[i + distance] ^= swapped;
      }
    }
  }

  /**
   * Packs 64 lanes, each with a bit per row, into square blocks side by side.
   *
   * @param lanes only the lowest {@code size} bits of each lane are used
   * @param first index of the first of the 64 lanes
   * @param size  a power of two from 1 to 64
   * @param block receives {@code size} rows: {@linkplain #transpose transposed}, row r has bit r of each lane, in order
   */
  static void pack(long[] lanes, int first, int size, long[] block) {
    final long mask = -1L >>> -size;
    for (int i = 0; i < size; i++) {
      long packed = 0;
      for (int shift = 0; shift < Long.SIZE; shift += size) {
        packed |= (lanes[first + shift + i] & mask) << shift;
      }
      block[i] = packed;
    }
  }
}
