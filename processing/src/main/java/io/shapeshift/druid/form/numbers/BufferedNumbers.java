// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.BufferedValues;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.collections.ResourceHolder;

/** Buffer of numbers, as raw bits, until their forms are chosen; at most the numbers of the largest chunk. */
public final class BufferedNumbers implements BufferedValues<NumberChunk> {
  private static final int INITIAL_CAPACITY = 1024;
  /** Memory of a chunk per number: the number and its ints in each of three frames. */
  private static final long BYTES_PER_NUMBER = Long.BYTES + 3 * Integer.BYTES;
  private static final Map<NumberType, Pool<NumberChunk>> CHUNKS = new EnumMap<>(NumberType.class);

  static {
    for (NumberType type : NumberType.values()) {
      CHUNKS.put(type, Pools.ofProcess().heap(
          type + " chunks", BYTES_PER_NUMBER * type.maxValuesPerChunk(), () -> new NumberChunk(type)));
    }
  }

  private record Filled(int start, ResourceHolder<NumberChunk> holder) {}

  private final NumberType type;
  private final List<Filled> chunks = new ArrayList<>();

  /** Greatest number of numbers, a power of 2. */
  private final int most;
  private long[] bits = new long[INITIAL_CAPACITY];
  private int room;
  private int size;

  /**
   * Creates a buffer.
   *
   * @param type of the numbers
   * @param most greatest number of numbers, a power of 2
   */
  public BufferedNumbers(NumberType type, int most) {
    this.type = type;
    this.most = most;
    this.room = most;
  }

  /**
   * Appends a number if there is room.
   *
   * @param value raw bits of the number
   * @return whether the number was added
   */
  public boolean add(long value) {
    if (size >= room) {
      return false;
    }
    if (size == bits.length) {
      bits = Arrays.copyOf(bits, Math.min(most, 2 * size));
    }
    bits[size++] = value;
    return true;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int sizeToMakeRoom() {
    return size;
  }

  /** Returns a chunk. All chunks are kept until the release, because fitting numbers into frames is slow. */
  @Override
  public NumberChunk chunk(int start, int length) {
    for (Filled filled : chunks) {
      if (filled.start == start && filled.holder.get().size() == length) {
        return filled.holder.get();
      }
    }
    final ResourceHolder<NumberChunk> holder = CHUNKS.get(type).take();
    chunks.add(new Filled(start, holder));
    System.arraycopy(bits, start, holder.get().startFilling(length), 0, length);
    return holder.get();
  }

  @Override
  public void release() {
    for (Filled filled : chunks) {
      filled.holder.get().clear();
      filled.holder.close();
    }
    chunks.clear();
  }

  @Override
  public void removeFirst(int length, int position) {
    size -= length;
    // Chunks do not cross the borders of larger chunks.
    room = most - (position & most - 1);
    System.arraycopy(bits, length, bits, 0, size);
  }
}
