// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;

/**
 * Number of items per bucket, in unary: for each bucket a one bit per item, then a zero bit. Item i, in bucket b, is
 * therefore the one at bit i + b, and bucket b starts after b zeros.
 *
 * <pre>
 * | bytes                     | content                                                                           |
 * |---------------------------|-----------------------------------------------------------------------------------|
 * | 2 * ((bits - 1) / 1024)   | samples, if the chunk has several lists: number of ones before bit 1024, 2048 ... |
 * | (items + buckets + 7) / 8 | the bits, the first in the lowest bit of the first byte, padded with zeros        |
 * </pre>
 * This is the upper half of the Elias-Fano code of monotone sequences (P. Elias, Efficient storage and retrieval by
 * content and address of static files, JACM 1974).
 */
final class UnaryCounts {
  private static final int LOG_SAMPLE = 10;

  private final RawBytes in;
  private int samples;
  private int numSamples;
  private int bits;
  private int numItems;
  private long numBits;

  /** Creates a reader of bytes that the caller wraps. */
  UnaryCounts(RawBytes in) {
    this.in = in;
  }

  /** Returns the size in bytes of {@code items} items in {@code buckets} buckets. */
  static long numBytes(boolean sampled, long numItems, long numBuckets) {
    return Short.BYTES * (sampled ? numSamples(numItems + numBuckets) : 0) + (numItems + numBuckets + 7) / 8;
  }

  private static long numSamples(long numBits) {
    return numBits == 0 ? 0 : (numBits - 1) >> LOG_SAMPLE;
  }

  /** Collects the bits; items must be added in the order of their buckets. */
  static final class Writer {
    private final boolean sampled;
    private final byte[] bytes;
    private final long numBits;
    private int numItems;

    Writer(boolean sampled, int numItems, long numBuckets) {
      this.sampled = sampled;
      this.numBits = numItems + numBuckets;
      this.bytes = new byte[(int) ((numBits + 7) / 8)];
    }

    void add(long bucket) {
      final long bit = bucket + numItems++;
      bytes[(int) (bit >>> 3)] |= (byte) (1 << (bit & 7));
    }

    void writeTo(ByteBuffer out) {
      if (sampled) {
        int ones = 0;
        for (int sample = 1; sample <= numSamples(numBits); sample++) {
          for (int i = (sample - 1) << (LOG_SAMPLE - 3); i < sample << (LOG_SAMPLE - 3); i++) {
            ones += Integer.bitCount(bytes[i] & 0xFF);
          }
          out.putShort((short) ones);
        }
      }
      out.put(bytes);
    }
  }

  /**
   * Sets the counts to read.
   *
   * @return size of the counts in bytes
   * @throws MalformedChunkException if the size exceeds {@code length}
   */
  int read(int offset, int length, boolean sampled, int numItems, long numBuckets) {
    final long numBytes = numBytes(sampled, numItems, numBuckets);
    if (numBytes > length) {
      throw new MalformedChunkException(
          numItems + " rows in " + numBuckets + " buckets take " + numBytes + " bytes, but there are only " + length);
    }
    this.numItems = numItems;
    this.numBits = numItems + numBuckets;
    this.samples = offset;
    this.numSamples = sampled ? (int) numSamples(numBits) : 0;
    this.bits = offset + Short.BYTES * numSamples;
    return (int) numBytes;
  }

  /**
   * Returns the position after a number of zeros.
   *
   * @param numZeros at most the number of buckets
   * @throws MalformedChunkException if there are fewer zeros
   */
  long select(long numZeros) {
    if (numZeros == 0) {
      return 0;
    }
    int least = 0;
    for (int most = numSamples; least < most; ) {
      final int sample = (least + most + 1) >>> 1;
      if (((long) sample << LOG_SAMPLE) - ones(sample) < numZeros) {
        least = sample;
      } else {
        most = sample - 1;
      }
    }
    long bit = (long) least << LOG_SAMPLE;
    long left = numZeros - (bit - ones(least));
    while (bit < numBits) {
      long zeros = ~in.getLong(bits + (int) (bit >>> 3));
      final int count = Long.bitCount(zeros);
      if (count >= left) {
        int shift = 0;
        for (int half = 32; half >= 8; half >>= 1) {
          final int lower = Long.bitCount(zeros & (-1L >>> (Long.SIZE - half)));
          if (lower < left) {
            left -= lower;
            zeros >>>= half;
            shift += half;
          }
        }
        while (left > 1) {
          zeros &= zeros - 1;
          left--;
        }
        return bit + shift + Long.numberOfTrailingZeros(zeros) + 1;
      }
      left -= count;
      bit += Long.SIZE;
    }
    throw new MalformedChunkException("There are fewer than " + numZeros + " buckets");
  }

  private int ones(int sample) {
    return sample == 0 ? 0 : in.getShort(samples + Short.BYTES * (sample - 1));
  }

  /** Returns the number of items in all buckets. */
  int numItems() {
    return numItems;
  }

  /** Returns the 64 bits that start at a whole byte; bits after the last are undefined. */
  long word(long bit) {
    return in.getLong(bits + (int) (bit >>> 3));
  }

  /** Returns the number of bits. */
  long numBits() {
    return numBits;
  }
}
