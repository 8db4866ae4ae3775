// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Packing of ints in one to four bytes each, in the byte order of the buffer. Each loop handles one width, so that the
 * JIT compiler sees constant strides.
 */
public final class BytePacking {
  private BytePacking() {}

  /** Returns the smallest number of bytes, 1 to 4, that holds the value as an unsigned int. */
  public static int numBytes(int value) {
    return Math.max(1, (Integer.SIZE + 7 - Integer.numberOfLeadingZeros(value)) / 8);
  }

  /** Appends one value in {@code numBytes} bytes; higher bytes of the value are dropped. */
  public static void put(int value, int numBytes, ByteBuffer out) {
    switch (numBytes) {
      case 1 -> out.put((byte) value);
      case 2 -> out.putShort((short) value);
      case 3 -> {
        if (out.order() == ByteOrder.LITTLE_ENDIAN) {
          out.putShort((short) value).put((byte) (value >>> 16));
        } else {
          out.put((byte) (value >>> 16)).putShort((short) value);
        }
      }
      default -> out.putInt(value);
    }
  }

  /** Appends {@code length} values from index {@code start}, in {@code numBytes} bytes each. */
  public static void pack(int[] values, int start, int length, int numBytes, ByteBuffer out) {
    if (numBytes == Integer.BYTES) {
      out.asIntBuffer().put(values, start, length);
      out.position(out.position() + length * Integer.BYTES);
      return;
    }
    for (int i = start; i < start + length; i++) {
      put(values[i], numBytes, out);
    }
  }

  /**
   * Appends the first {@code size} values byte by byte: the lowest byte of each, then the second byte of each, and so
   * on.
   */
  public static void shuffle(int[] values, int size, int numBytes, ByteBuffer out) {
    for (int shift = 0; shift < Byte.SIZE * numBytes; shift += Byte.SIZE) {
      for (int i = 0; i < size; i++) {
        out.put((byte) (values[i] >>> shift));
      }
    }
  }

  /**
   * Returns one shuffled value.
   *
   * @param position position of the lowest byte of the first value
   * @param stride   number of values, which is the distance between two bytes of a value
   */
  public static int getShuffled(RawBytes in, int position, int stride, int numBytes, int index) {
    int value = 0;
    for (int i = numBytes - 1; i >= 0; i--) {
      value = value << Byte.SIZE | get1(in, position + i * stride + index);
    }
    return value;
  }

  /** Reads {@code length} shuffled values from index {@code start}. */
  public static void unshuffle(
      RawBytes in,
      int position,
      int stride,
      int numBytes,
      int start,
      int[] out,
      int offset,
      int length
  ) {
    unpack1(in, position + start, out, offset, length);
    for (int plane = 1; plane < numBytes; plane++) {
      final int bytes = position + plane * stride + start;
      for (int i = 0; i < length; i++) {
        out[offset + i] |= get1(in, bytes + i) << (Byte.SIZE * plane);
      }
    }
  }

  /** Returns the value of {@code numBytes} bytes at a position of the buffer, with bounds checks. */
  public static int get(ByteBuffer in, int position, int numBytes) {
    return switch (numBytes) {
      case 1 -> in.get(position) & 0xFF;
      case 2 -> in.getShort(position) & 0xFFFF;
      case 3 -> in.order() == ByteOrder.LITTLE_ENDIAN
                ? (in.getShort(position) & 0xFFFF) | ((in.get(position + 2) & 0xFF) << 16)
                : ((in.get(position) & 0xFF) << 16) | (in.getShort(position + 1) & 0xFFFF);
      default -> in.getInt(position);
    };
  }

  /** Returns the value of one byte at a position. */
  public static int get1(RawBytes in, int position) {
    return in.getByte(position);
  }

  /** Returns the value of two bytes at a position. */
  public static int get2(RawBytes in, int position) {
    return in.getShort(position);
  }

  /** Returns the value of three bytes at a position; never touches a fourth byte. */
  public static int get3(RawBytes in, int position) {
    return in.isLittleEndian()
           ? in.getShort(position) | in.getByte(position + 2) << 16
           : in.getByte(position) << 16 | in.getShort(position + 1);
  }

  /** Reads {@code length} values of one byte each. */
  public static void unpack1(RawBytes in, int position, int[] out, int offset, int length) {
    for (int i = 0; i < length; i++) {
      out[offset + i] = get1(in, position + i);
    }
  }

  /** Reads {@code length} values of two bytes each. */
  public static void unpack2(RawBytes in, int position, int[] out, int offset, int length) {
    for (int i = 0; i < length; i++) {
      out[offset + i] = get2(in, position + 2 * i);
    }
  }

  /** Reads {@code length} values of three bytes each. */
  public static void unpack3(RawBytes in, int position, int[] out, int offset, int length) {
    for (int i = 0; i < length; i++) {
      out[offset + i] = get3(in, position + 3 * i);
    }
  }

  /** Reads {@code length} values of four bytes each. */
  public static void unpack4(RawBytes in, int position, int[] out, int offset, int length) {
    in.getInts(position, out, offset, length);
  }
}
