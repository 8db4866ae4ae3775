// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.raw;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.numbers.NumberScratch;
import io.shapeshift.druid.form.numbers.NumberShape;
import java.nio.ByteBuffer;

/** Shape for numbers that are stored as their bits. */
public final class RawNumbers extends NumberShape {
  private final RawBytes bytes = new RawBytes();
  private int offset;

  /** Creates a shape without a chunk. */
  public RawNumbers(NumberScratch scratch) {
    super(scratch);
  }

  /** Starts a chunk whose numbers start at an index of the buffer. */
  public void read(ByteBuffer buffer, int numbers) {
    bytes.wrap(buffer);
    offset = numbers;
  }

  @Override
  public long getLong(int index) {
    return bytes.getLong(offset + Long.BYTES * index);
  }

  @Override
  public float getFloat(int index) {
    return Float.intBitsToFloat(bytes.getInt(offset + Float.BYTES * index));
  }

  @Override
  public void get(long[] out, int at, int start, int length) {
    bytes.getLongs(offset + Long.BYTES * start, out, at, length);
  }

  @Override
  public void get(double[] out, int at, int start, int length) {
    bytes.getDoubles(offset + Double.BYTES * start, out, at, length);
  }

  @Override
  public void get(float[] out, int at, int start, int length) {
    bytes.getFloats(offset + Float.BYTES * start, out, at, length);
  }

  @Override
  public void get(long[] out, int[] indexes, int from, int to, int chunk) {
    for (int i = from; i < to; i++) {
      out[i] = bytes.getLong(offset + Long.BYTES * (indexes[i] - chunk));
    }
  }

  @Override
  public void get(double[] out, int[] indexes, int from, int to, int chunk) {
    for (int i = from; i < to; i++) {
      out[i] = Double.longBitsToDouble(bytes.getLong(offset + Double.BYTES * (indexes[i] - chunk)));
    }
  }

  @Override
  public void get(float[] out, int[] indexes, int from, int to, int chunk) {
    for (int i = from; i < to; i++) {
      out[i] = Float.intBitsToFloat(bytes.getInt(offset + Float.BYTES * (indexes[i] - chunk)));
    }
  }

  @Override
  protected void release() {
    bytes.release();
  }
}
