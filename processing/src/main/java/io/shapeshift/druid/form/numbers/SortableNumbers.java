// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.RawBytes;

/** Converter of a vector of numbers to sortable bits: see {@link NumberType#sortable}. */
final class SortableNumbers implements VectorConsumer {
  private final long[] sortables;

  SortableNumbers(int capacity) {
    sortables = new long[capacity];
  }

  /** Returns the sortable bits; as many are valid as the accepted vector had numbers. */
  long[] sortables() {
    return sortables;
  }

  @Override
  public void accept(long[] longs, int length) {
    System.arraycopy(longs, 0, sortables, 0, length);
  }

  @Override
  public void accept(double[] doubles, int length) {
    RawBytes.toLongs(doubles, sortables, length);
    toSortables(sortables, length);
  }

  private static void toSortables(long[] inOut, int length) {
    for (int i = 0; i < length; i++) {
      inOut[i] ^= inOut[i] >> 63 >>> 1;
    }
  }

  @Override
  public void accept(float[] floats, int length) {
    toSortables(floats, sortables, length);
  }

  private static void toSortables(float[] in, long[] out, int length) {
    for (int i = 0; i < length; i++) {
      final int bits = Float.floatToRawIntBits(in[i]);
      out[i] = bits ^ bits >> 31 >>> 1;
    }
  }
}
