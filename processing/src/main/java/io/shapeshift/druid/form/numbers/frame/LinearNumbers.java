// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.numbers.NumberScratch;

/** Shape for {@link LinearFrame}: the integers are the bits of the numbers. */
public final class LinearNumbers extends ScaledNumbers {
  LinearNumbers(NumberScratch scratch) {
    super(scratch);
  }

  /** Starts a chunk. */
  void read(long newBase, long newMultiplier) {
    base = newBase;
    multiplier = newMultiplier;
  }

  @Override
  public long getLong(int index) {
    return integer(index);
  }

  @Override
  public void get(long[] out, int at, int start, int length) {
    integers(out, at, start, length, 0);
  }

  @Override
  public void get(float[] out, int at, int start, int length) {
    final int[] in = scratch.ints(length);
    ints.get(in, 0, start, length);
    toFloats(in, 0, out, at, length);
  }

  @Override
  public void get(long[] out, int[] indexes, int from, int to, int chunk) {
    integers(out, indexes, from, to, chunk, 0);
  }

  @Override
  public void get(float[] out, int[] indexes, int from, int to, int chunk) {
    final int[] in = scratch.ints(to);
    ints.get(in, indexes, from, to, chunk);
    toFloats(in, from, out, from, to - from);
  }

  /** Converts ints to floats; the ints are overwritten. */
  private void toFloats(int[] in, int from, float[] out, int at, int length) {
    Linear.scale(in, from, length, (int) base, (int) multiplier);
    RawBytes.toFloats(in, from, out, at, length);
  }

  @Override
  public void map(int[] in, double[] out, int length) {
    final long[] bits = scratch.longs(length);
    map(in, bits, length);
    RawBytes.toDoubles(bits, 0, out, 0, length);
  }

  @Override
  public void map(int[] in, float[] out, int length) {
    toFloats(scratch.copy(in, 0, length), 0, out, 0, length);
  }

  /** The bits of negative doubles and floats descend as the numbers ascend. */
  @Override
  boolean areInOrder(long first, long last) {
    return switch (scratch.type()) {
      case LONG -> true;
      case DOUBLE -> first >= 0;
      case FLOAT -> first >= 0 && last <= Integer.MAX_VALUE;
    };
  }

  @Override
  public boolean hasOneIntEach() {
    return true;
  }

  @Override
  public long sortableOf(int value) {
    return scratch.type().sortable(base + multiplier * value);
  }

  @Override
  public long intOf(long sortable) {
    return intOfInteger(scratch.type().bits(sortable));
  }
}
