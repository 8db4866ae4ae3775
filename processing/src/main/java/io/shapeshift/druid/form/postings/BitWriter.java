// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import java.nio.ByteBuffer;

/** Appends bit-packed numbers, the first in the lowest bits of the first byte. */
final class BitWriter {
  private final ByteBuffer out;
  private long bits;
  private int numBits;

  BitWriter(ByteBuffer out) {
    this.out = out;
  }

  /** Appends the lowest {@code width} bits of a number whose other bits are zero; up to 56 bits. */
  void put(long value, int width) {
    bits |= value << numBits;
    for (numBits += width; numBits >= Byte.SIZE; numBits -= Byte.SIZE) {
      out.put((byte) bits);
      bits >>>= Byte.SIZE;
    }
  }

  /** Pads the last byte with zero bits. */
  void finish() {
    if (numBits > 0) {
      out.put((byte) bits);
      bits = 0;
      numBits = 0;
    }
  }
}
