// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import javax.annotation.Nullable;

/** Work arrays of a reader, each for one vector, allocated at first use. */
public final class Scratch {
  /** Values that are read at a time: the size of Druid's vectors, and the most lanes in a row. */
  public static final int LENGTH = 512;

  @Nullable
  private int[] words;
  @Nullable
  private int[] values;
  @Nullable
  private long[] longs;
  @Nullable
  private int[] positions;
  @Nullable
  private int[] runs;
  @Nullable
  private int[] dictionary;

  /** Returns an array for the second words of values that straddle two words. */
  public int[] words() {
    if (words == null) {
      words = new int[LENGTH];
    }
    return words;
  }

  /** Returns an array for a vector of which only some values are wanted. */
  int[] values() {
    if (values == null) {
      values = new int[LENGTH];
    }
    return values;
  }

  /** Returns an array for a vector of ints in words of 64 bits. */
  public long[] longs() {
    if (longs == null) {
      longs = new long[LENGTH];
    }
    return longs;
  }

  /** Returns an array for positions within a vector, of exceptions or run ends. */
  public int[] positions() {
    if (positions == null) {
      positions = new int[LENGTH];
    }
    return positions;
  }

  /**
   * Returns an array for the values of a vector that cannot be written to the output directly: runs, whose fill may
   * write too far, and values on their way to a longer array.
   */
  public int[] runs() {
    if (runs == null) {
      runs = new int[LENGTH + Long.BYTES];
    }
    return runs;
  }

  /** Returns an array for at least {@code length} entries of a dictionary. */
  public int[] dictionary(int length) {
    if (dictionary == null || dictionary.length < length) {
      dictionary = new int[Math.max(length, LENGTH)];
    }
    return dictionary;
  }
}
