// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Coding of a list of groups: binary interpolative coding (Moffat and Stuiver, Information Retrieval 3(1), 2000). It
 * takes hardly more bits than the number of groups and their distribution need, few for neighbouring groups, and none
 * for groups that must be in the list.
 *
 * <p>The list of n ascending groups between {@code first} and {@code last}, inclusive, has the group with index n / 2
 * first, then the groups before it as a list, and then those behind it as a list. There is room for n / 2 groups before
 * it, and for n - 1 - n / 2 behind it. So the group is stored as its difference from {@code first + n / 2}, which is
 * one of {@code r = last - first + 2 - n} numbers. With b = log2(r), rounded up, the first 2<sup>b</sup> - r numbers
 * take b - 1 bits. The others have 2<sup>b</sup> - r added and take b bits, the lowest bit after the other ones.
 *
 * <p>Bits are stored from the lowest bit of the first byte; a number has its lowest bit first, unless said otherwise.
 *
 * <p>Example: the list 3, 4, 7 of the groups 0 to 7 has 4 as one of the 6 numbers from 1 on: 3, which has 2 added, so
 * that it takes three bits: 5. Then 3 follows as one of the 4 numbers from 0 on, and 7 as one of the 3 from 5 on.
 */
final class GroupList {
  private GroupList() {}

  /** Bits that are appended to an array. */
  static final class Writer {
    private byte[] bytes = new byte[1 << 10];
    private long numBits;

    void clear() {
      Arrays.fill(bytes, 0, numBytes(), (byte) 0);
      numBits = 0;
    }

    long numBits() {
      return numBits;
    }

    int numBytes() {
      return Math.toIntExact((numBits + Byte.SIZE - 1) / Byte.SIZE);
    }

    ByteBuffer toBuffer() {
      return ByteBuffer.wrap(bytes, 0, numBytes());
    }

    /** Appends the lowest bits of a number whose other bits are zero; up to 32 bits. */
    private void put(int number, int width) {
      int at = (int) (numBits >>> 3);
      if (at + Long.BYTES > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.multiplyExact(2, bytes.length));
      }
      numBits += width;
      for (long left = (number & 0xFFFF_FFFFL) << ((numBits - width) & 7); left != 0; left >>>= Byte.SIZE) {
        bytes[at++] |= (byte) left;
      }
    }

    /** Appends a number above 0 in Elias's gamma code: a zero per bit but the highest, a one, and these bits. */
    void putGamma(int number) {
      final int width = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(number);
      put(0, width);
      put(1, 1);
      put(number - (1 << width), width);
    }

    /** Appends the list of the groups from index {@code from} to {@code to}, exclusive. */
    void putGroups(int[] groups, int from, int to, int first, int last) {
      final int range = last - first + 2 - (to - from);
      if (from == to || range == 1) {
        return;
      }
      final int middle = (from + to) >>> 1;
      final int group = groups[middle];
      final int number = group - first - (middle - from);
      final int width = Integer.SIZE - Integer.numberOfLeadingZeros(range - 1);
      final int numShort = (1 << width) - range;
      if (number < numShort) {
        put(number, width - 1);
      } else {
        final int moved = number + numShort;
        put((moved >>> 1) | ((moved & 1) << (width - 1)), width);
      }
      putGroups(groups, from, middle, first, group - 1);
      putGroups(groups, middle + 1, to, group + 1, last);
    }
  }

  /** Reader of bits. Not thread-safe. */
  static final class Reader {
    private final ByteBuffer in;
    private long bit;

    /**
     * Creates a reader.
     *
     * @param in little-endian, with at least seven bytes behind those that are read
     */
    Reader(ByteBuffer in) {
      this.in = in;
    }

    void seek(long toBit) {
      bit = toBit;
    }

    long bit() {
      return bit;
    }

    /** Returns at least the next 57 bits. */
    private long next() {
      return in.getLong((int) (bit >>> 3)) >>> (bit & 7);
    }

    /** Reads a number in Elias's gamma code; 0 if it is longer than it may be. */
    int gamma() {
      final int width = Long.numberOfTrailingZeros(next());
      if (width >= Integer.SIZE - 1) {
        return 0;
      }
      bit += width + 1;
      final int number = (1 << width) | ((int) next() & ((1 << width) - 1));
      bit += width;
      return number;
    }

    /**
     * Reads a list.
     *
     * @param out   gets a bit for each group
     * @param count number of groups, at most as many as there are from {@code first} to {@code last}, inclusive
     * @throws IndexOutOfBoundsException if the list ends behind the buffer
     */
    void groups(long[] out, int count, int first, int last) {
      final int range = last - first + 2 - count;
      if (count == 0) {
        return;
      }
      if (range == 1) {
        for (int group = first; group <= last; group++) {
          out[group >>> 6] |= 1L << group;
        }
        return;
      }
      final int before = count >>> 1;
      final int width = Integer.SIZE - Integer.numberOfLeadingZeros(range - 1);
      final int numShort = (1 << width) - range;
      final int bits = (int) next();
      int number = bits & (1 << (width - 1)) - 1;
      if (number < numShort) {
        bit += width - 1;
      } else {
        number = ((number << 1) | ((bits >>> (width - 1)) & 1)) - numShort;
        bit += width;
      }
      final int group = first + before + number;
      out[group >>> 6] |= 1L << group;
      groups(out, before, first, group - 1);
      groups(out, count - 1 - before, group + 1, last);
    }
  }
}
