// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.codec;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.numbers.NumberScratch;
import io.shapeshift.druid.form.numbers.NumberShape;
import java.nio.ByteBuffer;

/** Shape for byte-shuffled numbers: the lowest bytes of all numbers first. */
final class ShuffledNumbers extends NumberShape {
  private final RawBytes bytes = new RawBytes();
  private int numValues;

  ShuffledNumbers(NumberScratch scratch) {
    super(scratch);
  }

  /** Starts a chunk whose bytes start at index 0 of the buffer. */
  void read(ByteBuffer buffer) {
    bytes.wrap(buffer);
    numValues = scratch.framed().numValues();
  }

  @Override
  public long getLong(int index) {
    long value = 0;
    for (int i = scratch.type().bytes() - 1; i >= 0; i--) {
      value = value << Byte.SIZE | bytes.getByte(i * numValues + index);
    }
    return value;
  }

  @Override
  protected void release() {
    bytes.release();
  }
}
