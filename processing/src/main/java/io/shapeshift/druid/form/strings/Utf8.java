// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Texts as UTF-8, in the order of Java's strings, which is that of UTF-16. It is the order of the bytes, but for
 * characters from U+E000 to U+FFFF: these are behind all others, and before them as bytes.
 */
public final class Utf8 {
  /** Bytes behind a text in its array that may be looked at. */
  public static final int SLACK = 8;

  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int FIRST_BEHIND = 0xEE;
  private static final int LAST_BEHIND = 0xEF;
  /** Behind the first byte of all other characters. */
  private static final int DISTANCE = 0xF5 - FIRST_BEHIND;
  private static final int KEY_BYTES = Long.BYTES;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  /** Compares two texts: negative, zero or positive as the first is before, the same or behind. */
  public static int compare(byte[] left, int leftFrom, int leftTo, byte[] right, int rightFrom, int rightTo) {
    final int at = Arrays.mismatch(left, leftFrom, leftTo, right, rightFrom, rightTo);
    if (at < 0) {
      return 0;
    }
    if (at == Math.min(leftTo - leftFrom, rightTo - rightFrom)) {
      return leftTo - leftFrom - (rightTo - rightFrom);
    }
    return compare(left[leftFrom + at], right[rightFrom + at]);
  }

  /** Compares the first bytes in which two texts differ. */
  static int compare(byte left, byte right) {
    return order(left) - order(right);
  }

  /**
   * Whether a text has no byte above 127.
   *
   * @param text followed by {@value #SLACK} more bytes
   */
  static boolean isAscii(byte[] text, int length) {
    long all = 0;
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      all |= word(text, i);
    }
    all |= word(text, i) & ((1L << (Byte.SIZE * (length - i))) - 1);
    return (all & HIGH_BITS) == 0;
  }

  /** Eight bytes of an array, the first in the lowest bits. */
  static long word(byte[] text, int from) {
    return (long) LONGS.get(text, from);
  }

  /** How many bytes two texts begin with that are the same. */
  public static int commonPrefix(byte[] left, int leftLength, byte[] right, int rightLength) {
    final int at = Arrays.mismatch(left, 0, leftLength, right, 0, rightLength);
    return at < 0 ? leftLength : at;
  }

  private static int order(byte b) {
    final int unsigned = b & 0xFF;
    return unsigned == FIRST_BEHIND || unsigned == LAST_BEHIND ? unsigned + DISTANCE : unsigned;
  }

  /**
   * The first eight bytes of a text as a number: of two texts the one that is before has no greater number. Texts that
   * are shorter are filled up with zeros.
   */
  public static long key(byte[] text, int from, int to) {
    final int length = to - from;
    long key;
    if (length >= KEY_BYTES && from <= text.length - KEY_BYTES) {
      key = Long.reverseBytes(word(text, from));
    } else {
      key = 0;
      for (int i = 0; i < Math.min(length, KEY_BYTES); i++) {
        key |= (text[from + i] & 0xFFL) << (Long.SIZE - Byte.SIZE - Byte.SIZE * i);
      }
    }
    key = ordered(key);
    // Numbers are compared with their sign.
    return key ^ Long.MIN_VALUE;
  }

  /** The same for each byte of a word. */
  private static long ordered(long word) {
    // Bytes from 0xE0 on are those of characters with three bytes or four: hardly ever is there one.
    if ((word & word << 1 & word << 2 & HIGH_BITS) == 0) {
      return word;
    }
    long ordered = 0;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      ordered |= (long) order((byte) (word >>> shift)) << shift;
    }
    return ordered;
  }
}
