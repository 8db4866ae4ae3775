// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

import io.shapeshift.druid.bits.RawBytes;

/** Writer of bits, the lowest first, into an array that has room for eight bytes more. */
final class LowFirstBits {
  private final byte[] bytes;
  private int position;
  private long pending;
  private int numPending;

  LowFirstBits(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Starts at the beginning of the array. */
  void clear() {
    position = 0;
    pending = 0;
    numPending = 0;
  }

  /**
   * Appends the low bits of a value.
   *
   * @param value 0 to 2^width - 1
   * @param width 0 to 56
   */
  void put(long value, int width) {
    pending |= value << numPending;
    numPending += width;
    RawBytes.putLong(bytes, position, pending);
    position += numPending >>> 3;
    pending >>>= numPending & ~7;
    numPending &= 7;
  }

  /** Fills the last byte up with zeros; returns the number of bytes so far. */
  int finish() {
    if (numPending > 0) {
      position++;
      pending = 0;
      numPending = 0;
    }
    return position;
  }
}
