// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Findings;
import io.shapeshift.druid.form.ints.IntChunk;
import java.util.Arrays;
import java.util.IdentityHashMap;

/**
 * Numbers of a column that are stored together, as bits: a long itself, the raw bits of a double, or the unsigned raw
 * bits of a float. Properties of the numbers are computed once, at first use.
 */
public final class NumberChunk implements Chunk {
  private static final int INITIAL_CAPACITY = 1024;

  private final NumberType type;
  private final int capacity;
  private long[] bits;
  private int size;
  private final IdentityHashMap<Object, IntChunk> ints = new IdentityHashMap<>(4);
  private final Findings findings = new Findings();

  /**
   * Creates an empty chunk with room for the most numbers in a chunk of the type.
   *
   * @param type of the numbers
   */
  public NumberChunk(NumberType type) {
    this.type = type;
    this.capacity = type.maxValuesPerChunk();
    this.bits = new long[INITIAL_CAPACITY];
  }

  /**
   * Appends a number.
   *
   * @param value bits of the number
   * @throws IllegalStateException if the chunk is full
   */
  public void add(long value) {
    if (size == bits.length) {
      if (isFull()) {
        throw new IllegalStateException("The chunk is full, with " + size + " values");
      }
      bits = Arrays.copyOf(bits, Math.min(capacity, 2 * bits.length));
    }
    bits[size++] = value;
    forget();
  }

  /**
   * Sets the number of numbers to {@code length}, and returns the array to which the caller writes their bits.
   *
   * @param length at most the capacity
   */
  long[] startFilling(int length) {
    if (length > bits.length) {
      bits = new long[capacity];
    }
    size = length;
    forget();
    return bits;
  }

  private void forget() {
    findings.clear();
  }

  /** Returns the type of the numbers. */
  public NumberType type() {
    return type;
  }

  /** Returns the bits of the numbers; the first {@link #size()} are valid and must not be changed. */
  public long[] bits() {
    return bits;
  }

  /**
   * Returns a chunk with room for one int per number, for a frame to fill.
   *
   * @param owner   the frame; each has one such chunk
   * @param ofLongs whether readers convert all ints to longs
   */
  public IntChunk intsOf(Object owner, boolean ofLongs) {
    return ints.computeIfAbsent(owner, asking -> new IntChunk(capacity, ofLongs));
  }

  /** Returns the results that forms and frames have cached for the chunk. */
  public Findings findings() {
    return findings;
  }

  @Override
  public int size() {
    return size;
  }

  /** Returns whether the chunk has as many numbers as its capacity. */
  public boolean isFull() {
    return size == capacity;
  }

  /** Removes all numbers, so that the chunk can be filled again. */
  public void clear() {
    size = 0;
    forget();
  }
}
