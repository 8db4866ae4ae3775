// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bounds-checked substitute for {@link RawBytes}, used where the JVM denies {@code sun.misc.Unsafe}, as JVMs after JDK
 * 25 will. Its methods have the names and parameters of {@code Unsafe}, but use variable handles, which check each
 * access. A buffer replaces the address, and a position in the buffer or an index of the array replaces the offset.
 */
final class CheckedBytes {
  private static final ByteOrder NATIVE = ByteOrder.nativeOrder();
  private static final VarHandle SHORTS = MethodHandles.byteBufferViewVarHandle(short[].class, NATIVE);
  private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, NATIVE);
  private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, NATIVE);
  private static final VarHandle LONGS_OF_BYTES = MethodHandles.byteArrayViewVarHandle(long[].class, NATIVE);

  private CheckedBytes() {}

  static MethodHandle method(String name, Class<?> type, Class<?>... parameters) {
    try {
      return MethodHandles.lookup().findStatic(CheckedBytes.class, name, MethodType.methodType(type, parameters));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no method " + name, e);
    }
  }

  /**
   * Returns the object that replaces a buffer's array: a view of the whole buffer, independent of position and limit.
   */
  @SuppressWarnings("unused") // looked up by name
  static Object getObject(Object buffer, long field) {
    return ((ByteBuffer) buffer).duplicate().clear();
  }

  /** Returns the offset of a buffer's first byte in the object from {@link #getObject}. */
  @SuppressWarnings("unused") // looked up by name
  static long getAddress(Object buffer, long field) {
    return 0;
  }

  @SuppressWarnings("unused") // looked up by name
  static byte getByte(Object buffer, long position) {
    return ((ByteBuffer) buffer).get((int) position);
  }

  @SuppressWarnings("unused") // looked up by name
  static short getShort(Object buffer, long position) {
    return (short) SHORTS.get((ByteBuffer) buffer, (int) position);
  }

  @SuppressWarnings("unused") // looked up by name
  static int getInt(Object buffer, long position) {
    return (int) INTS.get((ByteBuffer) buffer, (int) position);
  }

  @SuppressWarnings("unused") // looked up by name
  static long getLong(Object buffer, long position) {
    return (long) LONGS.get((ByteBuffer) buffer, (int) position);
  }

  @SuppressWarnings("unused") // looked up by name
  static long getElement(Object array, long offset) {
    return ((long[]) array)[(int) (offset / Long.BYTES)];
  }

  @SuppressWarnings("unused") // looked up by name
  static void putLong(Object array, long offset, long value) {
    LONGS_OF_BYTES.set((byte[]) array, (int) offset, value);
  }

  /** Copies memory in the two cases that {@link RawBytes} needs: from a buffer, and between numbers and their bits. */
  @SuppressWarnings("unused") // looked up by name
  static void copyMemory(Object from, long fromOffset, Object to, long toOffset, long bytes) {
    if (from instanceof ByteBuffer buffer) {
      copy(buffer.slice((int) fromOffset, (int) bytes).order(NATIVE), to, (int) toOffset);
    } else if (from instanceof long[] bits) {
      toDoubles(bits, (int) (fromOffset / Long.BYTES), (double[]) to, (int) (toOffset / Long.BYTES), bytes);
    } else if (from instanceof int[] bits) {
      toFloats(bits, (int) (fromOffset / Integer.BYTES), (float[]) to, (int) (toOffset / Integer.BYTES), bytes);
    } else if (from instanceof double[] numbers) {
      final long[] out = (long[]) to;
      for (int i = 0; i < bytes / Long.BYTES; i++) {
        out[i] = Double.doubleToRawLongBits(numbers[i]);
      }
    } else {
      final float[] numbers = (float[]) from;
      final int[] out = (int[]) to;
      for (int i = 0; i < bytes / Integer.BYTES; i++) {
        out[i] = Float.floatToRawIntBits(numbers[i]);
      }
    }
  }

  private static void copy(ByteBuffer from, Object to, int offset) {
    if (to instanceof int[] ints) {
      from.asIntBuffer().get(ints, offset / Integer.BYTES, from.remaining() / Integer.BYTES);
    } else if (to instanceof long[] longs) {
      from.asLongBuffer().get(longs, offset / Long.BYTES, from.remaining() / Long.BYTES);
    } else if (to instanceof double[] doubles) {
      from.asDoubleBuffer().get(doubles, offset / Double.BYTES, from.remaining() / Double.BYTES);
    } else {
      from.asFloatBuffer().get((float[]) to, offset / Float.BYTES, from.remaining() / Float.BYTES);
    }
  }

  private static void toDoubles(long[] bits, int start, double[] out, int offset, long bytes) {
    for (int i = 0; i < bytes / Long.BYTES; i++) {
      out[offset + i] = Double.longBitsToDouble(bits[start + i]);
    }
  }

  private static void toFloats(int[] bits, int start, float[] out, int offset, long bytes) {
    for (int i = 0; i < bytes / Integer.BYTES; i++) {
      out[offset + i] = Float.intBitsToFloat(bits[start + i]);
    }
  }
}
