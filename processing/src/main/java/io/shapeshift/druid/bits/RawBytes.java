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
 * The bytes of a buffer, read without any check and without a virtual call, whatever kind of buffer it is. Whoever
 * reads has checked that all of what may be asked for is there: a position outside of the buffer reads other memory, or
 * ends the process. Where assertions are on, as in tests, reads are checked.
 *
 * <p>The checks and the kinds of buffers (direct or not, read-only or not, of either byte order) make a single read
 * through {@link ByteBuffer} two to four times as slow. Where the JVM denies unchecked access, {@link CheckedBytes}
 * takes its place.
 */
public final class RawBytes {
  /** The system property that, as {@code false}, has all access checked as if the JVM denied the other. */
  static final String PROPERTY = "shapeshift.unsafe";

  private static final boolean UNCHECKED = !"false".equals(System.getProperty(PROPERTY)) && isAllowed();

  // By handles, as Druid does it: the compiler's warning of sun.misc.Unsafe cannot be suppressed. What is final and
  // static is as fast as a call, and which methods these are costs nothing where they are called.
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

  /** Kept for its memory not to be freed. */
  private ByteBuffer buffer;
  /** The array of a buffer on the heap; null otherwise. */
  private Object base;
  private long address;
  private boolean swapped;

  /** Whether the JVM lets us access memory unchecked: a later one will not, and an option denies it from JDK 23 on. */
  private static boolean isAllowed() {
    try {
      final long start = (int) unsafe("arrayBaseOffset", int.class, Class.class).invoke(byte[].class);
      return (long) unsafe("getLong", long.class, Object.class, long.class).invoke(new byte[Long.BYTES], start) == 0;
    } catch (Throwable e) {
      return false;
    }
  }

  /** Whether memory is accessed unchecked; if the JVM denies that, checked access is slower. */
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

  /** None of the handles throws anything, but for those that check. */
  private static RuntimeException failed(Throwable e) {
    if (e instanceof RuntimeException unchecked) {
      return unchecked;
    }
    throw new AssertionError(e);
  }

  /**
   * Reads another buffer from now on.
   *
   * @param buffer in its byte order; its positions are those of the reads, and its own position and limit do not matter
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
    try {
      return (byte) GET_BYTE.invokeExact(base, address + position) & 0xFF;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** The short at a position, as unsigned. */
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

  /** The int at a position. */
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

  /** The long at a position. */
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

  /**
   * Copies {@code length} bytes from a position on, in steps of eight: up to seven bytes behind are read, and as many
   * written.
   *
   * @param length few; {@link ByteBuffer#get(int, byte[], int, int)} is faster where there are hundreds
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
   * Copies {@code length} bytes from a position on, in steps of {@value #STEP}: up to {@code STEP - 1} bytes behind are
   * read, and as many written. Of parts that are hardly ever longer it takes no branch that depends on the length.
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

  /** The number at an index of an array, without a check that there is one. */
  public static long getLong(long[] in, int index) {
    assert index >= 0 && index < in.length : index;
    try {
      return (long) GET_ELEMENT.invokeExact((Object) in, LONG_ARRAY + (long) Long.BYTES * index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Puts eight bytes into an array, the lowest first, without a check that they have room. */
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

  /** Copies {@code length} ints from a position on. */
  public void getInts(int position, int[] out, int offset, int length) {
    // The array is checked, as nobody else would.
    Objects.checkFromIndexSize(offset, length, out.length);
    assert holds(position, (long) Integer.BYTES * length) : position;
    copy(base, address + position, out, INT_ARRAY + (long) Integer.BYTES * offset, (long) Integer.BYTES * length);
    if (swapped) {
      for (int i = offset; i < offset + length; i++) {
        out[i] = Integer.reverseBytes(out[i]);
      }
    }
  }

  /** Copies {@code length} longs from a position on. */
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

  /** Copies {@code length} doubles from a position on. */
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

  /** Copies {@code length} floats from a position on. */
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
   * Takes longs for the raw bits of doubles. A copy of memory takes a fifth of the time that
   * {@link Double#longBitsToDouble} would, which no loop vectorises.
   */
  public static void toDoubles(long[] bits, int start, double[] out, int offset, int length) {
    Objects.checkFromIndexSize(start, length, bits.length);
    Objects.checkFromIndexSize(offset, length, out.length);
    copy(bits, LONG_ARRAY + (long) Long.BYTES * start, out, DOUBLE_ARRAY + (long) Double.BYTES * offset,
        (long) Long.BYTES * length);
  }

  /** The raw bits of doubles, from the first of both arrays on. */
  public static void toLongs(double[] in, long[] out, int length) {
    Objects.checkFromIndexSize(0, length, in.length);
    Objects.checkFromIndexSize(0, length, out.length);
    copy(in, DOUBLE_ARRAY, out, LONG_ARRAY, (long) Long.BYTES * length);
  }

  /** The raw bits of floats, from the first of both arrays on. */
  public static void toInts(float[] in, int[] out, int length) {
    Objects.checkFromIndexSize(0, length, in.length);
    Objects.checkFromIndexSize(0, length, out.length);
    copy(in, FLOAT_ARRAY, out, INT_ARRAY, (long) Integer.BYTES * length);
  }

  /** Takes ints for the raw bits of floats. */
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
