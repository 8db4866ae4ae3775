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
 * | mode       | bits                                                                                        |
 * |------------|---------------------------------------------------------------------------------------------|
 * | 0          | the words themselves                                                                        |
 * | 1          | the id of each word, in the width of the largest id                                         |
 * | 1 + runs   | Elias-Fano code of ids that ascend in this number of runs: numbers that ascend are the ids, |
 * |            | plus the number of words in the dictionary for each run before. First the lower bits of     |
 * |            | each number; then, for each, as many zeros as its upper bits exceed those of the one before |
 * |            | and a one; then zeros to the greatest upper bits                                            |
 * </pre>
 */
final class WordCode {
  /** Mode of words that are stored themselves. */
  static final int RAW = 0;
  /** Mode of ids of equal width. */
  static final int PACKED = 1;

  private final int wordBits;
  private final int numWords;
  private final int idWidth;

  /**
   * Creates a code.
   *
   * @param wordBytes 4 or 8
   * @param numWords  number of words in the dictionary
   */
  WordCode(int wordBytes, int numWords) {
    this.wordBits = Byte.SIZE * wordBytes;
    this.numWords = numWords;
    this.idWidth = idWidth(numWords);
  }

  /** Returns the width of an id in bits. */
  static int idWidth(int numWords) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, numWords - 1));
  }

  /** Returns the number of bits of a value with a number of words. */
  long size(int count, int mode) {
    if (count == 0) {
      return 0;
    }
    return switch (mode) {
      case RAW -> (long) wordBits * count;
      case PACKED -> (long) idWidth * count;
      default -> {
        final int lowWidth = lowWidth(count, mode);
        yield (lowWidth + 1L) * count + (limit(mode) - 1 >>> lowWidth);
      }
    };
  }

  /** Returns the end of the numbers that ascend, exclusive. */
  private long limit(int mode) {
    return (long) numWords * (mode - PACKED);
  }

  private int lowWidth(int count, int mode) {
    return Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, limit(mode) / count)));
  }

  /** Returns the mode that takes the fewest bits for ids. */
  int mode(int[] ids, int count) {
    int runs = 1;
    for (int i = 1; i < count; i++) {
      runs += ids[i] < ids[i - 1] ? 1 : 0;
    }
    final int mode = PACKED + runs;
    return size(count, mode) < size(count, PACKED) ? mode : PACKED;
  }

  /** Appends the ids of a value. */
  void put(int[] ids, int count, int mode, BitOutput out) throws IOException {
    if (mode == PACKED) {
      for (int i = 0; i < count; i++) {
        out.put(ids[i], idWidth);
      }
      return;
    }
    final int lowWidth = lowWidth(count, mode);
    for (int pass = 0; pass < 2; pass++) {
      long base = 0;
      long bucket = 0;
      for (int i = 0; i < count; i++) {
        base += i > 0 && ids[i] < ids[i - 1] ? numWords : 0;
        final long number = base + ids[i];
        if (pass == 0) {
          out.put(number, lowWidth);
        } else {
          out.putZeros((number >>> lowWidth) - bucket);
          out.put(1, 1);
          bucket = number >>> lowWidth;
        }
      }
      if (pass == 1) {
        out.putZeros((limit(mode) - 1 >>> lowWidth) - bucket);
      }
    }
  }

  /** Reads the ids of a value, whose bits exist; the ids may be beyond the dictionary if the bits are damaged. */
  void get(RawBytes in, int offset, long start, int count, int mode, int[] ids) {
    if (mode == PACKED) {
      getPacked(in, offset, start, count, ids);
      return;
    }
    final int lowWidth = lowWidth(count, mode);
    final long lowMask = (1L << lowWidth) - 1;
    final long end = start + size(count, mode);
    long low = start;
    long high = start + (long) lowWidth * count;
    long bits = 0;
    long base = 0;
    // Position of the first of the bits that are left.
    long bucketZero = high;
    for (int i = 0; i < count; i++) {
      while (bits == 0) {
        if (high >= end) {
          throw new MalformedChunkException("there are only " + i + " of " + count + " words in a value");
        }
        // Words of 64 bits are read at multiples of 64, so that none of their bits is lost.
        final int shift = (int) (high & Long.SIZE - 1);
        bits = in.getLong(offset + (int) (high - shift >>> 3)) >>> shift << shift;
        high += Long.SIZE - shift;
      }
      final long bucket = high - Long.SIZE + Long.numberOfTrailingZeros(bits) - bucketZero - i;
      bits &= bits - 1;
      final long number =
          bucket << lowWidth | in.getLong(offset + (int) (low >>> 3)) >>> (low & 7) & lowMask;
      low += lowWidth;
      while (number - base >= numWords) {
        base += numWords;
      }
      ids[i] = (int) (number - base);
    }
  }

  private void getPacked(RawBytes in, int offset, long start, int count, int[] ids) {
    if (idWidth == 0) {
      Arrays.fill(ids, 0, count, 0);
      return;
    }
    final long mask = (1L << idWidth) - 1;
    long bit = start;
    for (int i = 0; i < count; i++) {
      ids[i] = (int) (in.getLong(offset + (int) (bit >>> 3)) >>> (bit & 7) & mask);
      bit += idWidth;
    }
  }
}
