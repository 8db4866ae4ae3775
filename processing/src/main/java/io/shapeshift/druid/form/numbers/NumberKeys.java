// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.RawBytes;

/** Keys of a vector of numbers: see {@link NumberType#key}. */
final class NumberKeys implements VectorConsumer {
  private final long[] keys;

  NumberKeys(int capacity) {
    keys = new long[capacity];
  }

  /** The keys; as many count as numbers were accepted last. */
  long[] keys() {
    return keys;
  }

  @Override
  public void accept(long[] longs, int length) {
    System.arraycopy(longs, 0, keys, 0, length);
  }

  @Override
  public void accept(double[] doubles, int length) {
    RawBytes.toLongs(doubles, keys, length);
    toKeys(keys, length);
  }

  private static void toKeys(long[] inOut, int length) {
    for (int i = 0; i < length; i++) {
      inOut[i] ^= inOut[i] >> 63 >>> 1;
    }
  }

  @Override
  public void accept(float[] floats, int length) {
    toKeys(floats, keys, length);
  }

  private static void toKeys(float[] in, long[] out, int length) {
    for (int i = 0; i < length; i++) {
      final int bits = Float.floatToRawIntBits(in[i]);
      out[i] = bits ^ bits >> 31 >>> 1;
    }
  }
}
