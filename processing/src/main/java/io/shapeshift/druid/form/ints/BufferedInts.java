// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.BufferedValues;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/**
 * Buffer of ints from 0 to 2^31-1 until their forms are chosen. All ints have the same width: 1, 2 or 4 bytes, as the
 * widest so far needs. The buffer has at most the values of one compressed chunk, because a merge of segments fills
 * hundreds of columns at a time.
 */
public final class BufferedInts implements BufferedValues<IntChunk> {
  private static final int INITIAL_CAPACITY = 1024;
  private static final Pool<IntChunk> CHUNKS = Pools.ofProcess().heap(
      "int chunks", (long) Integer.BYTES * Limits.MAX_INTS_PER_CHUNK, () -> new IntChunk(Limits.MAX_INTS_PER_CHUNK));

  private final int maxBytes;
  /** Only one of these three arrays is not null: the one for the current width. */
  @Nullable
  private byte[] bytes = new byte[INITIAL_CAPACITY];
  @Nullable
  private short[] shorts;
  @Nullable
  private int[] ints;
  private int bytesPerValue = Byte.BYTES;
  /** Greatest value that fits {@link #bytesPerValue}. */
  private int widest = 0xFF;
  /** Greatest number of values in the buffer at the current width. */
  private int room;
  private int size;
  private int position;
  /** Width in bytes of a value that did not fit because it is wider than the buffered ones; else 0. */
  private int bytesAsked;
  /** The chunk filled last; null if none was filled since {@link #release}. */
  @Nullable
  private ResourceHolder<IntChunk> chunk;
  private int chunkStart;

  /**
   * Creates a buffer.
   *
   * @param maxBytes greatest size of the values in bytes, a power of 2
   */
  public BufferedInts(int maxBytes) {
    this.maxBytes = maxBytes;
    this.room = room(Byte.BYTES);
  }

  /**
   * Returns the greatest number of values at a width. It is smaller if the first value is not at a border of the
   * largest chunks, because chunks do not cross such borders.
   */
  private int room(int bytesPerValue) {
    final int most = maxBytes / bytesPerValue;
    return most - (position & most - 1);
  }

  private static int bytesPerValue(int value) {
    return value <= 0xFF ? Byte.BYTES : value <= 0xFFFF ? Short.BYTES : Integer.BYTES;
  }

  /**
   * Appends a value if there is room. The buffer is full if (values + 1) × the bytes of the widest value, including the
   * new one, exceed its size.
   *
   * @return whether the value was added
   * @throws IllegalArgumentException if the value is negative; Druid encodes no negative ints
   */
  public boolean add(int value) {
    // Compared as unsigned ints, so that a negative value is wider than all others.
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
    // From one border of the largest chunks to the next.
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
