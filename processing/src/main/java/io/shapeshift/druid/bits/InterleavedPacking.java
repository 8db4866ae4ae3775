// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Ints of a fixed width in bits, packed so that neighbours lie in different words: n values are rows of {@code lanes}
 * values each; each lane has words of its own, in which row r takes the bits from {@code r * width} on, counted from
 * the lowest bit of the lane's first word; and the first words of all lanes stand side by side, then all second words.
 *
 * <p>Thus the values of one row are {@code lanes} words in a row, all shifted by the same number of bits: one bulk
 * copy, one shift and one mask read them, in a loop over a single array, the only kind that C2 vectorises on Java 17.
 * One value is one or two loads.
 */
public final class InterleavedPacking {
  /** Values of the shortest chunk that has a lane for each 32 values. */
  private static final int LEAST_FULL = 1 << 10;
  private static final int LOG_VALUES_PER_LANE = 5;
  /** Of chunks that are no power of two, which the end of a column may have: few lanes leave few bits unused. */
  private static final int LOG_LANES_OF_ODD = 4;
  /** What Druid reads at once. */
  private static final int VECTOR = 512;

  private InterleavedPacking() {}

  /**
   * Base 2 logarithm of the number of lanes: a 32nd of the values if they are a power of two from 1,024 to 16,384, 512
   * for larger powers of two, and 16 otherwise.
   */
  public static int logLanes(int numValues) {
    return numValues >= LEAST_FULL && Integer.bitCount(numValues) == 1
           ? Math.min(Integer.numberOfTrailingZeros(numValues) - LOG_VALUES_PER_LANE, 9)
           : LOG_LANES_OF_ODD;
  }

  /** The number of rows, of which the last may be shorter than the others. */
  public static int numRows(int numValues) {
    final int logLanes = logLanes(numValues);
    return (numValues + (1 << logLanes) - 1) >> logLanes;
  }

  /** Words of {@code numValues} values. */
  public static int numWords(int numValues, int width) {
    return numWords(numRows(numValues), width, 1 << logLanes(numValues));
  }

  /** Words of {@code rows} rows of {@code lanes} lanes. */
  public static int numWords(int numRows, int width, int lanes) {
    return (numRows * width + 31) / 32 * lanes;
  }

  /** The least width that holds a value taken as unsigned: 0 to 32. */
  public static int width(int value) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(value);
  }

  /** Mask of the lowest {@code width} bits. */
  public static int mask(int width) {
    return width == 0 ? 0 : -1 >>> (Integer.SIZE - width);
  }

  /**
   * Appends the values.
   *
   * @param values    the first {@code numValues} of them, each of no more than {@code width} bits
   * @param width     0 to 32
   * @param words     room for {@link #numWords}
   * @param out       in its byte order
   */
  public static void pack(int[] values, int numValues, int width, int[] words, ByteBuffer out) {
    pack(values, numValues, 1 << logLanes(numValues), width, words, out);
  }

  /** Appends the values in {@code lanes} lanes. */
  public static void pack(int[] values, int numValues, int lanes, int width, int[] words, ByteBuffer out) {
    if (width == 0) {
      return;
    }
    final int numWords = numWords((numValues + lanes - 1) / lanes, width, lanes);
    Arrays.fill(words, 0, numWords, 0);
    int bit = 0;
    for (int start = 0; start < numValues; start += lanes) {
      final int count = Math.min(lanes, numValues - start);
      final int word = (bit >>> 5) * lanes;
      final int shift = bit & 31;
      for (int i = 0; i < count; i++) {
        words[word + i] |= values[start + i] << shift;
      }
      if (shift + width > Integer.SIZE) {
        final int next = word + lanes;
        for (int i = 0; i < count; i++) {
          words[next + i] |= values[start + i] >>> (Integer.SIZE - shift);
        }
      }
      bit += width;
    }
    out.asIntBuffer().put(words, 0, numWords);
    out.position(out.position() + numWords * Integer.BYTES);
  }

  /**
   * One value.
   *
   * @param in       where the words are
   * @param start    position of the first word
   * @param logLanes base 2 logarithm of the number of lanes
   * @param index    of the value
   */
  public static int get(RawBytes in, int start, int logLanes, int width, int mask, int index) {
    final int bit = (index >>> logLanes) * width;
    final int word = (bit >>> 5 << logLanes) + (index & ((1 << logLanes) - 1));
    final int shift = bit & 31;
    // Both words without a branch, which no processor could predict: where the value lies in one word, the other is the
    // same, and what it adds is masked out.
    final int next = shift + width <= Integer.SIZE ? word : word + (1 << logLanes);
    final int low = in.getInt(start + Integer.BYTES * word) >>> shift;
    return (low | (in.getInt(start + Integer.BYTES * next) << -shift)) & mask;
  }

  /**
   * Reads the values at some positions.
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
      int base,
      int[] out,
      int[] indexes,
      int from,
      int to,
      int less
  ) {
    final int mask = mask(width);
    for (int i = from; i < to; i++) {
      out[i] = get(in, start, logLanes, width, mask, indexes[i] - less) + base;
    }
  }

  /**
   * Reads the values at some positions like {@link #gather}, but finds each row only once for all positions in it that
   * follow each other: faster from a few positions per row on.
   */
  public static void gatherByRow(
      RawBytes in,
      int start,
      int logLanes,
      int width,
      int base,
      int[] out,
      int[] indexes,
      int from,
      int to,
      int less
  ) {
    final int mask = mask(width);
    int i = from;
    while (i < to) {
      final int row = (indexes[i] - less) >>> logLanes;
      final int rowStart = less + (row << logLanes);
      final int bit = row * width;
      final int shift = bit & 31;
      final int words = start + Integer.BYTES * (bit >>> 5 << logLanes);
      i = shift + width <= Integer.SIZE
          ? gatherRow(in, words, 1 << logLanes, shift, mask, base, out, indexes, i, to, rowStart)
          : gatherStraddlingRow(in, words, 1 << logLanes, shift, mask, base, out, indexes, i, to, rowStart);
    }
  }

  /** Reads up to the first position that is not in the row, and says which that is. */
  private static int gatherRow(
      RawBytes in,
      int words,
      int lanes,
      int shift,
      int mask,
      int base,
      int[] out,
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
      out[i++] = (in.getInt(words + Integer.BYTES * lane) >>> shift & mask) + base;
    }
    return i;
  }

  private static int gatherStraddlingRow(
      RawBytes in,
      int lowWords,
      int lanes,
      int shift,
      int mask,
      int base,
      int[] out,
      int[] indexes,
      int from,
      int to,
      int rowStart
  ) {
    final int highWords = lowWords + Integer.BYTES * lanes;
    int i = from;
    while (i < to) {
      final int lane = indexes[i] - rowStart;
      if (Integer.compareUnsigned(lane, lanes) >= 0) {
        break;
      }
      final int at = Integer.BYTES * lane;
      out[i++] = ((in.getInt(lowWords + at) >>> shift | in.getInt(highWords + at) << -shift) & mask) + base;
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
   * @param scratch room for {@code length} ints, and better for {@code offset + length}
   */
  public static void unpack(
      RawBytes in,
      int start,
      int logLanes,
      int width,
      int row,
      int lane,
      int base,
      int[] out,
      int offset,
      int length,
      int[] scratch
  ) {
    final int bit = row * width;
    final int word = (bit >>> 5 << logLanes) + lane;
    final int shift = bit & 31;
    final int mask = mask(width);
    in.getInts(start + Integer.BYTES * word, out, offset, length);
    if (shift + width <= Integer.SIZE) {
      if (offset == 0 && length == VECTOR) {
        shiftVector(out, shift, mask, base);
      } else {
        shift(out, offset, length, shift, mask, base);
      }
    } else {
      // At the same index as in the output, if there is room, as only so the loop is vectorised.
      final int at = offset + length <= scratch.length ? offset : 0;
      in.getInts(start + Integer.BYTES * (word + (1 << logLanes)), scratch, at, length);
      if (offset == 0 && length == VECTOR) {
        combineVector(out, scratch, shift, mask, base);
      } else if (at == offset) {
        combine(out, offset, length, scratch, shift, mask, base);
      } else {
        combineFromStart(out, offset, length, scratch, shift, mask, base);
      }
    }
  }

  // Each loop is a method of its own, small enough for C2 to see nothing else in it.

  private static void shiftVector(int[] out, int shift, int mask, int base) {
    for (int i = 0; i < VECTOR; i++) {
      out[i] = (out[i] >>> shift & mask) + base;
    }
  }

  private static void shift(int[] out, int offset, int length, int shift, int mask, int base) {
    for (int i = offset; i < offset + length; i++) {
      out[i] = (out[i] >>> shift & mask) + base;
    }
  }

  private static void combineVector(int[] out, int[] high, int shift, int mask, int base) {
    for (int i = 0; i < VECTOR; i++) {
      out[i] = ((out[i] >>> shift | high[i] << -shift) & mask) + base;
    }
  }

  private static void combine(int[] out, int offset, int length, int[] high, int shift, int mask, int base) {
    for (int i = offset; i < offset + length; i++) {
      out[i] = ((out[i] >>> shift | high[i] << -shift) & mask) + base;
    }
  }

  private static void combineFromStart(
      int[] out,
      int offset,
      int length,
      int[] high,
      int shift,
      int mask,
      int base
  ) {
    for (int i = 0; i < length; i++) {
      out[offset + i] = ((out[offset + i] >>> shift | high[i] << -shift) & mask) + base;
    }
  }
}
