// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import sun.misc.Unsafe;

/**
 * The bytes of a buffer, read without any check and without a virtual call, whatever kind of buffer it is. Whoever
 * reads has checked that all of what may be asked for is there: a position outside of the buffer reads other memory, or
 * ends the process. Where assertions are on, as in tests, reads are checked.
 *
 * <p>The checks and the kinds of buffers (direct or not, read-only or not, of either byte order) make a single read
 * through {@link ByteBuffer} two to four times as slow.
 */
public final class RawBytes {
  private static final Unsafe UNSAFE = unsafe();
  private static final long ADDRESS = offsetOf(Buffer.class, "address");
  private static final long ARRAY = offsetOf(ByteBuffer.class, "hb");

  /** Kept for its memory not to be freed. */
  private ByteBuffer buffer;
  /** The array of a buffer on the heap; null otherwise. */
  private Object base;
  private long address;
  private boolean swapped;

  private static Unsafe unsafe() {
    try {
      final Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This Java has no sun.misc.Unsafe", e);
    }
  }

  private static long offsetOf(Class<?> type, String field) {
    try {
      return UNSAFE.objectFieldOffset(type.getDeclaredField(field));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " has no field " + field + " in this Java", e);
    }
  }

  /**
   * Reads another buffer from now on.
   *
   * @param buffer in its byte order; its positions are those of the reads, and its own position and limit do not matter
   */
  public void wrap(ByteBuffer buffer) {
    this.buffer = buffer;
    this.base = UNSAFE.getObject(buffer, ARRAY);
    this.address = UNSAFE.getLong(buffer, ADDRESS);
    this.swapped = buffer.order() != ByteOrder.nativeOrder();
  }

  /** Lets go of the buffer. */
  public void release() {
    buffer = null;
    base = null;
    address = 0;
  }

  /** Whether the lowest byte of a number comes first. */
  boolean isLittleEndian() {
    return swapped ^ ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  }

  private boolean holds(int position, long length) {
    return position >= 0 && position + length <= buffer.capacity();
  }

  /** The byte at a position, as unsigned. */
  public int getByte(int position) {
    assert holds(position, Byte.BYTES) : position;
    return UNSAFE.getByte(base, address + position) & 0xFF;
  }

  /** The short at a position, as unsigned. */
  public int getShort(int position) {
    assert holds(position, Short.BYTES) : position;
    final short value = UNSAFE.getShort(base, address + position);
    return (swapped ? Short.reverseBytes(value) : value) & 0xFFFF;
  }

  /** The int at a position. */
  public int getInt(int position) {
    assert holds(position, Integer.BYTES) : position;
    final int value = UNSAFE.getInt(base, address + position);
    return swapped ? Integer.reverseBytes(value) : value;
  }

  /** The long at a position. */
  public long getLong(int position) {
    assert holds(position, Long.BYTES) : position;
    final long value = UNSAFE.getLong(base, address + position);
    return swapped ? Long.reverseBytes(value) : value;
  }

  /** Copies {@code length} ints from a position on. */
  void getInts(int position, int[] out, int offset, int length) {
    // The array is checked, as nobody else would.
    Objects.checkFromIndexSize(offset, length, out.length);
    assert holds(position, (long) Integer.BYTES * length) : position;
    UNSAFE.copyMemory(
        base,
        address + position,
        out,
        Unsafe.ARRAY_INT_BASE_OFFSET + (long) Integer.BYTES * offset,
        (long) Integer.BYTES * length
    );
    if (swapped) {
      for (int i = offset; i < offset + length; i++) {
        out[i] = Integer.reverseBytes(out[i]);
      }
    }
  }
}
