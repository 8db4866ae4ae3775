// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.Scratch;
import javax.annotation.Nullable;

/** State that the shapes of one reader share: the type, the reader of ints, and work arrays. */
public final class NumberScratch {
  /** Number of values that are read at once. */
  public static final int LENGTH = Scratch.LENGTH;
  private static final int[] NO_INTS = {};

  private final NumberType type;
  private final IntChunkReader framed = new IntChunkReader();
  private int[] ints = NO_INTS;
  private int[] copy = NO_INTS;
  @Nullable
  private int[] runEnds;
  @Nullable
  private long[] longs;

  NumberScratch(NumberType type) {
    this.type = type;
  }

  /** Returns the type of the numbers. */
  public NumberType type() {
    return type;
  }

  /** Returns the reader of the ints from which the numbers are computed. */
  public IntChunkReader framed() {
    return framed;
  }

  /** Returns an array for at least {@code length} ints: those of a vector, or those at positions. */
  public int[] ints(int length) {
    if (ints.length < length) {
      ints = new int[Math.max(LENGTH, length)];
    }
    return ints;
  }

  /** Returns a copy of some ints, from index 0, for a caller that changes them. */
  public int[] copy(int[] in, int from, int length) {
    if (copy.length < length) {
      copy = new int[Math.max(LENGTH, length)];
    }
    System.arraycopy(in, from, copy, 0, length);
    return copy;
  }

  /** Returns an array for the run ends in a vector. */
  public int[] runEnds() {
    if (runEnds == null) {
      runEnds = new int[LENGTH];
    }
    return runEnds;
  }

  /** Returns an array for the bits of at least {@code length} longs or doubles. */
  public long[] longs(int length) {
    if (longs == null || longs.length < length) {
      longs = new long[Math.max(LENGTH, length)];
    }
    return longs;
  }
}
