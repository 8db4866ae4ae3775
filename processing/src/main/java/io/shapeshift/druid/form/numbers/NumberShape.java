// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.Found;
import javax.annotation.Nullable;

/**
 * Reader of the chunks of one form or frame of numbers, except their exceptions. A decoder checks the header of a chunk
 * and sets the shape's fields; {@link NumberChunkReader} then reads through the shape. A shape is reused for many
 * chunks. Not thread-safe.
 *
 * <p>All numbers can be read as bits: a long itself, the raw bits of a double, or the raw bits of a float as an int.
 * Doubles and floats are converted from these bits unless a shape overrides this with a faster way. Indexes count from
 * the first value of the chunk, and callers check them. Methods that read consecutive numbers read at most
 * {@link NumberScratch#LENGTH}.
 */
public abstract class NumberShape {
  /** State shared with the other shapes of the reader. */
  protected final NumberScratch scratch;

  protected NumberShape(NumberScratch scratch) {
    this.scratch = scratch;
  }

  /** Returns the distance of two single reads up to which the whole vector is decoded: see {@link ChunkReader#near}. */
  public int near() {
    return CostModel.Reads.NEAR;
  }

  /**
   * Returns the positions per wanted number up to which whole vectors are read; 0 if each number is always read alone.
   */
  public int density() {
    return 0;
  }

  /** Reads the bits of one number. */
  public abstract long getLong(int index);

  /** Reads one double. */
  public double getDouble(int index) {
    return Double.longBitsToDouble(getLong(index));
  }

  /** Reads one float. */
  public float getFloat(int index) {
    return Float.intBitsToFloat((int) getLong(index));
  }

  /**
   * Reads the bits of consecutive numbers.
   *
   * @param out receives the bits, from {@code at}
   */
  public void get(long[] out, int at, int start, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = getLong(start + i);
    }
  }

  /** Reads consecutive doubles. */
  public void get(double[] out, int at, int start, int length) {
    final long[] bits = scratch.longs(length);
    get(bits, 0, start, length);
    RawBytes.toDoubles(bits, 0, out, at, length);
  }

  /** Reads consecutive floats. */
  public void get(float[] out, int at, int start, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = getFloat(start + i);
    }
  }

  /**
   * Reads the bits of numbers at positions.
   *
   * @param out     receives each at the index that its position has in {@code indexes}
   * @param indexes positions in the column
   * @param from    first index of {@code indexes} that is read
   * @param to      last index, exclusive
   * @param base    position in the column of the chunk's first value
   */
  public void get(long[] out, int[] indexes, int from, int to, int base) {
    for (int i = from; i < to; i++) {
      out[i] = getLong(indexes[i] - base);
    }
  }

  /** Reads doubles at positions. */
  public void get(double[] out, int[] indexes, int from, int to, int base) {
    final long[] bits = scratch.longs(to);
    get(bits, indexes, from, to, base);
    RawBytes.toDoubles(bits, from, out, from, to - from);
  }

  /** Reads floats at positions. */
  public void get(float[] out, int[] indexes, int from, int to, int base) {
    for (int i = from; i < to; i++) {
      out[i] = getFloat(indexes[i] - base);
    }
  }

  /**
   * Finds numbers without reading them, by the ints from which they are computed.
   *
   * @param search finds ints
   * @param out    one bit per number of the chunk, all zero; receives the matches if the result is {@link Found#SOME},
   *     and is all zero otherwise
   * @return null if the numbers must be read instead
   */
  @Nullable
  public Found find(WantedNumbers wanted, IntSearch search, long[] out) {
    return null;
  }

  /** Returns the number of predicate calls of {@link #find}, if the filter is a predicate. */
  public int numTests() {
    return scratch.framed().numValues();
  }

  /** Releases the buffer of the chunk. */
  protected void release() {}
}
