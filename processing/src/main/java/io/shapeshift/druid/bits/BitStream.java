// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Ints of a fixed width in bits, one behind the other: value i takes the bits from {@code i * width} on. In a
 * little-endian buffer bits are counted from the lowest of the first byte, in a big-endian one from the highest. Bits
 * behind the last value are zero.
 *
 * <p>Eight bytes are loaded for each value, so that up to {@value #SLACK} bytes behind the stream are touched.
 */
public final class BitStream {
  /** Bytes behind the stream that reading may touch, and that must be there. */
  public static final int SLACK = 7;

  /** The most bits of longs, of which eight bytes hold one wherever it starts. */
  public static final int MAX_LONG_WIDTH = 56;

  private BitStream() {}

  /** Bytes of {@code numValues} values. */
  public static int numBytes(int numValues, int width) {
    return (int) (((long) numValues * width + 7) / 8);
  }

  /**
   * Appends the values, less a base.
   *
   * @param values the first {@code numValues}, each of no more than {@code width} bits once the base is taken off
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
   * One value.
   *
   * @param offset index in the buffer of the stream's first byte
   * @param width  0 to 32
   * @param index  of the value
   */
  public static int get(RawBytes in, int offset, int width, int index) {
    if (width == 0) {
      // There is no byte of it.
      return 0;
    }
    final long bit = (long) index * width;
    final long word = in.getLong(offset + (int) (bit >>> 3));
    final int shift = (int) bit & 7;
    final long value = in.isLittleEndian() ? word >>> shift : word << shift >>> (Long.SIZE - width);
    return (int) (value & (1L << width) - 1);
  }

  /**
   * Appends longs, less a base.
   *
   * @param values the first {@code numValues}, each of no more than {@code width} bits once the base is taken off
   * @param width  1 to {@value #MAX_LONG_WIDTH}
   */
  public static void pack(long[] values, int numValues, long base, int width, ByteBuffer out) {
    final Writer writer = new Writer(out);
    for (int i = 0; i < numValues; i++) {
      writer.put(values[i] - base, width);
    }
    writer.finish();
  }

  /** Puts bits behind bits. */
  private static final class Writer {
    private final ByteBuffer out;
    private final boolean littleEndian;
    private long bits;
    private int numBits;

    Writer(ByteBuffer out) {
      this.out = out;
      this.littleEndian = out.order() == ByteOrder.LITTLE_ENDIAN;
    }

    /** Fewer than eight bits wait, so that 56 more have room. */
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
   * One long.
   *
   * @param offset index in the buffer of the stream's first byte
   * @param width  1 to {@value #MAX_LONG_WIDTH}
   * @param index  of the value
   */
  public static long getLong(RawBytes in, int offset, int width, int index) {
    final long bit = (long) index * width;
    final long word = in.getLong(offset + (int) (bit >>> 3));
    final int shift = (int) bit & 7;
    final long value = in.isLittleEndian() ? word >>> shift : word << shift >>> (Long.SIZE - width);
    return value & (1L << width) - 1;
  }
}
