// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * UTF-8 texts in the order of Java strings, which is the order of UTF-16. It is the order of the bytes, with one
 * exception: characters from U+E000 to U+FFFF come after supplementary characters, and as bytes before them.
 */
public final class Utf8 {
  /** Bytes after a text in its array that may be touched. */
  public static final int SLACK = 8;

  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int FIRST_BEHIND = 0xEE;
  private static final int LAST_BEHIND = 0xEF;
  /** Added to the first bytes of U+E000 to U+FFFF, to put them after those of all other characters. */
  private static final int DISTANCE = 0xF5 - FIRST_BEHIND;
  private static final int KEY_BYTES = Long.BYTES;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Utf8() {}

  /** Compares two texts; returns a negative number, zero or a positive number. */
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

  /** Compares two texts by the first bytes in which they differ. */
  static int compare(byte left, byte right) {
    return order(left) - order(right);
  }

  /**
   * Returns whether a text has no byte above 127.
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

  /** Returns eight bytes of an array as a long, the first in the lowest bits. */
  static long word(byte[] text, int from) {
    return (long) LONGS.get(text, from);
  }

  /** Returns the length of the common prefix of two texts in bytes. */
  public static int commonPrefix(byte[] left, int leftLength, byte[] right, int rightLength) {
    final int at = Arrays.mismatch(left, 0, leftLength, right, 0, rightLength);
    return at < 0 ? leftLength : at;
  }

  private static int order(byte b) {
    final int unsigned = b & 0xFF;
    return unsigned == FIRST_BEHIND || unsigned == LAST_BEHIND ? unsigned + DISTANCE : unsigned;
  }

  /**
   * Returns the first eight bytes of a text as a sort key: a lesser text never has a greater key. Shorter texts are
   * padded with zeros.
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
    // Keys are compared as signed numbers.
    return key ^ Long.MIN_VALUE;
  }

  /** Maps each byte of a word to a byte that sorts in UTF-16 order. */
  private static long ordered(long word) {
    // Bytes from 0xE0 on start characters of three or four bytes, and are rare.
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
