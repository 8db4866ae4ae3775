// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Limits;
import java.util.Arrays;

/** A chunk of ints from 0 to 2^31-1: dictionary ids, or offsets into other columns. */
public final class IntChunk implements Chunk {
  /** Many columns have few values or none. */
  private static final int INITIAL_CAPACITY = 1024;

  private final int capacity;
  private final boolean ofLongs;
  private int[] values;
  private int size;
  private IntStatistics statistics;

  /**
   * Makes an empty chunk.
   *
   * @param capacity values that it has room for, 1 to {@link Limits#MAX_INTS_PER_CHUNK}
   */
  public IntChunk(int capacity) {
    this(capacity, false);
  }

  /**
   * Makes an empty chunk.
   *
   * @param capacity values that it has room for, 1 to {@link Limits#MAX_INTS_PER_CHUNK}
   * @param ofLongs  whether readers make longs of all values, or numbers of 64 bits, and nothing else
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
   * @throws IllegalArgumentException if the value is negative: nothing that Druid encodes in ints is
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
   * Makes this a chunk of {@code length} values, which are to be written to the array that is returned, from 0 on.
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

  /** The backing array, of which the first {@link #size()} values count; not to be changed. */
  public int[] values() {
    return values;
  }

  /** What there is to know of the values so far; computed once per filling. */
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

  /** Whether longs are made of all values, so that they are packed in words of 64 bits. */
  public boolean isOfLongs() {
    return ofLongs;
  }

  /** Whether this chunk holds as many values as it has room for. */
  public boolean isFull() {
    return size == capacity;
  }

  /**
   * Whether parts of this chunk look so different from the whole that they may do better with forms of their own.
   *
   * @param length values of each part
   */
  public boolean varies(int length) {
    return statistics().varies(length);
  }

  /** Forgets all values; the chunk can be filled again. */
  public void clear() {
    size = 0;
    statistics = null;
  }
}
