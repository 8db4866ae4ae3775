// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

/**
 * Compares {@value #LENGTH} longs at once, and gives a bit for each: that of value i is bit {@code i & 63} of word
 * {@code i >> 6}. What {@link Matches} is for ints, of longs of any sign.
 *
 * <p>Each comparison leaves 0 or 1 in a long, without a branch; then longs are folded onto each other, half onto half,
 * so that after six steps eight longs hold a bit of each value, every eighth in one long; and those are transposed. All
 * but the last are loops over whole arrays that C2 vectorises. For one thread.
 */
public final class LongMatches {
  /** Longs that are compared at once. */
  public static final int LENGTH = 512;

  private static final int WORDS = LENGTH / Long.SIZE;

  private final long[] bits = new long[LENGTH];
  private final long[] upper = new long[LENGTH / 2];
  private final long[] packed = new long[WORDS];

  /** Makes an object with arrays of its own. */
  public LongMatches() {}

  /**
   * Adds the longs of a range. A range whose end is below its start goes on from the largest long with the smallest.
   *
   * @param values the first {@value #LENGTH}, from 0 on
   * @param from   the least
   * @param to     the greatest, inclusive
   * @param out    receives the bits, in the words from {@code at} on, beside those that are set there
   */
  public void between(long[] values, long from, long to, long[] out, int at) {
    compare(values, bits, from, to - from);
    int shift = Long.SIZE / 2;
    for (int length = LENGTH / 2; length >= WORDS; length /= 2) {
      System.arraycopy(bits, length, upper, 0, length);
      fold(bits, upper, length, shift);
      shift /= 2;
    }
    BitMatrix.interleave(bits, packed);
    for (int i = 0; i < WORDS; i++) {
      out[at + i] |= ~packed[i];
    }
  }

  /** Leaves 0 where a value less {@code from} is at most {@code span}, both as unsigned, and 1 elsewhere. */
  private static void compare(long[] values, long[] bits, long from, long span) {
    for (int i = 0; i < LENGTH; i++) {
      final long above = values[i] - from;
      // The borrow of a subtraction (H. S. Warren, Hacker's Delight, 2-13).
      bits[i] = ((~span & above) | ((~span | above) & (span - above))) >>> 63;
    }
  }

  private static void fold(long[] lower, long[] upper, int length, int shift) {
    for (int i = 0; i < length; i++) {
      lower[i] |= upper[i] << shift;
    }
  }
}
