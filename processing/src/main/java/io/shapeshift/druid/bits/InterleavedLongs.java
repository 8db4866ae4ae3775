// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * {@link InterleavedPacking} in words of 64 bits. The values are rows of {@code lanes} values each. Each lane has words
 * of its own, in which row r takes the bits from {@code r * width} on, counted from the lowest bit of the lane's first
 * word. The first words of all lanes stand side by side, then all second words.
 *
 * <p>What is read from it are longs: to make longs of ints takes C2 of Java 17 as long as all the rest, as it
 * vectorises no loop over arrays of two types.
 */
public final class InterleavedLongs {
  /** The most bits of a value. */
  public static final int MAX_WIDTH = 63;

  /** Values of the shortest chunk in which no word is filled up. */
  private static final int LEAST_FULL = 1 << 10;
  private static final int MAX_LOG_LANES = 9;
  /** Of chunks that are no power of two, which the end of a column may have: few lanes leave few bits unused. */
  private static final int MAX_LOG_LANES_OF_ODD = 4;

  private InterleavedLongs() {}

  /**
   * Base 2 logarithm of the number of lanes: as many, up to 512, as leave no bit of any word unused, if the values are
   * a power of two from 1,024 on; otherwise up to 16, one for each 64 values.
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
   * Words of eight bytes for {@code numValues} values.
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

  /** Mask of the lowest {@code width} bits; the width is 1 or more. */
  public static long mask(int width) {
    return -1L >>> (Long.SIZE - width);
  }

  /**
   * Appends the values.
   *
   * @param values the first {@code numValues} of them, each of no more than {@code width} bits
   * @param width  0 to {@value #MAX_WIDTH}
   * @param words  room for {@link #numWords}
   * @param out    in its byte order
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
   * One value.
   *
   * @param in       where the words are
   * @param start    position of the first word
   * @param logLanes base 2 logarithm of the number of lanes
   * @param index    of the value
   */
  public static long get(RawBytes in, int start, int logLanes, int width, long mask, int index) {
    final int bit = (index >>> logLanes) * width;
    final int word = (bit >>> 6 << logLanes) + (index & ((1 << logLanes) - 1));
    final int shift = bit & 63;
    // As in InterleavedPacking without a branch.
    final int next = shift + width <= Long.SIZE ? word : word + (1 << logLanes);
    final long low = in.getLong(start + Long.BYTES * word) >>> shift;
    return (low | (in.getLong(start + Long.BYTES * next) << -shift)) & mask;
  }

  /**
   * Reads the values at some positions, finding each row only once for all positions in it that follow each other.
   *
   * @param base    what is added to each
   * @param out     where they go, at the same places as their positions in {@code indexes}
   * @param indexes positions
   * @param from    the first that counts
   * @param to      end index, exclusive
   * @param less    what is taken off each position
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

  /** Reads up to the first position that is not in the row, and says which that is. */
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
   * Reads some values of one row.
   *
   * @param row     the row
   * @param lane    the first of them within the row
   * @param base    what is added to each
   * @param out     where they go, from {@code offset} on
   * @param length  at most the lanes that the row has left
   * @param scratch room for {@code length} longs, and better for {@code offset + length}
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
      // At the same index as in the output, if there is room, as only so the loop is vectorised.
      final int at = offset + length <= scratch.length ? offset : 0;
      in.getLongs(start + Long.BYTES * (word + (1 << logLanes)), scratch, at, length);
      if (at == offset) {
        combine(out, offset, length, scratch, shift, mask, base);
      } else {
        combineFromStart(out, offset, length, scratch, shift, mask, base);
      }
    }
  }

  // Each loop is a method of its own, small enough for C2 to see nothing else in it.

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
