// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.Found;
import javax.annotation.Nullable;

/**
 * Reader of the chunks of one form or frame of numbers, apart from exceptions. A decoder checks the header of a chunk
 * and points the shape at it; {@link NumberChunkReader} then reads through the shape. A shape serves one chunk after
 * another, and one thread at a time.
 *
 * <p>All numbers can be read as their bits: of a long itself, the raw bits of a double, and the raw bits of a float as
 * an int. Doubles and floats are made of these bits unless a shape has a faster way. Indexes count from the first value
 * of the chunk; callers check them. Methods that read several numbers read at most {@link NumberScratch#LENGTH} of
 * consecutive ones.
 */
public abstract class NumberShape {
  /** What this shape shares with the others of its reader. */
  protected final NumberScratch scratch;

  protected NumberShape(NumberScratch scratch) {
    this.scratch = scratch;
  }

  /** Distance of two single reads up to which the vector is decoded: see {@link ChunkReader#near}. */
  public int near() {
    return CostModel.Reads.NEAR;
  }

  /** Positions per wanted number up to which whole vectors are read; 0 if each number is always read alone. */
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
   * @param out receives them, from {@code at} on
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
   * Finds numbers by what they are made of, without reading them.
   *
   * @param search finds the ints that numbers are made of
   * @param out    receives a bit for each number of the chunk, cleared before; if the result is not {@link Found#SOME}
   *     they are all cleared afterwards
   * @return null if the numbers have to be read
   */
  @Nullable
  public Found find(WantedNumbers wanted, IntSearch search, long[] out) {
    return null;
  }

  /** How many numbers {@link #find} tests, where only a test tells which are wanted. */
  public int numTests() {
    return scratch.framed().numValues();
  }

  /** Releases the buffer of the chunk. */
  protected void release() {}
}
