// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.BufferedValues;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.Pool;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/**
 * Buffers ints from 0 to 2^31-1 until their forms are chosen. Each takes as many bytes as the widest so far: 1, 2 or 4.
 * The buffer holds at most the values of one compressed chunk, because a segment's merge fills hundreds of columns at a
 * time.
 */
public final class BufferedInts implements BufferedValues<IntChunk> {
  private static final int INITIAL_CAPACITY = 1024;
  private static final Pool<IntChunk> CHUNKS =
      Pool.forThreads("int chunks", () -> new IntChunk(Limits.MAX_INTS_PER_CHUNK));

  private final int maxBytes;
  /** Only one of these three is not null: that for the bytes per value. */
  @Nullable
  private byte[] bytes = new byte[INITIAL_CAPACITY];
  @Nullable
  private short[] shorts;
  @Nullable
  private int[] ints;
  private int bytesPerValue = Byte.BYTES;
  /** The largest value that fits into {@link #bytesPerValue}. */
  private int widest = 0xFF;
  /** How many values the buffer can hold at this width. */
  private int room;
  private int size;
  private int position;
  /** Bytes of the widest value for which there was no room, if that is wider than those that wait. */
  private int bytesAsked;
  /** What {@link #chunk} filled last; null if it filled none since {@link #release}. */
  @Nullable
  private ResourceHolder<IntChunk> chunk;
  private int chunkStart;

  /**
   * Makes room for values.
   *
   * @param maxBytes bytes that they take at the most, a power of 2
   */
  public BufferedInts(int maxBytes) {
    this.maxBytes = maxBytes;
    this.room = room(Byte.BYTES);
  }

  /** Chunks do not cross the borders of larger ones: there is room for fewer if the first is not at such a border. */
  private int room(int bytesPerValue) {
    final int most = maxBytes / bytesPerValue;
    return most - (position & most - 1);
  }

  private static int bytesPerValue(int value) {
    return value <= 0xFF ? Byte.BYTES : value <= 0xFFFF ? Short.BYTES : Integer.BYTES;
  }

  /**
   * Appends a value, if there is room for it. The buffer is full when (values + 1) x bytes of the widest value, the new
   * one included, exceed its size.
   *
   * @return whether there was
   * @throws IllegalArgumentException if the value is negative: nothing that Druid encodes in ints is
   */
  public boolean add(int value) {
    // Unsigned, so that a negative value is wider than all others.
    if ((Integer.compareUnsigned(value, widest) > 0 && !makeWiderFor(value)) || size >= room) {
      return false;
    }
    switch (bytesPerValue) {
      case Byte.BYTES -> {
        if (size == bytes.length) {
          bytes = Arrays.copyOf(bytes, Math.min(2 * size, maxBytes / Byte.BYTES));
        }
        bytes[size++] = (byte) value;
      }
      case Short.BYTES -> {
        if (size == shorts.length) {
          shorts = Arrays.copyOf(shorts, Math.min(2 * size, maxBytes / Short.BYTES));
        }
        shorts[size++] = (short) value;
      }
      default -> {
        if (size == ints.length) {
          ints = Arrays.copyOf(ints, Math.min(2 * size, maxBytes / Integer.BYTES));
        }
        ints[size++] = value;
      }
    }
    return true;
  }

  private boolean makeWiderFor(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("value[" + value + "] must not be negative");
    }
    final int needed = bytesPerValue(value);
    if (size >= room(needed)) {
      bytesAsked = needed;
      return false;
    }
    widen(needed);
    return true;
  }

  private void widen(int newBytesPerValue) {
    final int[] values = new int[Math.max(INITIAL_CAPACITY, size)];
    copyTo(values, 0, size);
    bytes = null;
    shorts = null;
    bytesPerValue = newBytesPerValue;
    widest = bytesPerValue == Short.BYTES ? 0xFFFF : Integer.MAX_VALUE;
    room = room(bytesPerValue);
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
  public int sizeToMakeRoom() {
    // From one border of the largest chunks to another one.
    final int most = maxBytes / Math.max(bytesPerValue, bytesAsked);
    return (position + size & -most) - position;
  }

  @Override
  public IntChunk chunk(int start, int length) {
    if (chunk == null) {
      chunk = CHUNKS.take();
    } else if (start == chunkStart && length == chunk.get().size()) {
      return chunk.get();
    }
    chunkStart = start;
    copyTo(chunk.get().startFilling(length), start, length);
    return chunk.get();
  }

  @Override
  public void release() {
    if (chunk != null) {
      chunk.get().clear();
      chunk.close();
      chunk = null;
    }
  }

  @Override
  public void removeFirst(int length, int position) {
    size -= length;
    this.position = position;
    this.room = room(bytesPerValue);
    final Object values = bytesPerValue == Byte.BYTES ? bytes : bytesPerValue == Short.BYTES ? shorts : ints;
    System.arraycopy(values, length, values, 0, size);
  }
}
