// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Ints in one to four bytes each, in the byte order of the buffer. Every loop is over one width, so that the JIT
 * compiler sees constant strides.
 */
public final class BytePacking {
  private BytePacking() {}

  /** The least number of bytes, 1 to 4, that hold the value taken as unsigned. */
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

  /** Appends the first {@code size} values in {@code numBytes} bytes each. */
  public static void pack(int[] values, int size, int numBytes, ByteBuffer out) {
    if (numBytes == Integer.BYTES) {
      out.asIntBuffer().put(values, 0, size);
      out.position(out.position() + size * Integer.BYTES);
      return;
    }
    for (int i = 0; i < size; i++) {
      put(values[i], numBytes, out);
    }
  }

  /** Appends the first {@code size} values byte by byte: the lowest of each, then the second of each, and so on. */
  public static void shuffle(int[] values, int size, int numBytes, ByteBuffer out) {
    for (int shift = 0; shift < Byte.SIZE * numBytes; shift += Byte.SIZE) {
      for (int i = 0; i < size; i++) {
        out.put((byte) (values[i] >>> shift));
      }
    }
  }

  /**
   * One shuffled value.
   *
   * @param position where the lowest byte of the first value is
   * @param stride   number of values, from one byte of a value to the next
   */
  public static int getShuffled(ByteBuffer in, int position, int stride, int numBytes, int index) {
    int value = 0;
    for (int i = numBytes - 1; i >= 0; i--) {
      value = value << Byte.SIZE | get1(in, position + i * stride + index);
    }
    return value;
  }

  /** Reads {@code length} shuffled values from index {@code start} on. */
  public static void unshuffle(
      ByteBuffer in,
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

  /** The value of {@code numBytes} bytes at an index of the buffer. */
  public static int get(ByteBuffer in, int position, int numBytes) {
    return switch (numBytes) {
      case 1 -> get1(in, position);
      case 2 -> get2(in, position);
      case 3 -> in.order() == ByteOrder.LITTLE_ENDIAN ? get3LittleEndian(in, position) : get3BigEndian(in, position);
      default -> in.getInt(position);
    };
  }

  /** The value of one byte at an index of the buffer. */
  public static int get1(ByteBuffer in, int position) {
    return in.get(position) & 0xFF;
  }

  /** The value of two bytes at an index of the buffer. */
  public static int get2(ByteBuffer in, int position) {
    return in.getShort(position) & 0xFFFF;
  }

  /** The value of three bytes at an index of a little-endian buffer; never touches a fourth byte. */
  public static int get3LittleEndian(ByteBuffer in, int position) {
    return (in.getShort(position) & 0xFFFF) | (in.get(position + 2) & 0xFF) << 16;
  }

  /** The value of three bytes at an index of a big-endian buffer; never touches a fourth byte. */
  public static int get3BigEndian(ByteBuffer in, int position) {
    return (in.get(position) & 0xFF) << 16 | (in.getShort(position + 1) & 0xFFFF);
  }

  /** Reads {@code length} values of one byte each. */
  public static void unpack1(ByteBuffer in, int position, int[] out, int offset, int length) {
    for (int i = 0; i < length; i++) {
      out[offset + i] = get1(in, position + i);
    }
  }

  /** Reads {@code length} values of two bytes each. */
  public static void unpack2(ByteBuffer in, int position, int[] out, int offset, int length) {
    for (int i = 0; i < length; i++) {
      out[offset + i] = get2(in, position + 2 * i);
    }
  }

  /** Reads {@code length} values of three bytes each from a little-endian buffer. */
  public static void unpack3LittleEndian(ByteBuffer in, int position, int[] out, int offset, int length) {
    // One load each, of a byte too many; behind the last value there may be none.
    final int last = length - 1;
    for (int i = 0; i < last; i++) {
      out[offset + i] = in.getInt(position + 3 * i) & 0xFFFFFF;
    }
    if (last >= 0) {
      out[offset + last] = get3LittleEndian(in, position + 3 * last);
    }
  }

  /** Reads {@code length} values of three bytes each from a big-endian buffer. */
  public static void unpack3BigEndian(ByteBuffer in, int position, int[] out, int offset, int length) {
    final int last = length - 1;
    for (int i = 0; i < last; i++) {
      out[offset + i] = in.getInt(position + 3 * i) >>> 8;
    }
    if (last >= 0) {
      out[offset + last] = get3BigEndian(in, position + 3 * last);
    }
  }

  /** Reads {@code length} values of four bytes each. */
  public static void unpack4(ByteBuffer in, int position, int[] out, int offset, int length) {
    for (int i = 0; i < length; i++) {
      out[offset + i] = in.getInt(position + 4 * i);
    }
  }
}
