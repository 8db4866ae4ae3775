// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.util.Arrays;

/**
 * Comparison of a chunk's numbers with a range, in rows of {@value #LENGTH}. The result has one bit per number: number
 * i is bit {@code i & 63} of word {@code i >> 6}. Longs, doubles and floats are passed as raw bits. Ranges of doubles
 * and floats are sortable bits: the raw bits, with all except the sign inverted if the sign is set.
 *
 * <p>As in {@link InterleavedMatches}, each row adds a bit to an accumulator per lane, without a branch, in loops that
 * C2 vectorises. The accumulators are transposed after the last row. Not thread-safe.
 */
public final class RowMatches {
  /** Numbers in a row. */
  public static final int LENGTH = 512;

  private static final int WORDS = LENGTH / Long.SIZE;

  private final long[] found = new long[LENGTH];
  private final int[] foundFloats = new int[LENGTH];
  private final long[] block = new long[Long.SIZE];

  /** Allocates the accumulators. */
  public RowMatches() {}

  // In each loop the borrow of a subtraction shows whether a number is out of range (Hacker's Delight, 2-13). A number
  // is in range if (sortable bits - start) is, as an unsigned number, not greater than (end - start).

  /** Removes all rows. */
  public void start() {
    Arrays.fill(found, 0);
    Arrays.fill(foundFloats, 0);
  }

  /** Compares the longs of a row with a range, both ends inclusive. */
  public void addLongs(long[] values, int row, long from, long to) {
    addLongs(values, found, row, from, to - from);
  }

  private static void addLongs(long[] values, long[] found, int row, long from, long span) {
    for (int i = 0; i < LENGTH; i++) {
      final long above = values[i] - from;
      found[i] |= (~((~span & above) | ((~span | above) & (span - above))) >>> 63) << row;
    }
  }

  /** Compares the doubles of a row, given as raw bits, with a range of sortable bits. */
  public void addDoubles(long[] bits, int row, long from, long to) {
    addDoubles(bits, found, row, from, to - from);
  }

  private static void addDoubles(long[] bits, long[] found, int row, long from, long span) {
    for (int i = 0; i < LENGTH; i++) {
      final long above = (bits[i] ^ bits[i] >> 63 >>> 1) - from;
      found[i] |= (~((~span & above) | ((~span | above) & (span - above))) >>> 63) << row;
    }
  }

  /** Compares the floats of a row, given as raw bits, with a range of sortable bits. */
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
   * Writes the bits of all rows that were compared.
   *
   * @param numValues number of values in all rows; the last row may be shorter
   * @param out       receives the bits, which are added to those already set
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
