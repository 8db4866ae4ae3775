// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.util.Arrays;

/** Bit sets of small numbers: number i is bit {@code i & 63} of word {@code i >> 6}. */
public final class BitRanges {
  private BitRanges() {}

  /** Sets the bits from {@code start} to {@code end}, exclusive. */
  public static void set(long[] words, int start, int end) {
    if (start >= end) {
      return;
    }
    final int first = start >>> 6;
    final int last = (end - 1) >>> 6;
    final long firstMask = -1L << start;
    final long lastMask = -1L >>> -end;
    if (first == last) {
      words[first] |= firstMask & lastMask;
      return;
    }
    words[first] |= firstMask;
    Arrays.fill(words, first + 1, last, -1L);
    words[last] |= lastMask;
  }

  /**
   * Lists the numbers in a word. They are written four at a time: the count is known in advance, so the only branch to
   * predict is the number of fours.
   *
   * @param word  a word of the set
   * @param first number of its lowest bit
   * @param out   receives the numbers from index {@code at}; up to three elements after the last are overwritten
   * @return index after the last number
   */
  public static int list(long word, int first, int[] out, int at) {
    final int count = Long.bitCount(word);
    long left = word;
    for (int i = at; i < at + count; i += 4) {
      out[i] = first + Long.numberOfTrailingZeros(left);
      left &= left - 1;
      out[i + 1] = first + Long.numberOfTrailingZeros(left);
      left &= left - 1;
      out[i + 2] = first + Long.numberOfTrailingZeros(left);
      left &= left - 1;
      out[i + 3] = first + Long.numberOfTrailingZeros(left);
      left &= left - 1;
    }
    return at + count;
  }

  /**
   * Adds the numbers of one set, each shifted by {@code start}, to another.
   *
   * @param set    the bits; bits after the last number are zero
   * @param length number of words in {@code set}
   * @param out    the set that receives the numbers
   * @param start  offset added to each number
   */
  public static void add(long[] set, int length, long[] out, int start) {
    final int at = start >>> 6;
    for (int i = 0; i < length; i++) {
      out[at + i] |= set[i] << start;
    }
    if ((start & Long.SIZE - 1) != 0) {
      for (int i = 0; i < length; i++) {
        final long carried = set[i] >>> -start;
        if (carried != 0) {
          out[at + i + 1] |= carried;
        }
      }
    }
  }
}
