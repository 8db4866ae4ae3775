// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import javax.annotation.Nullable;

/** Work arrays of a reader, each for one vector at a time and made when first needed. */
public final class Scratch {
  /** Values that are read at once: the size of Druid's vectors, and the most lanes that a row has. */
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

  /** For the second words of values that straddle two. */
  public int[] words() {
    if (words == null) {
      words = new int[LENGTH];
    }
    return words;
  }

  /** For the values of a vector of which only some are wanted. */
  int[] values() {
    if (values == null) {
      values = new int[LENGTH];
    }
    return values;
  }

  /** For a vector of ints in words of 64 bits. */
  public long[] longs() {
    if (longs == null) {
      longs = new long[LENGTH];
    }
    return longs;
  }

  /** For positions in a vector: of exceptions, or of the ends of runs. */
  public int[] positions() {
    if (positions == null) {
      positions = new int[LENGTH];
    }
    return positions;
  }

  /** For the values of a vector: in runs, which may be filled a little too far, or on their way to a longer array. */
  public int[] runs() {
    if (runs == null) {
      runs = new int[LENGTH + Long.BYTES];
    }
    return runs;
  }

  /** For at least {@code length} entries of a dictionary. */
  public int[] dictionary(int length) {
    if (dictionary == null || dictionary.length < length) {
      dictionary = new int[Math.max(length, LENGTH)];
    }
    return dictionary;
  }
}
