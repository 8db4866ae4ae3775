// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import java.io.IOException;
import org.apache.druid.segment.writeout.WriteOutBytes;

/** Stream of bit-packed numbers in a medium, the first in the lowest bits of the first byte. */
final class BitOutput {
  private static final int BUFFER_SIZE = 1 << 13;

  private final WriteOutBytes out;
  private final byte[] buffer = new byte[BUFFER_SIZE];
  private int buffered;
  private long bits;
  private int numBits;
  private long size;

  BitOutput(WriteOutBytes out) {
    this.out = out;
  }

  /** Returns the number of bits written. */
  long size() {
    return size;
  }

  /** Appends the lowest {@code width} bits of a number, 0 to 64. */
  void put(long number, int width) throws IOException {
    if (width > Integer.SIZE) {
      putShort(number & 0xFFFFFFFFL, Integer.SIZE);
      putShort(number >>> Integer.SIZE & mask(width - Integer.SIZE), width - Integer.SIZE);
    } else {
      putShort(number & mask(width), width);
    }
  }

  private static long mask(int width) {
    return (1L << width) - 1;
  }

  /** At most seven bits are pending, so 32 more fit. */
  private void putShort(long number, int width) throws IOException {
    bits |= number << numBits;
    size += width;
    for (numBits += width; numBits >= Byte.SIZE; numBits -= Byte.SIZE) {
      putByte((byte) bits);
      bits >>>= Byte.SIZE;
    }
  }

  /** Appends zero bits. */
  void putZeros(long count) throws IOException {
    long left = count;
    for (; left > Integer.SIZE; left -= Integer.SIZE) {
      putShort(0, Integer.SIZE);
    }
    putShort(0, (int) left);
  }

  private void putByte(byte next) throws IOException {
    if (buffered == BUFFER_SIZE) {
      flush();
    }
    buffer[buffered++] = next;
  }

  private void flush() throws IOException {
    out.write(buffer, 0, buffered);
    buffered = 0;
  }

  /** Pads the last byte with zero bits, and passes all bytes to the medium. */
  void finish() throws IOException {
    if (numBits > 0) {
      putByte((byte) bits);
      numBits = 0;
      bits = 0;
    }
    flush();
  }
}
