// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Ints from 0 to 2^31-1 that wait for the choice of their forms: as many as fit into some bytes, when all of them take
 * as many bytes as the widest so far, 1, 2 or 4. So many may become one compressed chunk; and a segment's merge, which
 * fills hundreds of columns at a time, holds no more of each.
 */
public final class PendingInts implements PendingValues<IntChunk> {
  private static final int INITIAL_CAPACITY = 1024;

  private final int maxBytes;
  /** Of these three only that for values as wide as the widest so far. */
  @Nullable
  private byte[] bytes = new byte[INITIAL_CAPACITY];
  @Nullable
  private short[] shorts;
  @Nullable
  private int[] ints;
  private int bytesPerValue = 1;
  private int size;
  private int position;

  /**
   * Makes room for values.
   *
   * @param maxBytes bytes that they take at the most, a power of 2
   */
  public PendingInts(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Whether the value may wait besides those that are there. As many may as fit in, and fewer at first if the position
   * of the first is no multiple of that number: chunks do not go across the borders of larger ones.
   */
  public boolean hasRoomFor(int value) {
    final int most = maxBytes / Math.max(bytesPerValue, bytesPerValue(value));
    return size < most - (position & most - 1);
  }

  private static int bytesPerValue(int value) {
    return value <= 0xFF ? Byte.BYTES : value <= 0xFFFF ? Short.BYTES : Integer.BYTES;
  }

  /**
   * Appends a value, for which there is room.
   *
   * @throws IllegalArgumentException if the value is negative: nothing that Druid encodes in ints is
   */
  public void add(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("value[" + value + "] must not be negative");
    }
    if (bytesPerValue(value) > bytesPerValue) {
      widen(bytesPerValue(value));
    }
    switch (bytesPerValue) {
      case Byte.BYTES -> {
        if (size == bytes.length) {
          bytes = Arrays.copyOf(bytes, 2 * size);
        }
        bytes[size++] = (byte) value;
      }
      case Short.BYTES -> {
        if (size == shorts.length) {
          shorts = Arrays.copyOf(shorts, 2 * size);
        }
        shorts[size++] = (short) value;
      }
      default -> {
        if (size == ints.length) {
          ints = Arrays.copyOf(ints, 2 * size);
        }
        ints[size++] = value;
      }
    }
  }

  private void widen(int newBytesPerValue) {
    final int[] values = new int[Math.max(INITIAL_CAPACITY, size)];
    copyTo(values, 0, size);
    bytes = null;
    shorts = null;
    bytesPerValue = newBytesPerValue;
    if (bytesPerValue == Short.BYTES) {
      shorts = new short[values.length];
      for (int i = 0; i < size; i++) {
        shorts[i] = (short) values[i];
      }
    } else {
      ints = values;
    }
  }

  private void copyTo(int[] out, int start, int length) {
    switch (bytesPerValue) {
      case Byte.BYTES -> {
        for (int i = 0; i < length; i++) {
          out[i] = bytes[start + i] & 0xFF;
        }
      }
      case Short.BYTES -> {
        for (int i = 0; i < length; i++) {
          out[i] = shorts[start + i] & 0xFFFF;
        }
      }
      default -> System.arraycopy(ints, start, out, 0, length);
    }
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void copyTo(IntChunk chunk, int start, int length) {
    copyTo(chunk.startFilling(length), start, length);
  }

  @Override
  public void removeFirst(int length, int position) {
    size -= length;
    this.position = position;
    final Object values = bytesPerValue == Byte.BYTES ? bytes : bytesPerValue == Short.BYTES ? shorts : ints;
    System.arraycopy(values, length, values, 0, size);
  }
}
