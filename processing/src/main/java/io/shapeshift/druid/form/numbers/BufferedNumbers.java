// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.BufferedValues;
import java.util.Arrays;

/** The bits of numbers that wait for the choice of their forms: at most so many as one chunk may have. */
public final class BufferedNumbers implements BufferedValues<NumberChunk> {
  private static final int INITIAL_CAPACITY = 1024;

  /** A power of 2. */
  private final int most;
  private long[] bits = new long[INITIAL_CAPACITY];
  private int room;
  private int size;

  /**
   * Makes room for numbers.
   *
   * @param most how many, a power of 2
   */
  public BufferedNumbers(int most) {
    this.most = most;
    this.room = most;
  }

  /**
   * Appends a number, if there is room for it.
   *
   * @param value its bits
   * @return whether there was
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
  public void copyTo(NumberChunk chunk, int start, int length) {
    System.arraycopy(bits, start, chunk.startFilling(length), 0, length);
  }

  @Override
  public void removeFirst(int length, int position) {
    size -= length;
    // Chunks do not go across the borders of larger ones.
    room = most - (position & most - 1);
    System.arraycopy(bits, length, bits, 0, size);
  }
}
