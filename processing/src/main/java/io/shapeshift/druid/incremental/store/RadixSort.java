// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.store;

import java.util.Arrays;

/** Stable radix sort of rows by keys, byte by byte from the lowest. Bytes that all keys share are skipped. */
final class RadixSort {
  private static final int BYTES = 1 << Byte.SIZE;

  private RadixSort() {
  }

  /**
   * Sorts row numbers by their keys.
   *
   * @param keys unsigned keys of rows from 0 on; they are sorted as well
   * @return the row numbers in the order of their keys
   */
  static int[] sort(long[] keys) {
    int[] order = new int[keys.length];
    Arrays.setAll(order, i -> i);
    long differing = 0;
    for (long key : keys) {
      differing |= key ^ keys[0];
    }
    if (differing == 0) {
      return order;
    }
    long[] from = keys;
    long[] to = new long[keys.length];
    int[] orderTo = new int[keys.length];
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      if ((differing >>> shift & BYTES - 1) != 0) {
        pass(from, order, to, orderTo, shift);
        final long[] keysOfPass = from;
        from = to;
        to = keysOfPass;
        final int[] orderOfPass = order;
        order = orderTo;
        orderTo = orderOfPass;
      }
    }
    System.arraycopy(from, 0, keys, 0, keys.length);
    return order;
  }

  private static void pass(long[] from, int[] orderFrom, long[] to, int[] orderTo, int shift) {
    final int[] places = new int[BYTES];
    for (long key : from) {
      places[(int) (key >>> shift) & BYTES - 1]++;
    }
    for (int digit = 0, place = 0; digit < BYTES; digit++) {
      final int count = places[digit];
      places[digit] = place;
      place += count;
    }
    for (int i = 0; i < from.length; i++) {
      final int place = places[(int) (from[i] >>> shift) & BYTES - 1]++;
      to[place] = from[i];
      orderTo[place] = orderFrom[i];
    }
  }
}
