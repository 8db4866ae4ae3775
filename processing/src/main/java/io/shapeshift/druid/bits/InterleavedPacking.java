// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Bit packing of ints with neighbours in different words (vertical bit packing). The values form rows of {@code lanes}
 * values each. Each lane has its own words: the value in row r starts at bit {@code r * width}, counted from the lowest
 * bit of the lane's first word. The first words of all lanes are stored side by side, then all second words, and so on.
 *
 * <p>The values of one row are therefore in {@code lanes} consecutive words, all shifted by the same number of bits.
 * One bulk copy, one shift and one mask read them, in a loop over a single array, which is the only kind that C2 of
 * Java 17 vectorises. Reading one value loads one or two words.
 */
public final class InterleavedPacking {
  /** Smallest number of values with one lane for each 32 values. */
  private static final int LEAST_FULL = 1 << 10;
  private static final int LOG_VALUES_PER_LANE = 5;
  /**
   * Base 2 logarithm of the lanes if the number of values is not a power of two, as in a column's last chunk. Few lanes
   * leave few unused bits.
   */
  private static final int LOG_LANES_OF_ODD = 4;
  /** Number of values that Druid reads at once. */
  private static final int VECTOR = 512;

  private InterleavedPacking() {}

  /**
   * Returns the base 2 logarithm of the number of lanes. A power of two from 1,024 to 16,384 values has one lane for
   * each 32 values, a larger power of two has 512 lanes, and any other number has 16.
   */
  public static int logLanes(int numValues) {
    return numValues >= LEAST_FULL && Integer.bitCount(numValues) == 1
           ? Math.min(Integer.numberOfTrailingZeros(numValues) - LOG_VALUES_PER_LANE, 9)
           : LOG_LANES_OF_ODD;
  }

  /** Returns the number of rows; the last may be shorter than the others. */
  public static int numRows(int numValues) {
    final int logLanes = logLanes(numValues);
    return (numValues + (1 << logLanes) - 1) >> logLanes;
  }

  /** Returns the number of words that hold {@code numValues} values. */
  public static int numWords(int numValues, int width) {
    return numWords(numRows(numValues), width, 1 << logLanes(numValues));
  }

  /** Returns the number of words that hold {@code numRows} rows of {@code lanes} lanes. */
  public static int numWords(int numRows, int width, int lanes) {
    return (numRows * width + 31) / 32 * lanes;
  }

  /** Returns the smallest width that holds the value as an unsigned int: 0 to 32. */
  public static int width(int value) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(value);
  }

  /** Returns a mask of the lowest {@code width} bits. */
  public static int mask(int width) {
    return width == 0 ? 0 : -1 >>> (Integer.SIZE - width);
  }

  /**
   * Appends the values.
   *
   * @param values    the first {@code numValues} are packed; each fits {@code width} bits
   * @param width     0 to 32
   * @param words     scratch space for {@link #numWords} words
   * @param out       receives the words, in its own byte order
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
   * Returns one value.
   *
   * @param in       bytes that hold the words
   * @param start    position of the first word
   * @param logLanes base 2 logarithm of the number of lanes
   * @param index    index of the value
   */
  public static int get(RawBytes in, int start, int logLanes, int width, int mask, int index) {
    final int bit = (index >>> logLanes) * width;
    final int word = (bit >>> 5 << logLanes) + (index & ((1 << logLanes) - 1));
    final int shift = bit & 31;
    // Loads both words without a branch, which no processor could predict. If the value is in one word, both loads are
    // the same and the second is masked out.
    final int next = shift + width <= Integer.SIZE ? word : word + (1 << logLanes);
    final int low = in.getInt(start + Integer.BYTES * word) >>> shift;
    return (low | (in.getInt(start + Integer.BYTES * next) << -shift)) & mask;
  }

  /**
   * Reads the values at given positions.
   *
   * @param base    added to each value
   * @param out     receives the values, at the indexes that their positions have in {@code indexes}
   * @param indexes positions
   * @param from    first index into {@code indexes}
   * @param to      end index, exclusive
   * @param less    subtracted from each position
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
   * Reads the values at given positions like {@link #gather}, but consecutive positions in the same row share the work
   * of locating the row. This is faster from a few positions per row on.
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

  /** Reads values until a position is outside the row, and returns the index of that position. */
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
   * Reads consecutive values of one row.
   *
   * @param row     the row
   * @param lane    first lane
   * @param base    added to each value
   * @param out     receives the values from {@code offset}
   * @param length  number of values; at most the lanes that remain in the row
   * @param scratch scratch space for {@code length} ints; {@code offset + length} ints are faster
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
      // Use the output's index if there is room: C2 vectorises the loop only if both indexes are the same.
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

  // Each loop is a method of its own, so that C2 compiles it alone.

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
