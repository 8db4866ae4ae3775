// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

/**
 * Compares {@value #LENGTH} ints at once, and gives a bit for each: that of value i is bit {@code i & 63} of word
 * {@code i >> 6}.
 *
 * <p>Each comparison leaves 0 or 1 in an int, without a branch; then ints are folded onto each other, half onto half, so
 * that after five steps 16 ints hold a bit of each value, every 16th in one int; and those are transposed. All but the
 * last are loops over whole arrays that C2 vectorises. For one thread.
 */
public final class Matches {
  /** Ints that are compared at once. */
  public static final int LENGTH = 512;

  private static final int INTS = LENGTH / Integer.SIZE;

  private final int[] upper = new int[LENGTH / 2];

  /**
   * Finds the ints that are equal to another.
   *
   * @param values the first {@value #LENGTH}, from 0 on; changed
   * @param value  from 0 on
   * @param out    receives the bits, in the words from {@code at} on
   */
  public void equal(int[] values, int value, long[] out, int at) {
    // Only of equal values the difference less one is negative.
    compare(values, value);
    fold(values, out, at);
  }

  private static void compare(int[] values, int value) {
    for (int i = 0; i < LENGTH; i++) {
      values[i] = ((values[i] ^ value) - 1) >>> 31;
    }
  }

  /**
   * Finds the ints in a range.
   *
   * @param values the first {@value #LENGTH}, from 0 on; changed
   * @param from   the least, from 0 on
   * @param to     end, exclusive
   * @param out    receives the bits, in the words from {@code at} on
   */
  public void between(int[] values, int from, int to, long[] out, int at) {
    compare(values, from, to);
    fold(values, out, at);
  }

  private static void compare(int[] values, int from, int to) {
    for (int i = 0; i < LENGTH; i++) {
      values[i] = (~(values[i] - from) & (values[i] - to)) >>> 31;
    }
  }

  private void fold(int[] bits, long[] out, int at) {
    int shift = 1;
    for (int half = LENGTH / 2; half >= INTS; half /= 2) {
      // From an array of its own, as only a loop over plain indexes is vectorised.
      System.arraycopy(bits, half, upper, 0, half);
      fold(bits, upper, half, shift);
      shift *= 2;
    }
    transpose(bits, out, at);
  }

  private static void fold(int[] lower, int[] upper, int length, int shift) {
    for (int i = 0; i < length; i++) {
      lower[i] |= upper[i] << shift;
    }
  }

  /**
   * Int j holds every value i with {@code i & 15 == j}; which of them its bit p has is that of i >> 4 with its five bits
   * reversed.
   */
  private static void transpose(int[] bits, long[] out, int at) {
    // Swaps blocks of bits in pairs of ints, which makes of 16 ints of 32 bits 16 of which each holds 32 values in a row
    // but for the order of p.
    swap(bits, 8, 0x00FF00FF);
    swap(bits, 4, 0x0F0F0F0F);
    swap(bits, 2, 0x33333333);
    swap(bits, 1, 0x55555555);
    for (int word = 0; word < LENGTH / Long.SIZE; word++) {
      out[at + word] = part(bits, 4 * word) | part(bits, 4 * word + 1) << 16
          | part(bits, 4 * word + 2) << 32 | part(bits, 4 * word + 3) << 48;
    }
  }

  /** The 16 bits of the values 16 * row to 16 * row + 15. */
  private static long part(int[] bits, int row) {
    // Of 32 rows the low halves of the 16 ints hold those with an even p, the high halves the others.
    final int p = Integer.reverse(row) >>> 27;
    return bits[p & 15] >>> (p & 16) & 0xFFFFL;
  }

  private static void swap(int[] bits, int distance, int mask) {
    for (int block = 0; block < INTS; block += 2 * distance) {
      for (int i = block; i < block + distance; i++) {
        final int lower = bits[i];
        final int upper = bits[i + distance];
        final int different = ((lower >>> distance) ^ upper) & mask;
        bits[i + distance] = upper ^ different;
        bits[i] = lower ^ different << distance;
      }
    }
  }
}
