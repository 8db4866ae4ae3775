// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.ints.IntChunk;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.annotation.Nullable;

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
  private final Map<Frame, Optional<Framed>> framed = new EnumMap<>(Frame.class);
  private final Map<Frame, IntChunk> ints = new EnumMap<>(Frame.class);
  private final IdentityHashMap<NumberForm, Object> findings = new IdentityHashMap<>(2);

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
   * Makes this a chunk of so many numbers, whose bits are to be written to the array that is returned, from 0 on.
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
    framed.clear();
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

  /** The numbers as ints in a frame, or null if they have none of this kind. */
  @Nullable
  Framed framed(Frame frame) {
    Optional<Framed> found = framed.get(frame);
    if (found == null) {
      found = Optional.ofNullable(frame.fit(this));
      framed.put(frame, found);
    }
    return found.orElse(null);
  }

  /** A chunk of as many ints, for the one who puts the numbers into a frame to fill. */
  IntChunk intsOf(Frame frame) {
    return ints.computeIfAbsent(frame, asking -> new IntChunk(capacity));
  }

  /**
   * What a form found out about the chunk, which it finds out only once.
   *
   * @param form who asks
   * @param type of the finding, of which a form has one
   */
  <T> T once(NumberForm form, Class<T> type, Supplier<T> finding) {
    return type.cast(findings.computeIfAbsent(form, asking -> finding.get()));
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean isFull() {
    return size == capacity;
  }

  @Override
  public boolean varies(int length) {
    for (Frame frame : Frame.main(type)) {
      @Nullable final Framed found = framed(frame);
      if (found != null) {
        return found.ints().varies(length);
      }
    }
    // Parts may have frames where the whole has none.
    return true;
  }

  @Override
  public void clear() {
    size = 0;
    forget();
  }
}
