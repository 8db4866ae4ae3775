// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import io.shapeshift.druid.cost.CostModel;
import java.util.Arrays;

/**
 * Comparison of packed values without unpacking, in {@link InterleavedPacking} or {@link InterleavedLongs}. The result
 * has one bit per value: value i is bit {@code i & 63} of word {@code i >> 6}.
 *
 * <p>One loop over the words of all lanes compares the values of a row and adds the row's bit to an accumulator per
 * lane. C2 vectorises this loop where the accumulators are as wide as the words. After the last row the accumulators
 * are transposed, which brings the bits of each row side by side. This works only for chunks whose lanes are all full,
 * and whose number of values is a power of two. Not thread-safe.
 */
public final class InterleavedMatches {
  /** Smallest number of values with which all lanes are full. */
  public static final int LEAST_VALUES = 1 << 10;
  /** Greatest number of values with one lane for each 32 values. */
  public static final int MOST_VALUES = 1 << 14;
  /** Greatest number of parts with bounds of their own. */
  public static final int MOST_PARTS = Long.SIZE;

  private static final int MOST_LANES = 512;
  private static final long LOW = 0xFFFF_FFFFL;

  private long[] longs = new long[0];
  private long[] nextLongs = longs;
  private long[] longsOutside = longs;
  private int[] ints = new int[0];
  private int[] nextInts = ints;
  private int[] intsOutside = ints;
  private final long[] block = new long[Long.SIZE];

  /** Smallest wanted value of each part; greater than {@link #to} if the part has none. */
  public final int[] from = new int[MOST_PARTS];
  /** Greatest wanted value of each part. */
  public final int[] to = new int[MOST_PARTS];

  /** Allocates the accumulators and bounds. */
  public InterleavedMatches() {}

  /** Returns whether all lanes of a chunk of {@code numValues} values are full. */
  public static boolean areFull(int numValues) {
    return numValues >= LEAST_VALUES && numValues <= MOST_VALUES && Integer.bitCount(numValues) == 1;
  }

  /** Sets the bounds of a part: values from {@code least} to {@code greatest} match. */
  public void setBounds(int part, long least, long greatest, int mask) {
    if (greatest < 0 || least > mask || greatest < least) {
      from[part] = 1;
      to[part] = 0;
    } else {
      from[part] = (int) Math.max(0, least);
      to[part] = (int) Math.min(greatest, mask);
    }
  }

  /**
   * Finds the values within bounds in {@link InterleavedPacking}.
   *
   * @param start     position of the first word
   * @param numValues number of values; all their lanes {@link #areFull}
   * @param width     1 to 31
   * @param logPart   base 2 logarithm of the number of values in a part; a part has at most one row
   * @param out       receives the bits, which are added to those already set
   */
  public void findInts(RawBytes in, int start, int numValues, int width, int logPart, long[] out) {
    if (ints.length == 0) {
      ints = new int[MOST_LANES];
      nextInts = new int[MOST_LANES];
      intsOutside = new int[MOST_LANES];
    }
    final int logLanes = InterleavedPacking.logLanes(numValues);
    final int lanes = 1 << logLanes;
    Arrays.fill(intsOutside, 0, lanes, 0);
    in.getInts(start, ints, 0, lanes);
    int word = 0;
    for (int row = 0; row < Integer.SIZE; row++) {
      final int bit = row * width;
      if (bit >>> 5 > word) {
        word++;
        final int[] former = ints;
        ints = nextInts;
        nextInts = former;
        if ((bit & 31) == 0) {
          in.getInts(start + Integer.BYTES * (word << logLanes), ints, 0, lanes);
        }
      }
      final int shift = bit & 31;
      final boolean isStraddling = shift + width > Integer.SIZE;
      if (isStraddling) {
        in.getInts(start + Integer.BYTES * ((word + 1) << logLanes), nextInts, 0, lanes);
      }
      final int mask = InterleavedPacking.mask(width);
      for (int lane = 0; lane < lanes; lane += 1 << logPart) {
        final int part = ((row << logLanes) + lane) >>> logPart;
        if (isStraddling) {
          compare(ints, nextInts, intsOutside, lane, lane + (1 << logPart), shift, mask, from[part], to[part], row);
        } else {
          compare(ints, intsOutside, lane, lane + (1 << logPart), shift, mask, from[part], to[part], row);
        }
      }
    }
    if (hasAny(intsOutside, lanes)) {
      addInts(lanes, out);
    }
  }

  private static boolean hasAny(int[] outside, int lanes) {
    int all = -1;
    for (int i = 0; i < lanes; i++) {
      all &= outside[i];
    }
    return all != -1;
  }

  // Each loop is a method of its own, so that C2 compiles it alone. A value out of bounds makes the sign of a
  // difference negative; differences of 31-bit values do not overflow.

  private static void compare(
      int[] words,
      int[] outside,
      int start,
      int end,
      int shift,
      int mask,
      int from,
      int to,
      int row
  ) {
    for (int i = start; i < end; i++) {
      outside[i] |= ((((words[i] >>> shift & mask) - from) | (to - (words[i] >>> shift & mask))) >>> 31) << row;
    }
  }

  private static void compare(
      int[] words,
      int[] next,
      int[] outside,
      int start,
      int end,
      int shift,
      int mask,
      int from,
      int to,
      int row
  ) {
    for (int i = start; i < end; i++) {
      final int value = (words[i] >>> shift | next[i] << -shift) & mask;
      outside[i] |= (((value - from) | (to - value)) >>> 31) << row;
    }
  }

  /** Adds the bits of 32-bit accumulators: two lanes that are 32 apart are transposed side by side. */
  private void addInts(int lanes, long[] out) {
    final int size = Integer.SIZE;
    if (lanes < Long.SIZE) {
      for (int i = 0; i < size; i++) {
        block[i] = ~intsOutside[i] & LOW;
      }
      BitMatrix.transpose(block, size);
      for (int i = 0; i < size; i += 2) {
        out[i >> 1] |= (block[i] & LOW) | block[i + 1] << size;
      }
      return;
    }
    for (int lane = 0; lane < lanes; lane += Long.SIZE) {
      for (int i = 0; i < size; i++) {
        block[i] = (~intsOutside[lane + i] & LOW) | (long) ~intsOutside[lane + size + i] << size;
      }
      BitMatrix.transpose(block, size);
      for (int row = 0; row < size; row++) {
        out[(row * lanes + lane) >> 6] |= block[row];
      }
    }
  }

  /**
   * Finds the values within bounds in {@link InterleavedLongs}; the parameters are those of {@link #findInts}.
   *
   * @param width 1 to 31
   */
  public void findLongs(RawBytes in, int start, int numValues, int width, int logPart, long[] out) {
    final int logLanes = InterleavedLongs.logLanes(numValues, width);
    final int lanes = 1 << logLanes;
    final int rows = numValues >>> logLanes;
    startLongs(lanes);
    for (int row = 0; row < rows; row++) {
      final boolean isStraddling = readRow(in, start, row, width, lanes);
      final int shift = row * width & 63;
      final long mask = InterleavedLongs.mask(width);
      for (int lane = 0; lane < lanes; lane += 1 << logPart) {
        final int part = ((row << logLanes) + lane) >>> logPart;
        if (isStraddling) {
          compare(longs, nextLongs, longsOutside, lane, lane + (1 << logPart), shift, mask, from[part], to[part], row);
        } else {
          compare(longs, longsOutside, lane, lane + (1 << logPart), shift, mask, from[part], to[part], row);
        }
      }
    }
    if (!hasAny(longsOutside, lanes, -1L >>> -rows)) {
      return;
    }
    if (lanes < Long.SIZE) {
      addFewLanes(lanes, rows, out);
    } else {
      addLanes(lanes, rows, out);
    }
  }

  private void startLongs(int lanes) {
    if (longs.length == 0) {
      longs = new long[MOST_LANES];
      nextLongs = new long[MOST_LANES];
      longsOutside = new long[MOST_LANES];
    }
    Arrays.fill(longsOutside, 0, lanes, 0);
  }

  /**
   * Reads the words in which a row's values start, and the next words if values straddle both. Returns whether they
   * straddle.
   */
  private boolean readRow(RawBytes in, int start, int row, int width, int lanes) {
    final int shift = row * width & 63;
    final int words = start + Long.BYTES * ((row * width) >>> 6) * lanes;
    if (shift < width) {
      // This is the first row that starts in these words; values of the row before may straddle into them.
      final long[] former = longs;
      longs = nextLongs;
      nextLongs = former;
      if (shift == 0) {
        in.getLongs(words, longs, 0, lanes);
      }
    }
    final boolean isStraddling = shift + width > Long.SIZE;
    if (isStraddling) {
      in.getLongs(words + Long.BYTES * lanes, nextLongs, 0, lanes);
    }
    return isStraddling;
  }

  /**
   * Finds one value in {@link InterleavedLongs}; faster than a range if few lanes have the value. All values of a word
   * are compared at once, in a third of the time that it takes to locate a match. Matches are located only in lanes
   * that may have one; one lane without the value is searched per {@code 2^width} values.
   *
   * <p>Let x be a word XOR a word that has the value in every field. Then {@code (x - ones) & ~x} has the highest bit
   * of each field that is 0. If there is such a field, it may also have the highest bit of a field above it that is 1
   * (Henry S. Warren, Hacker's Delight, 6-1). A value that straddles two words is two fields, and both must be 0.
   *
   * @param start     position of the first word
   * @param numValues number of values; all their lanes {@link #areFull}
   * @param width     1 to 31
   * @param value     wanted value, of at most {@code width} bits
   * @param out       receives the bits, which are added to those already set
   * @return whether any lane may have the value
   */
  public boolean findLong(RawBytes in, int start, int numValues, int width, long value, long[] out) {
    final int logLanes = InterleavedLongs.logLanes(numValues, width);
    final int lanes = 1 << logLanes;
    startLongs(lanes);
    final int numWords = ((numValues >>> logLanes) * width) >>> 6;
    for (int word = 0; word < numWords; word++) {
      in.getLongs(start + Long.BYTES * word * lanes, longs, 0, lanes);
      // Bits of the straddling value that are in the previous word; the rest are in this one.
      final int before = Long.SIZE * word % width;
      final int rest = before == 0 ? 0 : width - before;
      long pattern = before == 0 ? 0 : value >>> before;
      long ones = before == 0 ? 0 : 1;
      long ends = 0;
      for (int bit = rest; bit < Long.SIZE; bit += width) {
        pattern |= value << bit;
        ones |= 1L << bit;
        ends |= bit + width <= Long.SIZE ? 1L << (bit + width - 1) : 0;
      }
      final long endOfRest = before == 0 ? 0 : 1L << (rest - 1);
      addZeros(longs, nextLongs, longsOutside, lanes, pattern, ones, ends, Long.SIZE - rest, endOfRest);
    }
    final int found = numWithAny(longsOutside, lanes);
    if (found * CostModel.Reads.LANES_PER_FOUND > lanes) {
      for (int row = 0; row < numValues >>> logLanes; row++) {
        from[row] = (int) value;
        to[row] = (int) value;
      }
      findLongs(in, start, numValues, width, logLanes, out);
    } else if (found > 0) {
      findInLanes(in, start, numValues, width, value, out);
    }
    return found > 0;
  }

  /** Locates the value in the lanes that may have it. */
  private void findInLanes(RawBytes in, int start, int numValues, int width, long value, long[] out) {
    final int logLanes = InterleavedLongs.logLanes(numValues, width);
    final long mask = InterleavedLongs.mask(width);
    for (int lane = 0; lane < 1 << logLanes; lane++) {
      if (longsOutside[lane] != 0) {
        for (int index = lane; index < numValues; index += 1 << logLanes) {
          final long isFound = InterleavedLongs.get(in, start, logLanes, width, mask, index) == value ? 1 : 0;
          out[index >>> 6] |= isFound << index;
        }
      }
    }
  }

  private static void addZeros(
      long[] words,
      long[] zeros,
      long[] found,
      int lanes,
      long pattern,
      long ones,
      long ends,
      int toRest,
      long endOfRest
  ) {
    for (int i = 0; i < lanes; i++) {
      final long different = words[i] ^ pattern;
      final long zero = (different - ones) & ~different;
      found[i] |= zero & (ends | (zeros[i] >>> toRest & endOfRest));
      zeros[i] = zero;
    }
  }

  private static int numWithAny(long[] found, int lanes) {
    int count = 0;
    for (int i = 0; i < lanes; i++) {
      count += found[i] != 0 ? 1 : 0;
    }
    return count;
  }

  private static boolean hasAny(long[] outside, int lanes, long rows) {
    long all = rows;
    for (int i = 0; i < lanes; i++) {
      all &= outside[i];
    }
    return all != rows;
  }

  private static void compare(
      long[] words,
      long[] outside,
      int start,
      int end,
      int shift,
      long mask,
      long from,
      long to,
      int row
  ) {
    for (int i = start; i < end; i++) {
      outside[i] |= ((((words[i] >>> shift & mask) - from) | (to - (words[i] >>> shift & mask))) >>> 63) << row;
    }
  }

  private static void compare(
      long[] words,
      long[] next,
      long[] outside,
      int start,
      int end,
      int shift,
      long mask,
      long from,
      long to,
      int row
  ) {
    for (int i = start; i < end; i++) {
      final long value = (words[i] >>> shift | next[i] << -shift) & mask;
      outside[i] |= (((value - from) | (to - value)) >>> 63) << row;
    }
  }

  /** Adds the bits of accumulators that are as wide as the number of rows; 64 lanes are transposed side by side. */
  private void addLanes(int lanes, int rows, long[] out) {
    for (int lane = 0; lane < lanes; lane += Long.SIZE) {
      BitMatrix.pack(longsOutside, lane, rows, block);
      BitMatrix.transpose(block, rows);
      for (int row = 0; row < rows; row++) {
        out[(row * lanes + lane) >> 6] |= ~block[row];
      }
    }
  }

  /** Adds the bits of fewer lanes than a word has bits, in blocks of as many rows as lanes. */
  private void addFewLanes(int lanes, int rows, long[] out) {
    for (int lane = 0; lane < lanes; lane++) {
      block[lane] = ~longsOutside[lane];
    }
    BitMatrix.transpose(block, lanes);
    final long mask = -1L >>> -lanes;
    for (int row = 0; row < rows; row++) {
      final int at = row * lanes;
      out[at >> 6] |= (block[row & lanes - 1] >>> (row & -lanes) & mask) << at;
    }
  }
}
