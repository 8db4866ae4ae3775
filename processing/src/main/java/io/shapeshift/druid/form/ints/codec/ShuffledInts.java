// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.ints.IntShape;
import java.nio.ByteBuffer;

/** Shape for {@link ShuffleForm}. */
final class ShuffledInts extends IntShape {
  private final RawBytes bytes = new RawBytes();
  private int offset;
  private int numBytes;

  void read(ByteBuffer payload, int offset, int numValues, int numBytes) {
    this.bytes.wrap(payload);
    this.offset = offset;
    this.numValues = numValues;
    this.numBytes = numBytes;
  }

  @Override
  public int get(int index) {
    return BytePacking.getShuffled(bytes, offset, numValues, numBytes, index);
  }

  @Override
  public void get(int[] out, int at, int start, int length) {
    BytePacking.unshuffle(bytes, offset, numValues, numBytes, start, out, at, length);
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int base) {
    for (int i = from; i < to; i++) {
      out[i] = get(indexes[i] - base);
    }
  }

  @Override
  protected void release() {
    bytes.release();
  }
}
