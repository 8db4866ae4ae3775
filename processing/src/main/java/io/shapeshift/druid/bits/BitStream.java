// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bit packing of ints, one value after another: value i starts at bit {@code i * width}. In a little-endian buffer,
 * bit 0 is the lowest bit of the first byte; in a big-endian one, the highest. Bits after the last value are zero.
 *
 * <p>A read loads eight bytes per value, so it touches up to {@value #SLACK} bytes after the stream.
 */
public final class BitStream {
  /** Bytes after the stream that a read may touch, and that must therefore exist. */
  public static final int SLACK = 7;

  /** Greatest width of longs: eight bytes hold a value of this width at any bit offset. */
  public static final int MAX_LONG_WIDTH = 56;

  private BitStream() {}

  /** Returns the size of {@code numValues} values in bytes. */
  public static int numBytes(int numValues, int width) {
    return (int) (((long) numValues * width + 7) / 8);
  }

  /**
   * Appends the values after subtracting {@code base}.
   *
   * @param values the first {@code numValues} are packed; each difference fits {@code width} bits
   * @param width  0 to 32
   */
  public static void pack(int[] values, int numValues, int base, int width, ByteBuffer out) {
    final Writer writer = new Writer(out);
    for (int i = 0; i < numValues; i++) {
      writer.put(values[i] - base & 0xFFFFFFFFL, width);
    }
    writer.finish();
  }

  /**
   * Returns one value.
   *
   * @param offset index in the buffer of the stream's first byte
   * @param width  0 to 32
   * @param index  index of the value
   */
  public static int get(RawBytes in, int offset, int width, int index) {
    if (width == 0) {
      // The stream is empty at width 0, so no byte can be loaded.
      return 0;
    }
    final long bit = (long) index * width;
    final long word = in.getLong(offset + (int) (bit >>> 3));
    final int shift = (int) bit & 7;
    final long value = in.isLittleEndian() ? word >>> shift : word << shift >>> (Long.SIZE - width);
    return (int) (value & (1L << width) - 1);
  }

  /**
   * Appends longs after subtracting {@code base}.
   *
   * @param values the first {@code numValues} are packed; each difference fits {@code width} bits
   * @param width  1 to {@value #MAX_LONG_WIDTH}
   */
  public static void pack(long[] values, int numValues, long base, int width, ByteBuffer out) {
    final Writer writer = new Writer(out);
    for (int i = 0; i < numValues; i++) {
      writer.put(values[i] - base, width);
    }
    writer.finish();
  }

  /** Appends values of any width to a buffer. */
  private static final class Writer {
    private final ByteBuffer out;
    private final boolean littleEndian;
    private long bits;
    private int numBits;

    Writer(ByteBuffer out) {
      this.out = out;
      this.littleEndian = out.order() == ByteOrder.LITTLE_ENDIAN;
    }

    /** At most seven bits are pending, so 56 more fit. */
    void put(long value, int width) {
      bits = littleEndian ? bits | value << numBits : bits << width | value;
      numBits += width;
      while (numBits >= Byte.SIZE) {
        numBits -= Byte.SIZE;
        if (littleEndian) {
          out.put((byte) bits);
          bits >>>= Byte.SIZE;
        } else {
          out.put((byte) (bits >>> numBits));
        }
      }
    }

    void finish() {
      if (numBits > 0) {
        out.put((byte) (littleEndian ? bits : bits << (Byte.SIZE - numBits)));
      }
    }
  }

  /**
   * Returns one long.
   *
   * @param offset index in the buffer of the stream's first byte
   * @param width  1 to {@value #MAX_LONG_WIDTH}
   * @param index  index of the value
   */
  public static long getLong(RawBytes in, int offset, int width, int index) {
    final long bit = (long) index * width;
    final long word = in.getLong(offset + (int) (bit >>> 3));
    final int shift = (int) bit & 7;
    final long value = in.isLittleEndian() ? word >>> shift : word << shift >>> (Long.SIZE - width);
    return value & (1L << width) - 1;
  }
}
