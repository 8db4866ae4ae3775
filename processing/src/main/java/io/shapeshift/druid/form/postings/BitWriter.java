// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import java.nio.ByteBuffer;

/** Appends numbers of some bits each, the first in the lowest bits of the first byte. */
final class BitWriter {
  private final ByteBuffer out;
  private long bits;
  private int numBits;

  BitWriter(ByteBuffer out) {
    this.out = out;
  }

  /** Appends the lowest bits of a number that has no others: up to 56. */
  void put(long value, int width) {
    bits |= value << numBits;
    for (numBits += width; numBits >= Byte.SIZE; numBits -= Byte.SIZE) {
      out.put((byte) bits);
      bits >>>= Byte.SIZE;
    }
  }

  /** Fills the last byte up with zero bits. */
  void finish() {
    if (numBits > 0) {
      out.put((byte) bits);
      bits = 0;
      numBits = 0;
    }
  }
}
