// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Findings;
import io.shapeshift.druid.form.ints.IntChunk;
import java.util.Arrays;
import java.util.IdentityHashMap;

/**
 * Numbers of a column that are to be stored together, by their bits: a long itself, the raw bits of a double, the raw
 * bits of a float without a sign. What is to be known of them is found out when first asked for, and once.
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
   * Makes an empty chunk with room for as many numbers as a chunk of the type may have.
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
   * @param value its bits
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
   * Makes this a chunk of {@code length} numbers. The caller writes their bits to the array that is returned.
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

  /** The type of the numbers. */
  public NumberType type() {
    return type;
  }

  /** The bits of the numbers, of which the first {@link #size()} count; not to be changed. */
  public long[] bits() {
    return bits;
  }

  /**
   * A chunk with room for as many ints, for a frame to fill.
   *
   * @param owner   the frame, which has one such chunk
   * @param ofLongs whether readers make longs of all of them
   */
  public IntChunk intsOf(Object owner, boolean ofLongs) {
    return ints.computeIfAbsent(owner, asking -> new IntChunk(capacity, ofLongs));
  }

  /** What forms and frames have found out about the chunk. */
  public Findings findings() {
    return findings;
  }

  @Override
  public int size() {
    return size;
  }

  /** Whether this chunk holds as many values as it has room for. */
  public boolean isFull() {
    return size == capacity;
  }

  /** Forgets all values; the chunk can be filled again. */
  public void clear() {
    size = 0;
    forget();
  }
}
