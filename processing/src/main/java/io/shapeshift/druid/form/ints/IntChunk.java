// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Limits;
import java.util.Arrays;

/** Chunk of ints from 0 to 2^31-1: dictionary ids, or offsets into other columns. */
public final class IntChunk implements Chunk {
  /** Small, because many columns have few values or none. */
  private static final int INITIAL_CAPACITY = 1024;

  private final int capacity;
  private final boolean ofLongs;
  private int[] values;
  private int size;
  private IntStatistics statistics;

  /**
   * Creates an empty chunk.
   *
   * @param capacity greatest number of values, 1 to {@link Limits#MAX_INTS_PER_CHUNK}
   */
  public IntChunk(int capacity) {
    this(capacity, false);
  }

  /**
   * Creates an empty chunk.
   *
   * @param capacity greatest number of values, 1 to {@link Limits#MAX_INTS_PER_CHUNK}
   * @param ofLongs  whether readers convert all values to longs or other 64-bit numbers
   */
  public IntChunk(int capacity, boolean ofLongs) {
    if (capacity < 1 || capacity > Limits.MAX_INTS_PER_CHUNK) {
      throw new IllegalArgumentException(
          "capacity[" + capacity + "] must be between 1 and " + Limits.MAX_INTS_PER_CHUNK);
    }
    this.capacity = capacity;
    this.ofLongs = ofLongs;
    this.values = new int[Math.min(capacity, INITIAL_CAPACITY)];
  }

  /**
   * Appends a value.
   *
   * @throws IllegalArgumentException if the value is negative; Druid encodes no negative ints
   * @throws IllegalStateException    if the chunk is full
   */
  public void add(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("value[" + value + "] must not be negative");
    }
    if (size == values.length) {
      if (isFull()) {
        throw new IllegalStateException("The chunk is full, with " + size + " values");
      }
      values = Arrays.copyOf(values, Math.min(capacity, 2 * values.length));
    }
    values[size++] = value;
    statistics = null;
  }

  /**
   * Sets the number of values to {@code length}, and returns the array to which the caller writes them from index 0.
   *
   * @param length at most the capacity
   */
  public int[] startFilling(int length) {
    if (length > values.length) {
      values = new int[capacity];
    }
    size = length;
    statistics = null;
    return values;
  }

  /** Returns the backing array; the first {@link #size()} values are valid and must not be changed. */
  public int[] values() {
    return values;
  }

  /** Returns the statistics of the current values, computed once per filling. */
  public IntStatistics statistics() {
    if (statistics == null) {
      statistics = IntStatistics.of(values, size);
    }
    return statistics;
  }

  @Override
  public int size() {
    return size;
  }

  /** Returns whether readers convert all values to longs, so that values are packed in words of 64 bits. */
  public boolean isOfLongs() {
    return ofLongs;
  }

  /** Returns whether the chunk has as many values as its capacity. */
  public boolean isFull() {
    return size == capacity;
  }

  /**
   * Returns whether parts of the chunk differ so much from the whole that other forms may suit them better.
   *
   * @param length number of values in each part
   */
  public boolean varies(int length) {
    return statistics().varies(length);
  }

  /** Removes all values, so that the chunk can be filled again. */
  public void clear() {
    size = 0;
    statistics = null;
  }
}
