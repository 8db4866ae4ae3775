// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import static io.shapeshift.druid.bits.BitStream.MAX_LONG_WIDTH;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Bits of the words of one value. The mode of the value tells how they are stored:
 *
 * <pre>
 * | mode         | bits                                                              |
 * |--------------|-------------------------------------------------------------------|
 * | 0            | each word less the least word of all, in the width of the largest |
 * | 1            | the id of each word, in the width of the largest id               |
 * | 2 * runs     | Elias-Fano code of the ids; runs: number of runs in which they ascend |
 * | 2 * runs + 1 | Elias-Fano code of the words, less the least word of all          |
 * | 2^28 + bits  | the words' bytes in a {@link ByteCode}; bits: their number        |
 * </pre>
 * An Elias-Fano code makes numbers that ascend of the ids or words: it adds the number of ids, or the range of all
 * words, for each run before. First it has the lower bits of each number; then, for each, as many zeros as its upper
 * bits exceed those of the one before, and a one; then zeros up to the greatest upper bits.
 */
final class WordCode {
  /** Mode of words of equal width. */
  static final int RAW = 0;
  /** Mode of ids of equal width. */
  static final int PACKED = 1;

  /** Least mode of words whose bytes are coded. */
  static final int CODED = 1 << 28;

  private final int wordWidth;
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
    this.wordWidth = range > 0 ? Long.SIZE - Long.numberOfLeadingZeros(range - 1) : Byte.SIZE * wordBytes;
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
      case RAW -> (long) wordWidth * count;
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

  /** Returns the greatest width for which the count, shifted by it, is not above the limit; at least 0. */
  private static int lowWidth(int count, long limit) {
    final int width = Long.numberOfLeadingZeros(count) - Long.numberOfLeadingZeros(limit);
    return Math.max(0, width > 0 && limit >>> width < count ? width - 1 : width);
  }

  /** Returns whether the numbers of words in a number of runs are longs. */
  static boolean canAscend(long range, int runs) {
    return range > 0 && Math.multiplyHigh(range, runs) == 0 && range * runs > 0 && runs < CODED >>> 1;
  }

  /**
   * Appends the words of a value.
   *
   * @param numbers ids, or words less the least one, as the mode says
   */
  void put(long[] numbers, int count, int mode, BitOutput out) throws IOException {
    if (mode <= PACKED) {
      for (int i = 0; i < count; i++) {
        out.put(numbers[i], mode == RAW ? wordWidth : idWidth);
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
   * Reads the numbers of a value, as {@link #put} gets them, or of values that follow each other in mode {@link #RAW}
   * or {@link #PACKED}. Their bits exist, followed by {@value Sections#SLACK} bytes, and each {@link #isValid}; numbers
   * may be beyond their range if the bits are damaged.
   *
   * @param numbers receives the numbers from index {@code at}
   */
  void get(RawBytes in, int offset, long start, int count, int mode, long[] numbers, int at) {
    if (mode <= PACKED) {
      unpack(in, offset, start, mode == RAW ? wordWidth : idWidth, count, numbers, at);
    } else {
      getAscending(in, offset, start, count, mode, numbers, at);
    }
  }

  /** Reads numbers of a width of 0 to 64 bits. */
  static void unpack(RawBytes in, int offset, long start, int width, int count, long[] numbers, int at) {
    if (width == 0) {
      Arrays.fill(numbers, at, at + count, 0);
      return;
    }
    final long mask = -1L >>> (Long.SIZE - width);
    long bit = start;
    if (width <= MAX_LONG_WIDTH) {
      for (int i = at; i < at + count; i++, bit += width) {
        numbers[i] = in.getLong(offset + (int) (bit >>> 3)) >>> (bit & 7) & mask;
      }
      return;
    }
    for (int i = at; i < at + count; i++, bit += width) {
      final int position = offset + (int) (bit >>> 3);
      // The upper bits are shifted twice, because a shift by 64 would be none.
      final long upper = in.getLong(position + Long.BYTES) << 1 << (Long.SIZE - 1 - (bit & 7));
      numbers[i] = (in.getLong(position) >>> (bit & 7) | upper) & mask;
    }
  }

  private void getAscending(RawBytes in, int offset, long start, int count, int mode, long[] numbers, int at) {
    final long step = step(mode);
    final int lowWidth = lowWidth(count, step * (mode >>> 1));
    final long end = start + size(count, mode);
    final long firstHigh = start + (long) lowWidth * count;
    unpack(in, offset, start, lowWidth, count, numbers, at);
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
      final long number = bucket << lowWidth | numbers[at + i];
      while (number - base >= step) {
        base += step;
      }
      numbers[at + i] = number - base;
    }
  }
}
