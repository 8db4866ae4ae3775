// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.util.Arrays;

/**
 * Compares numbers of a chunk by rows of {@value #LENGTH}, and gives a bit for each number in the end: that of number i
 * is bit {@code i & 63} of word {@code i >> 6}. Numbers are the bits of longs, doubles or floats, and what they are
 * compared with are sortable bits: those of the number, all but the sign inverted where that is set.
 *
 * <p>As in {@link InterleavedMatches} each row leaves a bit in an accumulator for each lane, without a branch, in loops
 * that C2 vectorises, and the accumulators are transposed when all rows are done. For one thread.
 */
public final class RowMatches {
  /** Numbers of a row. */
  public static final int LENGTH = 512;

  private static final int WORDS = LENGTH / Long.SIZE;

  private final long[] found = new long[LENGTH];
  private final int[] foundFloats = new int[LENGTH];
  private final long[] block = new long[Long.SIZE];

  /** Makes an object with arrays of its own. */
  public RowMatches() {}

  // In each loop the borrow of a subtraction tells what is out of range (H. S. Warren, Hacker's Delight, 2-13): the
  // sortable bits less the start of the range, as unsigned, are not above the end less the start.

  /** Forgets the numbers that were added. */
  public void start() {
    Arrays.fill(found, 0);
    Arrays.fill(foundFloats, 0);
  }

  /** Adds the longs of a row from one to another, inclusive. */
  public void addLongs(long[] values, int row, long from, long to) {
    addLongs(values, found, row, from, to - from);
  }

  private static void addLongs(long[] values, long[] found, int row, long from, long span) {
    for (int i = 0; i < LENGTH; i++) {
      final long above = values[i] - from;
      found[i] |= (~((~span & above) | ((~span | above) & (span - above))) >>> 63) << row;
    }
  }

  /** Adds the doubles of a row whose sortable bits are in a range; the doubles are given by their bits. */
  public void addDoubles(long[] bits, int row, long from, long to) {
    addDoubles(bits, found, row, from, to - from);
  }

  private static void addDoubles(long[] bits, long[] found, int row, long from, long span) {
    for (int i = 0; i < LENGTH; i++) {
      final long above = (bits[i] ^ bits[i] >> 63 >>> 1) - from;
      found[i] |= (~((~span & above) | ((~span | above) & (span - above))) >>> 63) << row;
    }
  }

  /** Adds the floats of a row whose sortable bits are in a range; the floats are given by their bits. */
  public void addFloats(int[] bits, int row, int from, int to) {
    addFloats(bits, foundFloats, row, from, to - from);
  }

  private static void addFloats(int[] bits, int[] found, int row, int from, int span) {
    for (int i = 0; i < LENGTH; i++) {
      final int above = (bits[i] ^ bits[i] >> 31 >>> 1) - from;
      found[i] |= (~((~span & above) | ((~span | above) & (span - above))) >>> 31) << row;
    }
  }

  /**
   * Puts the bits of all numbers that were added.
   *
   * @param numValues number of values; the last row may have fewer than the others
   * @param out       receives the bits, beside those that are set
   */
  public void finish(int numValues, long[] out) {
    for (int i = 0; i < LENGTH; i++) {
      found[i] |= foundFloats[i] & 0xFFFF_FFFFL;
    }
    final int rows = (numValues + LENGTH - 1) / LENGTH;
    final int size = rows == 1 ? 1 : Integer.highestOneBit(rows - 1) << 1;
    for (int word = 0; word < WORDS; word++) {
      BitMatrix.pack(found, word * Long.SIZE, size, block);
      BitMatrix.transpose(block, size);
      for (int row = 0; row < rows; row++) {
        final int left = numValues - row * LENGTH - word * Long.SIZE;
        if (left > 0) {
          out[row * WORDS + word] |= left < Long.SIZE ? block[row] & -1L >>> -left : block[row];
        }
      }
    }
  }
}
