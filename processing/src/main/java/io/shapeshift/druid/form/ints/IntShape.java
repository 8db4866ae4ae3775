// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.ChunkReader;

/**
 * Reader of the chunks of one form. The form's {@link IntForm#transform} checks the header of a chunk and sets the
 * shape's fields; {@link IntChunkReader} then reads through the shape. A shape is reused for many chunks. Not
 * thread-safe.
 *
 * <p>Indexes count from the first value of the chunk. Callers check that they are at least 0 and less than the number
 * of values. Methods that read several values are called once per vector of {@link Scratch#LENGTH} values, so a virtual
 * call costs nothing there.
 */
public abstract class IntShape implements IntMatcher.Values {
  /** Number of values in the chunk. */
  protected int numValues;

  @Override
  public final int numValues() {
    return numValues;
  }

  /** Reads one value. */
  public abstract int get(int index);

  /**
   * Reads values at positions, one by one.
   *
   * @param out     receives each at the index that its position has in {@code indexes}
   * @param indexes positions in the column
   * @param from    first index of {@code indexes} that is read
   * @param to      last index, exclusive
   * @param base    position in the column of the chunk's first value
   */
  public abstract void get(int[] out, int[] indexes, int from, int to, int base);

  /**
   * Returns the positions per wanted value up to which decoding whole vectors is faster than reading single values; 0
   * if it never is.
   */
  public int density() {
    return 0;
  }

  /** Returns the distance of two single reads up to which the whole vector is decoded: see {@link ChunkReader#near}. */
  public int near() {
    return CostModel.Reads.NEAR;
  }

  /** Returns a lower bound of the values, as the header shows it. */
  public long least() {
    return 0;
  }

  /** Returns an upper bound of the values, as the header shows it. */
  public long greatest() {
    return Integer.MAX_VALUE;
  }

  /** Returns whether all values are within the bounds even if the chunk is damaged. */
  public boolean hasCertainBounds() {
    return true;
  }

  /**
   * Finds the values in a range.
   *
   * @param from    lower bound, at least 0
   * @param to      upper bound, inclusive
   * @param matcher compares values
   * @param out     receives one bit per value found; other bits do not change
   */
  public void between(int from, int to, IntMatcher matcher, long[] out) {
    matcher.between(this, from, to, out);
  }

  /**
   * Finds a value that is within the bounds.
   *
   * @return false if the chunk cannot have it; true if bits may have been set
   */
  public boolean equal(int value, IntMatcher matcher, long[] out) {
    between(value, value, matcher, out);
    return true;
  }

  @Override
  public int runs(int start, int length, int[] ends, int[] values) {
    return 0;
  }

  /** Returns the positions per wanted value up to which whole vectors are read as runs; 0 without runs. */
  public int runDensity() {
    return 0;
  }

  /** Returns whether the chunk is packed in words of 64 bits, from which longs are unpacked directly. */
  public boolean isInLongs() {
    return false;
  }

  /**
   * Reads consecutive values as longs, each plus a summand. Throws {@link UnsupportedOperationException} unless
   * {@link #isInLongs}.
   */
  public void get(long[] out, int offset, int start, int length, long summand) {
    throw new UnsupportedOperationException();
  }

  /** Reads values at positions as longs, each plus a summand; requires {@link #isInLongs}. */
  public void get(long[] out, int[] indexes, int from, int to, int base, long summand) {
    throw new UnsupportedOperationException();
  }

  /** Releases the buffer of the chunk. */
  protected void release() {}
}
