// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * {@link InterleavedPacking} with words of 64 bits. The values form rows of {@code lanes} values each. Each lane has
 * its own words: the value in row r starts at bit {@code r * width}, counted from the lowest bit of the lane's first
 * word. The first words of all lanes are stored side by side, then all second words, and so on.
 *
 * <p>Values are read as longs. C2 of Java 17 does not vectorise loops over arrays of two types, so converting longs to
 * ints would take as long as all the rest.
 */
public final class InterleavedLongs {
  /** Greatest width of a value in bits. */
  public static final int MAX_WIDTH = 63;

  /** Smallest number of values whose lanes fill all words. */
  private static final int LEAST_FULL = 1 << 10;
  private static final int MAX_LOG_LANES = 9;
  /**
   * Base 2 logarithm of the most lanes if the number of values is not a power of two, as in a column's last chunk. Few
   * lanes leave few unused bits.
   */
  private static final int MAX_LOG_LANES_OF_ODD = 4;

  private InterleavedLongs() {}

  /**
   * Returns the base 2 logarithm of the number of lanes. If the number of values is a power of two and at least 1,024,
   * this is the most lanes, up to 512, that leave no bit of a word unused. Otherwise there is one lane for each 64
   * values, up to 16 lanes.
   *
   * @param width 1 to {@value #MAX_WIDTH}
   */
  public static int logLanes(int numValues, int width) {
    final int logValues = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(numValues);
    return numValues >= LEAST_FULL && Integer.bitCount(numValues) == 1
           ? Math.min(logValues - 6 + Integer.numberOfTrailingZeros(width), MAX_LOG_LANES)
           : Math.min(Math.max(0, logValues - 6), MAX_LOG_LANES_OF_ODD);
  }

  /**
   * Returns the number of 64-bit words that hold {@code numValues} values.
   *
   * @param width 0 to {@value #MAX_WIDTH}
   */
  public static int numWords(int numValues, int width) {
    if (width == 0) {
      return 0;
    }
    final int logLanes = logLanes(numValues, width);
    final int numRows = (numValues + (1 << logLanes) - 1) >> logLanes;
    return (numRows * width + Long.SIZE - 1) >>> 6 << logLanes;
  }

  /** Returns a mask of the lowest {@code width} bits; the width is at least 1. */
  public static long mask(int width) {
    return -1L >>> (Long.SIZE - width);
  }

  /**
   * Appends the values.
   *
   * @param values the first {@code numValues} are packed; each fits {@code width} bits
   * @param width  0 to {@value #MAX_WIDTH}
   * @param words  scratch space for {@link #numWords} words
   * @param out    receives the words, in its own byte order
   */
  public static void pack(long[] values, int numValues, int width, long[] words, ByteBuffer out) {
    if (width == 0) {
      return;
    }
    final int logLanes = logLanes(numValues, width);
    final int numWords = numWords(numValues, width);
    Arrays.fill(words, 0, numWords, 0);
    int bit = 0;
    for (int start = 0; start < numValues; start += 1 << logLanes) {
      final int count = Math.min(1 << logLanes, numValues - start);
      final int word = bit >>> 6 << logLanes;
      final int shift = bit & 63;
      for (int i = 0; i < count; i++) {
        words[word + i] |= values[start + i] << shift;
      }
      if (shift + width > Long.SIZE) {
        final int next = word + (1 << logLanes);
        for (int i = 0; i < count; i++) {
          words[next + i] |= values[start + i] >>> (Long.SIZE - shift);
        }
      }
      bit += width;
    }
    out.asLongBuffer().put(words, 0, numWords);
    out.position(out.position() + numWords * Long.BYTES);
  }

  /**
   * Returns one value.
   *
   * @param in       bytes that hold the words
   * @param start    position of the first word
   * @param logLanes base 2 logarithm of the number of lanes
   * @param index    index of the value
   */
  public static long get(RawBytes in, int start, int logLanes, int width, long mask, int index) {
    final int bit = (index >>> logLanes) * width;
    final int word = (bit >>> 6 << logLanes) + (index & ((1 << logLanes) - 1));
    final int shift = bit & 63;
    // Loads both words without a branch, as InterleavedPacking does.
    final int next = shift + width <= Long.SIZE ? word : word + (1 << logLanes);
    final long low = in.getLong(start + Long.BYTES * word) >>> shift;
    return (low | (in.getLong(start + Long.BYTES * next) << -shift)) & mask;
  }

  /**
   * Reads the values at given positions. Consecutive positions in the same row share the work of locating the row.
   *
   * @param base    added to each value
   * @param out     receives the values, at the indexes that their positions have in {@code indexes}
   * @param indexes positions, ascending
   * @param from    first index into {@code indexes}
   * @param to      end index, exclusive
   * @param less    subtracted from each position
   */
  public static void gather(
      RawBytes in,
      int start,
      int logLanes,
      int width,
      long base,
      long[] out,
      int[] indexes,
      int from,
      int to,
      int less
  ) {
    final long mask = mask(width);
    final int lanes = 1 << logLanes;
    int i = from;
    while (i < to) {
      final int row = (indexes[i] - less) >>> logLanes;
      final int rowStart = less + (row << logLanes);
      final int bit = row * width;
      final int shift = bit & 63;
      final int words = start + Long.BYTES * (bit >>> 6 << logLanes);
      i = shift + width <= Long.SIZE
          ? gatherRow(in, words, lanes, shift, mask, base, out, indexes, i, to, rowStart)
          : gatherStraddlingRow(in, words, lanes, shift, mask, base, out, indexes, i, to, rowStart);
    }
  }

  /** Reads values until a position is outside the row, and returns the index of that position. */
  private static int gatherRow(
      RawBytes in,
      int words,
      int lanes,
      int shift,
      long mask,
      long base,
      long[] out,
      int[] indexes,
      int from,
      int to,
      int rowStart
  ) {
    int i = from;
    while (i < to) {
      final int lane = indexes[i] - rowStart;
      if (Integer.compareUnsigned(lane, lanes) >= 0) {
        break;
      }
      out[i++] = (in.getLong(words + Long.BYTES * lane) >>> shift & mask) + base;
    }
    return i;
  }

  private static int gatherStraddlingRow(
      RawBytes in,
      int lowWords,
      int lanes,
      int shift,
      long mask,
      long base,
      long[] out,
      int[] indexes,
      int from,
      int to,
      int rowStart
  ) {
    final int highWords = lowWords + Long.BYTES * lanes;
    int i = from;
    while (i < to) {
      final int lane = indexes[i] - rowStart;
      if (Integer.compareUnsigned(lane, lanes) >= 0) {
        break;
      }
      final int at = Long.BYTES * lane;
      out[i++] = ((in.getLong(lowWords + at) >>> shift | in.getLong(highWords + at) << -shift) & mask) + base;
    }
    return i;
  }

  /**
   * Reads consecutive values of one row.
   *
   * @param row     the row
   * @param lane    first lane
   * @param base    added to each value
   * @param out     receives the values from {@code offset}
   * @param length  number of values; at most the lanes that remain in the row
   * @param scratch scratch space for {@code length} longs; {@code offset + length} longs are faster
   */
  public static void unpack(
      RawBytes in,
      int start,
      int logLanes,
      int width,
      int row,
      int lane,
      long base,
      long[] out,
      int offset,
      int length,
      long[] scratch
  ) {
    final int bit = row * width;
    final int word = (bit >>> 6 << logLanes) + lane;
    final int shift = bit & 63;
    final long mask = mask(width);
    in.getLongs(start + Long.BYTES * word, out, offset, length);
    if (shift + width <= Long.SIZE) {
      shift(out, offset, length, shift, mask, base);
    } else {
      // Use the output's index if there is room: C2 vectorises the loop only if both indexes are the same.
      final int at = offset + length <= scratch.length ? offset : 0;
      in.getLongs(start + Long.BYTES * (word + (1 << logLanes)), scratch, at, length);
      if (at == offset) {
        combine(out, offset, length, scratch, shift, mask, base);
      } else {
        combineFromStart(out, offset, length, scratch, shift, mask, base);
      }
    }
  }

  // Each loop is a method of its own, so that C2 compiles it alone.

  private static void shift(long[] out, int offset, int length, int shift, long mask, long base) {
    for (int i = offset; i < offset + length; i++) {
      out[i] = (out[i] >>> shift & mask) + base;
    }
  }

  private static void combine(long[] out, int offset, int length, long[] high, int shift, long mask, long base) {
    for (int i = offset; i < offset + length; i++) {
      out[i] = ((out[i] >>> shift | high[i] << -shift) & mask) + base;
    }
  }

  private static void combineFromStart(
      long[] out,
      int offset,
      int length,
      long[] high,
      int shift,
      long mask,
      long base
  ) {
    for (int i = 0; i < length; i++) {
      out[offset + i] = ((out[offset + i] >>> shift | high[i] << -shift) & mask) + base;
    }
  }
}
