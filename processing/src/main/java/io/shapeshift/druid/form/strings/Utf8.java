// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import java.util.Arrays;

/**
 * Texts as UTF-8, in the order of Java's strings, which is that of UTF-16. It is the order of the bytes, but for
 * characters from U+E000 to U+FFFF: these are behind all others, and before them as bytes.
 */
public final class Utf8 {
  private static final int FIRST_BEHIND = 0xEE;
  private static final int LAST_BEHIND = 0xEF;
  /** Behind the first byte of all other characters. */
  private static final int DISTANCE = 0xF5 - FIRST_BEHIND;
  private static final int KEY_BYTES = Long.BYTES;

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
    return order(left[leftFrom + at]) - order(right[rightFrom + at]);
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
    long key = 0;
    for (int i = 0; i < KEY_BYTES; i++) {
      key = key << Byte.SIZE | (from + i < to ? order(text[from + i]) : 0);
    }
    // Numbers are compared with their sign.
    return key ^ Long.MIN_VALUE;
  }
}
