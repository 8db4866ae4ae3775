// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.raw;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.ints.packed.PackedLongs;
import io.shapeshift.druid.form.numbers.NumberScratch;
import io.shapeshift.druid.form.numbers.NumberShape;
import java.nio.ByteBuffer;

/** Shape for {@link WideForm}: packed longs plus a base. */
final class WideNumbers extends NumberShape {
  private final PackedLongs packed = new PackedLongs();

  WideNumbers(NumberScratch scratch) {
    super(scratch);
  }

  /**
   * Starts a chunk.
   *
   * @param words  index in the buffer of the first word
   * @param length bytes of the words, all within the buffer's capacity
   * @throws io.shapeshift.druid.form.MalformedChunkException if the number of bytes does not match the width
   */
  void read(ByteBuffer buffer, int words, int length, int width, long base) {
    packed.read(buffer, words, length, scratch.framed().numValues(), width, base);
  }

  @Override
  public int density() {
    return CostModel.Numbers.DENSE_LONGS;
  }

  @Override
  public long getLong(int index) {
    return packed.get(index);
  }

  @Override
  public void get(long[] out, int at, int start, int length) {
    packed.get(out, at, start, length, 0);
  }

  @Override
  public void get(long[] out, int[] indexes, int from, int to, int chunk) {
    packed.get(out, indexes, from, to, chunk, 0);
  }

  @Override
  protected void release() {
    packed.release();
  }
}
