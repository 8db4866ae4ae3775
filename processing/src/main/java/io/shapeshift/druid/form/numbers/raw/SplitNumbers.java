// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.raw;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.packed.PackedLongs;
import io.shapeshift.druid.form.numbers.NumberScratch;
import io.shapeshift.druid.form.numbers.NumberShape;
import java.nio.ByteBuffer;

/** Shape for {@link SplitForm}: packed lower bits, combined with ints. */
final class SplitNumbers extends NumberShape {
  private final IntChunkReader upper;
  private final PackedLongs lower = new PackedLongs();
  private int lowerWidth;

  SplitNumbers(NumberScratch scratch) {
    super(scratch);
    this.upper = scratch.framed();
  }

  /** Starts a chunk with its lower bits; the parameters are those of {@link WideNumbers#read}. */
  void read(ByteBuffer buffer, int words, int length, int width) {
    lower.read(buffer, words, length, upper.numValues(), width, 0);
    lowerWidth = width;
  }

  @Override
  public int near() {
    return upper.near();
  }

  @Override
  public int density() {
    return CostModel.Numbers.DENSE_LONGS;
  }

  @Override
  public long getLong(int index) {
    return (long) upper.get(index) << lowerWidth | lower.get(index);
  }

  @Override
  public void get(long[] out, int at, int start, int length) {
    final int[] in = scratch.ints(length);
    upper.get(in, 0, start, length);
    lower.get(out, at, start, length, 0);
    join(in, out, at, length, lowerWidth);
  }

  private static void join(int[] upper, long[] out, int at, int length, int width) {
    for (int i = 0; i < length; i++) {
      out[at + i] |= (long) upper[i] << width;
    }
  }

  @Override
  protected void release() {
    lower.release();
  }
}
