// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

/**
 * Branch-free comparison of {@value #LENGTH} ints at once. The result has one bit per int: int i is bit {@code i & 63}
 * of word {@code i >> 6}.
 *
 * <p>Each comparison stores 0 or 1 in an int. The ints are then folded in five steps, half onto half, until 16 ints
 * hold one bit of each value, with every 16th value in the same int. A transposition restores the order. All loops
 * except the last run over whole arrays, and C2 vectorises them. Not thread-safe.
 */
public final class Matches {
  /** Number of ints that are compared at once. */
  public static final int LENGTH = 512;

  private static final int HALF = LENGTH / 2;
  private static final int INTS = LENGTH / Integer.SIZE;

  private final int[] upper = new int[HALF];

  /**
   * Finds the ints equal to {@code value}.
   *
   * @param values the first {@value #LENGTH} are compared; none is negative; overwritten
   * @param value  0 or more
   * @param out    receives the bits, in words from index {@code at}
   */
  public void equal(int[] values, int value, long[] out, int at) {
    System.arraycopy(values, HALF, upper, 0, HALF);
    compare(values, upper, value);
    fold(values, out, at);
  }

  // Reads from arrays of its own, because C2 vectorises only loops with plain indexes.

  private static void compare(int[] lower, int[] upper, int value) {
    // The difference less one is negative only for equal values.
    for (int i = 0; i < HALF; i++) {
      lower[i] = (((lower[i] ^ value) - 1) >>> 31) | (((upper[i] ^ value) - 1) >>> 31 << 16);
    }
  }

  /**
   * Finds the ints in a range.
   *
   * @param values the first {@value #LENGTH} are compared; none is negative; overwritten
   * @param from   start of the range, inclusive; 0 or more
   * @param to     end of the range, exclusive
   * @param out    receives the bits, in words from index {@code at}
   */
  public void between(int[] values, int from, int to, long[] out, int at) {
    System.arraycopy(values, HALF, upper, 0, HALF);
    compare(values, upper, from, to);
    fold(values, out, at);
  }

  private static void compare(int[] lower, int[] upper, int from, int to) {
    for (int i = 0; i < HALF; i++) {
      lower[i] = ((~(lower[i] - from) & (lower[i] - to)) >>> 31)
          | ((~(upper[i] - from) & (upper[i] - to)) >>> 31 << 16);
    }
  }

  private void fold(int[] bits, long[] out, int at) {
    int shift = Byte.SIZE;
    for (int length = HALF / 2; length >= INTS; length /= 2) {
      System.arraycopy(bits, length, upper, 0, length);
      fold(bits, upper, length, shift);
      shift /= 2;
    }
    transpose(bits, out, at);
  }

  private static void fold(int[] lower, int[] upper, int length, int shift) {
    for (int i = 0; i < length; i++) {
      lower[i] |= upper[i] << shift;
    }
  }

  /** Transposes 16 ints into the result: int j has, in bit p, value j of the p-th 16 consecutive values. */
  private static void transpose(int[] bits, long[] out, int at) {
    transpose(bits, 0, out, at);
    transpose(bits, 16, out, at + 4);
  }

  /** Transposes 16 rows of 16 bits, four rows to a long, by swapping ever smaller blocks (Hacker's Delight, 7-3). */
  private static void transpose(int[] bits, int shift, long[] out, int at) {
    long a = rows(bits, 0, shift);
    long b = rows(bits, 4, shift);
    long c = rows(bits, 8, shift);
    long d = rows(bits, 12, shift);
    long swapped = ((a >>> 8) ^ c) & 0x00FF00FF00FF00FFL;
    a ^= swapped << 8;
    c ^= swapped;
    swapped = ((b >>> 8) ^ d) & 0x00FF00FF00FF00FFL;
    b ^= swapped << 8;
    d ^= swapped;
    swapped = ((a >>> 4) ^ b) & 0x0F0F0F0F0F0F0F0FL;
    a ^= swapped << 4;
    b ^= swapped;
    swapped = ((c >>> 4) ^ d) & 0x0F0F0F0F0F0F0F0FL;
    c ^= swapped << 4;
    d ^= swapped;
    out[at] = transposeBlocks(a);
    out[at + 1] = transposeBlocks(b);
    out[at + 2] = transposeBlocks(c);
    out[at + 3] = transposeBlocks(d);
  }

  private static long rows(int[] bits, int first, int shift) {
    return (bits[first] >>> shift & 0xFFFFL)
        | (bits[first + 1] >>> shift & 0xFFFFL) << 16
        | (bits[first + 2] >>> shift & 0xFFFFL) << 32
        | (bits[first + 3] >>> shift & 0xFFFFL) << 48;
  }

  /** Transposes each block of four by four bits in four rows of 16. */
  private static long transposeBlocks(long rows) {
    long swapped = ((rows >>> 30) ^ rows) & 0x00000000CCCCCCCCL;
    final long pairs = rows ^ swapped ^ swapped << 30;
    swapped = ((pairs >>> 15) ^ pairs) & 0x0000AAAA0000AAAAL;
    return pairs ^ swapped ^ swapped << 15;
  }
}
