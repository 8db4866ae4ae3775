// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

/** Puts bits that were computed side by side into the order of the values that they are of, by swaps of blocks. */
final class BitMatrix {
  private BitMatrix() {}

  /**
   * Transposes square blocks of bits.
   *
   * @param rows the first {@code size} are the rows of 64 / size blocks side by side; afterwards bit r of a block's row
   *     c is what bit c of its row r was
   * @param size 1, 2, 4 and so on, up to 64
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

  /** Swaps the upper bits of each row with the lower ones of the row at a distance (Hacker's Delight, 7-3). */
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
   * Makes the rows of square blocks, side by side, of 64 lanes that have a bit for each row.
   *
   * @param lanes the lowest {@code size} bits of 64 of them count
   * @param first the first of these
   * @param size  1, 2, 4 and so on, up to 64
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
