// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

/** Puts bits that were computed side by side into the order of the values that they are of, by swaps of blocks. */
final class BitMatrix {
  private static final int BYTES = Long.BYTES;

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
   * Makes words of 64 values each of eight longs that have every eighth value.
   *
   * @param in the first eight, changed: long j has value {@code 8 * i + j} in bit i
   * @param out receives eight words: word k has value {@code 64 * k + i} in bit i
   */
  static void interleave(long[] in, long[] out) {
    swapBytes(in, 4, 0x0000_0000_FFFF_FFFFL);
    swapBytes(in, 2, 0x0000_FFFF_0000_FFFFL);
    swapBytes(in, 1, 0x00FF_00FF_00FF_00FFL);
    for (int i = 0; i < BYTES; i++) {
      out[i] = transposeBytes(in[i]);
    }
  }

  private static void swapBytes(long[] rows, int distance, long mask) {
    final int shift = Byte.SIZE * distance;
    for (int start = 0; start < BYTES; start += 2 * distance) {
      for (int i = start; i < start + distance; i++) {
        final long swapped = ((rows[i] >>> shift) ^ rows[i + distance]) & mask;
        rows[i] ^= swapped << shift;
        rows[i + distance] ^= swapped;
      }
    }
  }

  /** Transposes the eight rows of eight bits that a long has in its bytes. */
  private static long transposeBytes(long rows) {
    long swapped = ((rows >>> 7) ^ rows) & 0x00AA_00AA_00AA_00AAL;
    final long pairs = rows ^ swapped ^ swapped << 7;
    swapped = ((pairs >>> 14) ^ pairs) & 0x0000_CCCC_0000_CCCCL;
    final long fours = pairs ^ swapped ^ swapped << 14;
    swapped = ((fours >>> 28) ^ fours) & 0x0000_0000_F0F0_F0F0L;
    return fours ^ swapped ^ swapped << 28;
  }
}
