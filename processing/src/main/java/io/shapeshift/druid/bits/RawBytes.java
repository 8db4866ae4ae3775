// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.apache.druid.java.util.common.UnsafeUtils;

/**
 * Unchecked reads of a buffer's bytes, without a virtual call, for any kind of buffer. The caller must have checked
 * that the bytes exist: a position outside the buffer reads other memory or crashes the process. Reads are checked
 * where assertions are on, as in tests.
 *
 * <p>A single read through {@link ByteBuffer} is two to four times as slow, because of its checks and of the kinds of
 * buffers (direct or heap, read-only or not, either byte order). Where the JVM denies unchecked access,
 * {@link CheckedBytes} replaces it.
 */
public final class RawBytes {
  /** System property that switches to checked access if it is {@code false}. */
  static final String PROPERTY = "shapeshift.unsafe";

  private static final boolean UNCHECKED = !"false".equals(System.getProperty(PROPERTY)) && isAllowed();

  // Method handles, as in Druid, because the compiler's warning about sun.misc.Unsafe cannot be suppressed. A static
  // final handle is as fast as a direct call, and the choice between checked and unchecked methods costs nothing per
  // call.
  private static final MethodHandle GET_BYTE = getter("getByte", "getByte", byte.class);
  private static final MethodHandle GET_SHORT = getter("getShort", "getShort", short.class);
  private static final MethodHandle GET_INT = getter("getInt", "getInt", int.class);
  private static final MethodHandle GET_LONG = getter("getLong", "getLong", long.class);
  private static final MethodHandle GET_ELEMENT = getter("getLong", "getElement", long.class);
  private static final MethodHandle GET_OBJECT = getter("getObject", "getObject", Object.class);
  private static final MethodHandle GET_ADDRESS = getter("getLong", "getAddress", long.class);
  private static final MethodHandle COPY_MEMORY = method(
      "copyMemory", void.class, Object.class, long.class, Object.class, long.class, long.class);
  private static final long ADDRESS = offsetOf(Buffer.class, "address");
  private static final long ARRAY = offsetOf(ByteBuffer.class, "hb");
  private static final MethodHandle PUT_LONG = method("putLong", void.class, Object.class, long.class, long.class);
  private static final long BYTE_ARRAY = arrayBaseOffset(byte[].class);
  private static final long INT_ARRAY = arrayBaseOffset(int[].class);
  private static final long LONG_ARRAY = arrayBaseOffset(long[].class);
  private static final long FLOAT_ARRAY = arrayBaseOffset(float[].class);
  private static final long DOUBLE_ARRAY = arrayBaseOffset(double[].class);

  /** Bytes that {@link #getBytesInSteps} copies at once. */
  public static final int STEP = 4 * Long.BYTES;

  /** The buffer; the reference keeps its memory from being freed. */
  private ByteBuffer buffer;
  /** The array of a heap buffer; null for a direct buffer. */
  private Object base;
  private long address;
  private boolean swapped;

  /**
   * Returns whether the JVM allows unchecked access. JDK 23 and later have an option that denies it, and later JDKs
   * will deny it by default.
   */
  private static boolean isAllowed() {
    try {
      final long start = (int) unsafe("arrayBaseOffset", int.class, Class.class).invoke(byte[].class);
      return (long) unsafe("getLong", long.class, Object.class, long.class).invoke(new byte[Long.BYTES], start) == 0;
    } catch (Throwable e) {
      return false;
    }
  }

  /** Returns whether memory is accessed unchecked; checked access is slower. */
  public static boolean isUnchecked() {
    return UNCHECKED;
  }

  private static MethodHandle unsafe(String name, Class<?> type, Class<?>... parameters)
      throws ReflectiveOperationException {
    return MethodHandles.lookup()
        .findVirtual(UnsafeUtils.theUnsafeClass(), name, MethodType.methodType(type, parameters))
        .bindTo(UnsafeUtils.theUnsafe());
  }

  private static MethodHandle getter(String unchecked, String checked, Class<?> type) {
    return method(UNCHECKED ? unchecked : checked, type, Object.class, long.class);
  }

  private static MethodHandle method(String name, Class<?> type, Class<?>... parameters) {
    try {
      return UNCHECKED ? unsafe(name, type, parameters) : CheckedBytes.method(name, type, parameters);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("sun.misc.Unsafe of this Java has no method " + name, e);
    }
  }

  private static long offsetOf(Class<?> type, String field) {
    try {
      return UNCHECKED
             ? (long) unsafe("objectFieldOffset", long.class, Field.class).invoke(type.getDeclaredField(field))
             : 0;
    } catch (Throwable e) {
      throw new IllegalStateException(type + " has no field " + field + " in this Java", e);
    }
  }

  private static int arrayBaseOffset(Class<?> type) {
    try {
      return UNCHECKED ? (int) unsafe("arrayBaseOffset", int.class, Class.class).invoke(type) : 0;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Wraps an exception of a handle. Only the checked handles can throw. */
  private static RuntimeException failed(Throwable e) {
    if (e instanceof RuntimeException unchecked) {
      return unchecked;
    }
    throw new AssertionError(e);
  }

  /**
   * Attaches this reader to a buffer.
   *
   * @param buffer read in its byte order; positions are absolute, and its position and limit do not matter
   */
  public void wrap(ByteBuffer buffer) {
    this.buffer = buffer;
    try {
      this.base = (Object) GET_OBJECT.invokeExact((Object) buffer, ARRAY);
      this.address = (long) GET_ADDRESS.invokeExact((Object) buffer, ADDRESS);
    } catch (Throwable e) {
      throw failed(e);
    }
    this.swapped = buffer.order() != ByteOrder.nativeOrder();
  }

  /** Releases the buffer. */
  public void release() {
    buffer = null;
    base = null;
    address = 0;
  }

  /** Returns whether the byte order is little-endian. */
  boolean isLittleEndian() {
    return swapped ^ ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  }

  private boolean holds(int position, long length) {
    return position >= 0 && position + length <= buffer.capacity();
  }

  /** Returns the unsigned byte at a position. */
  public int getByte(int position) {
    assert holds(position, Byte.BYTES) : position;
    try {
      return (byte) GET_BYTE.invokeExact(base, address + position) & 0xFF;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Returns the unsigned short at a position. */
  public int getShort(int position) {
    assert holds(position, Short.BYTES) : position;
    final short value;
    try {
      value = (short) GET_SHORT.invokeExact(base, address + position);
    } catch (Throwable e) {
      throw failed(e);
    }
    return (swapped ? Short.reverseBytes(value) : value) & 0xFFFF;
  }

  /** Returns the int at a position. */
  public int getInt(int position) {
    assert holds(position, Integer.BYTES) : position;
    final int value;
    try {
      value = (int) GET_INT.invokeExact(base, address + position);
    } catch (Throwable e) {
      throw failed(e);
    }
    return swapped ? Integer.reverseBytes(value) : value;
  }

  /** Returns the long at a position. */
  public long getLong(int position) {
    assert holds(position, Long.BYTES) : position;
    final long value;
    try {
      value = (long) GET_LONG.invokeExact(base, address + position);
    } catch (Throwable e) {
      throw failed(e);
    }
    return swapped ? Long.reverseBytes(value) : value;
  }

  /** Returns the long at a position whose lowest byte is the first, whatever the byte order of the buffer. */
  public long getLowFirst(int position) {
    assert holds(position, Long.BYTES) : position;
    final long value;
    try {
      value = (long) GET_LONG.invokeExact(base, address + position);
    } catch (Throwable e) {
      throw failed(e);
    }
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
  }

  /**
   * Copies {@code length} bytes from a position in steps of eight. Up to seven bytes after them are read and written
   * too.
   *
   * @param length a small number; {@link ByteBuffer#get(int, byte[], int, int)} is faster for hundreds of bytes
   */
  public void getBytes(int position, byte[] out, int offset, int length) {
    for (int i = 0; i < length; i += Long.BYTES) {
      assert holds(position + i, Long.BYTES) : position;
      try {
        putNative(out, offset + i, (long) GET_LONG.invokeExact(base, address + position + i));
      } catch (Throwable e) {
        throw failed(e);
      }
    }
  }

  /**
   * Copies {@code length} bytes from a position in steps of {@value #STEP}. Up to {@code STEP - 1} bytes after them are
   * read and written too. If most copies fit one step, no branch depends on the length.
   */
  public void getBytesInSteps(int position, byte[] out, int offset, int length) {
    for (int i = 0; i < length; i += STEP) {
      assert holds(position + i, STEP) : position;
      final long from = address + position + i;
      final int to = offset + i;
      try {
        putNative(out, to, (long) GET_LONG.invokeExact(base, from));
        putNative(out, to + Long.BYTES, (long) GET_LONG.invokeExact(base, from + Long.BYTES));
        putNative(out, to + 2 * Long.BYTES, (long) GET_LONG.invokeExact(base, from + 2 * Long.BYTES));
        putNative(out, to + 3 * Long.BYTES, (long) GET_LONG.invokeExact(base, from + 3 * Long.BYTES));
      } catch (Throwable e) {
        throw failed(e);
      }
    }
  }

  /** Returns the long at an index of an array, without a bounds check. */
  public static long getLong(long[] in, int index) {
    assert index >= 0 && index < in.length : index;
    try {
      return (long) GET_ELEMENT.invokeExact((Object) in, LONG_ARRAY + (long) Long.BYTES * index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Stores eight bytes in an array, the lowest first, without a bounds check. */
  public static void putLong(byte[] out, int offset, long value) {
    putNative(out, offset, ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value));
  }

  private static void putNative(byte[] out, int offset, long value) {
    assert offset >= 0 && offset + Long.BYTES <= out.length : offset;
    try {
      PUT_LONG.invokeExact((Object) out, BYTE_ARRAY + offset, value);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Copies {@code length} ints from a position. */
  public void getInts(int position, int[] out, int offset, int length) {
    // The unchecked copy does not check the array.
    Objects.checkFromIndexSize(offset, length, out.length);
    assert holds(position, (long) Integer.BYTES * length) : position;
    copy(base, address + position, out, INT_ARRAY + (long) Integer.BYTES * offset, (long) Integer.BYTES * length);
    if (swapped) {
      for (int i = offset; i < offset + length; i++) {
        out[i] = Integer.reverseBytes(out[i]);
      }
    }
  }

  /** Copies {@code length} longs from a position. */
  public void getLongs(int position, long[] out, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, out.length);
    assert holds(position, (long) Long.BYTES * length) : position;
    copy(base, address + position, out, LONG_ARRAY + (long) Long.BYTES * offset, (long) Long.BYTES * length);
    if (swapped) {
      for (int i = offset; i < offset + length; i++) {
        out[i] = Long.reverseBytes(out[i]);
      }
    }
  }

  /** Copies {@code length} doubles from a position. */
  public void getDoubles(int position, double[] out, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, out.length);
    assert holds(position, (long) Double.BYTES * length) : position;
    if (swapped) {
      for (int i = 0; i < length; i++) {
        out[offset + i] = Double.longBitsToDouble(getLong(position + Double.BYTES * i));
      }
    } else {
      copy(base, address + position, out, DOUBLE_ARRAY + (long) Double.BYTES * offset, (long) Double.BYTES * length);
    }
  }

  /** Copies {@code length} floats from a position. */
  public void getFloats(int position, float[] out, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, out.length);
    assert holds(position, (long) Float.BYTES * length) : position;
    if (swapped) {
      for (int i = 0; i < length; i++) {
        out[offset + i] = Float.intBitsToFloat(getInt(position + Float.BYTES * i));
      }
    } else {
      copy(base, address + position, out, FLOAT_ARRAY + (long) Float.BYTES * offset, (long) Float.BYTES * length);
    }
  }

  /**
   * Converts raw bits to doubles. It copies memory, in a fifth of the time of {@link Double#longBitsToDouble}, which C2
   * does not vectorise.
   */
  public static void toDoubles(long[] bits, int start, double[] out, int offset, int length) {
    Objects.checkFromIndexSize(start, length, bits.length);
    Objects.checkFromIndexSize(offset, length, out.length);
    copy(bits, LONG_ARRAY + (long) Long.BYTES * start, out, DOUBLE_ARRAY + (long) Double.BYTES * offset,
        (long) Long.BYTES * length);
  }

  /** Converts the first {@code length} doubles to raw bits. */
  public static void toLongs(double[] in, long[] out, int length) {
    Objects.checkFromIndexSize(0, length, in.length);
    Objects.checkFromIndexSize(0, length, out.length);
    copy(in, DOUBLE_ARRAY, out, LONG_ARRAY, (long) Long.BYTES * length);
  }

  /** Converts the first {@code length} floats to raw bits. */
  public static void toInts(float[] in, int[] out, int length) {
    Objects.checkFromIndexSize(0, length, in.length);
    Objects.checkFromIndexSize(0, length, out.length);
    copy(in, FLOAT_ARRAY, out, INT_ARRAY, (long) Integer.BYTES * length);
  }

  /** Converts raw bits to floats. */
  public static void toFloats(int[] bits, int start, float[] out, int offset, int length) {
    Objects.checkFromIndexSize(start, length, bits.length);
    Objects.checkFromIndexSize(offset, length, out.length);
    copy(bits, INT_ARRAY + (long) Integer.BYTES * start, out, FLOAT_ARRAY + (long) Float.BYTES * offset,
        (long) Integer.BYTES * length);
  }

  private static void copy(Object from, long fromOffset, Object to, long toOffset, long bytes) {
    try {
      COPY_MEMORY.invokeExact(from, fromOffset, to, toOffset, bytes);
    } catch (Throwable e) {
      throw failed(e);
    }
  }
}
