// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.ints.IntShape;
import java.nio.ByteBuffer;

/** Shape for {@link BitsForm}. */
final class SmallBitsInts extends IntShape {
  private final RawBytes bytes = new RawBytes();
  private int offset;
  private int logWidth;
  private int mask;
  private int base;

  /**
   * Starts a chunk.
   *
   * @param offset index in the buffer of the first byte
   * @param width  bits of each value: 1, 2 or 4
   * @param base   summand of each value
   */
  void read(ByteBuffer payload, int offset, int numValues, int width, int base) {
    this.bytes.wrap(payload);
    this.offset = offset;
    this.numValues = numValues;
    this.logWidth = Integer.numberOfTrailingZeros(width);
    this.mask = (1 << width) - 1;
    this.base = base;
  }

  @Override
  public int get(int index) {
    final int bit = index << logWidth;
    return (bytes.getByte(offset + (bit >> 3)) >>> (bit & 7) & mask) + base;
  }

  @Override
  public void get(int[] out, int at, int start, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = get(start + i);
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int start) {
    for (int i = from; i < to; i++) {
      out[i] = get(indexes[i] - start);
    }
  }

  @Override
  public long least() {
    return base;
  }

  @Override
  public long greatest() {
    return (long) base + mask;
  }

  @Override
  protected void release() {
    bytes.release();
  }
}
