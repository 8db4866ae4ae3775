// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Bits of the words of one value. The mode of the value tells how they are stored:
 *
 * <pre>
 * | mode         | bits                                                        |
 * |--------------|-------------------------------------------------------------|
 * | 0            | the words themselves                                        |
 * | 1            | the id of each word, in the width of the largest id         |
 * | 2 * runs     | Elias-Fano code of the ids; runs: number of runs in which they ascend |
 * | 2 * runs + 1 | Elias-Fano code of the words, less the least word of all    |
 * | 2^28 + bits  | the words' bytes in a {@link ByteCode}; bits: their number  |
 * </pre>
 * An Elias-Fano code makes numbers that ascend of the ids or words: it adds the number of ids, or the range of all
 * words, for each run before. First it has the lower bits of each number; then, for each, as many zeros as its upper
 * bits exceed those of the one before, and a one; then zeros up to the greatest upper bits.
 */
final class WordCode {
  /** Mode of words that are stored themselves. */
  static final int RAW = 0;
  /** Mode of ids of equal width. */
  static final int PACKED = 1;

  /** Least mode of words whose bytes are coded. */
  static final int CODED = 1 << 28;

  private final int wordBits;
  private final int numWords;
  private final int idWidth;
  private final long range;

  /**
   * Creates a code.
   *
   * @param wordBytes 4 or 8
   * @param numWords  number of words in the dictionary
   * @param range     number of words from the least to the greatest; 0 if it is no positive long
   */
  WordCode(int wordBytes, int numWords, long range) {
    this.wordBits = Byte.SIZE * wordBytes;
    this.numWords = numWords;
    this.idWidth = idWidth(numWords);
    this.range = range;
  }

  /** Returns the width of an id in bits. */
  static int idWidth(int numWords) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, numWords - 1));
  }

  /** Returns whether a mode has ids of the dictionary. */
  static boolean hasIds(int mode) {
    return mode == PACKED || (mode > PACKED && mode < CODED && (mode & 1) == 0);
  }

  /** Returns whether a value with a number of words can have a mode, apart from {@link #CODED} ones. */
  boolean isValid(int count, int mode) {
    final boolean hasNumbers =
        count == 0 || mode == RAW || canAscend(hasIds(mode) ? numWords : range, Math.max(1, mode >>> 1));
    return count >= 0 && mode >= 0 && mode >>> 1 <= Math.max(1, count) && hasNumbers;
  }

  /** Returns the number of bits of a value with a number of words. */
  long size(int count, int mode) {
    if (count == 0 || mode >= CODED) {
      return count == 0 ? 0 : mode - CODED;
    }
    return switch (mode) {
      case RAW -> (long) wordBits * count;
      case PACKED -> (long) idWidth * count;
      default -> size(count, step(mode), mode >>> 1);
    };
  }

  /** Returns the bits of an Elias-Fano code. */
  static long size(int count, long step, int runs) {
    final int lowWidth = lowWidth(count, step * runs);
    return (lowWidth + 1L) * count + ((step * runs - 1) >>> lowWidth);
  }

  /** Returns what is added to the numbers of a run for each run before. */
  private long step(int mode) {
    return hasIds(mode) ? numWords : range;
  }

  private static int lowWidth(int count, long limit) {
    return Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, limit / count)));
  }

  /** Returns the mode that takes the fewest bits for ids that ascend in a number of runs. */
  int modeOfIds(int count, int runs) {
    return runs < CODED >>> 1 && size(count, 2 * runs) < size(count, PACKED) ? 2 * runs : PACKED;
  }

  /** Returns the mode that takes the fewest bits for words that ascend in a number of runs. */
  int modeOfWords(int count, int runs) {
    return canAscend(range, runs) && size(count, 2 * runs + 1) < size(count, RAW) ? 2 * runs + 1 : RAW;
  }

  /** Returns whether the numbers of words in a number of runs are longs. */
  static boolean canAscend(long range, int runs) {
    return range > 0 && range <= Long.MAX_VALUE / runs && runs < CODED >>> 1;
  }

  /**
   * Appends the words of a value.
   *
   * @param numbers ids, words, or words less the least one, as the mode says
   */
  void put(long[] numbers, int count, int mode, BitOutput out) throws IOException {
    if (mode <= PACKED) {
      for (int i = 0; i < count; i++) {
        out.put(numbers[i], mode == RAW ? wordBits : idWidth);
      }
      return;
    }
    final int lowWidth = lowWidth(count, step(mode) * (mode >>> 1));
    for (int pass = 0; pass < 2; pass++) {
      long base = 0;
      long bucket = 0;
      for (int i = 0; i < count; i++) {
        base += i > 0 && numbers[i] < numbers[i - 1] ? step(mode) : 0;
        final long number = base + numbers[i];
        if (pass == 0) {
          out.put(number, lowWidth);
        } else {
          out.putZeros((number >>> lowWidth) - bucket);
          out.put(1, 1);
          bucket = number >>> lowWidth;
        }
      }
      if (pass == 1) {
        out.putZeros(((step(mode) * (mode >>> 1) - 1) >>> lowWidth) - bucket);
      }
    }
  }

  /**
   * Reads the numbers of a value, as {@link #put} gets them. The value's bits exist, and its mode is {@link #isValid};
   * numbers may be beyond their range if the bits are damaged.
   */
  void get(RawBytes in, int offset, long start, int count, int mode, long[] numbers) {
    if (mode > PACKED) {
      getAscending(in, offset, start, count, mode, numbers);
    } else if (mode == PACKED && idWidth == 0) {
      Arrays.fill(numbers, 0, count, 0);
    } else {
      final int width = mode == RAW ? wordBits : idWidth;
      long bit = start;
      for (int i = 0; i < count; i++, bit += width) {
        numbers[i] = bits(in, offset, bit, width);
      }
    }
  }

  private void getAscending(RawBytes in, int offset, long start, int count, int mode, long[] numbers) {
    final long step = step(mode);
    final int lowWidth = lowWidth(count, step * (mode >>> 1));
    final long end = start + size(count, mode);
    final long firstHigh = start + (long) lowWidth * count;
    long low = start;
    long high = firstHigh;
    long bits = 0;
    long base = 0;
    for (int i = 0; i < count; i++) {
      while (bits == 0) {
        if (high >= end) {
          throw new MalformedChunkException("there are only " + i + " of " + count + " words in a value");
        }
        // 64 bits are read at multiples of 64, so that none is lost.
        final int shift = (int) (high & Long.SIZE - 1);
        bits = in.getLong(offset + (int) ((high - shift) >>> 3)) >>> shift << shift;
        high += Long.SIZE - shift;
      }
      final long bucket = high - Long.SIZE + Long.numberOfTrailingZeros(bits) - firstHigh - i;
      bits &= bits - 1;
      final long number = bucket << lowWidth | bits(in, offset, low, lowWidth);
      low += lowWidth;
      while (number - base >= step) {
        base += step;
      }
      numbers[i] = number - base;
    }
  }

  /** Returns the number of 0 to 64 bits at a bit. */
  private static long bits(RawBytes in, int offset, long bit, int width) {
    final int position = offset + (int) (bit >>> 3);
    final int shift = (int) bit & 7;
    long number = in.getLong(position) >>> shift;
    if (shift + width > Long.SIZE) {
      number |= (long) in.getByte(position + Long.BYTES) << (Long.SIZE - shift);
    }
    return width == Long.SIZE ? number : number & (1L << width) - 1;
  }
}
