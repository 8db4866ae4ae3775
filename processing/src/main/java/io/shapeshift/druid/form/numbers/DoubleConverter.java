// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.ExactDivision;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.bits.RowMatches;

/** Makes the doubles of a chunk: their bits as longs, or the integers of decimals, and then doubles of these. */
abstract sealed class DoubleConverter extends NumberChunkReader permits DoubleChunkReader {
  /** The bits of 2^52 + 2^51: an integer added to them is added to the double, too, as long as it is below 2^51. */
  private static final long DOUBLE_BITS = 0x4338_0000_0000_0000L;
  private static final double DOUBLE_OF_BITS = 0x1.8p52;

  DoubleConverter() {
    super(NumberType.DOUBLE);
  }

  /** An exception, by its number. */
  final double exception(int i) {
    return Double.longBitsToDouble(exceptionBits(i));
  }

  /** The double at an index of the chunk, if that is no exception. */
  final double converted(int index) {
    final long bits = bits(index);
    return shape == DECIMAL ? bits / divisor : Double.longBitsToDouble(bits);
  }

  /** The doubles of at most a vector, without exceptions. */
  final void convert(double[] out, int at, int start, int length) {
    if (shape == RAW) {
      bytes.getDoubles(offset + Double.BYTES * start, out, at, length);
      return;
    }
    final long[] vector = longVector(VECTOR);
    bits(vector, 0, start, length, added());
    toDoubles(vector, 0, out, at, length);
  }

  /** The doubles at some positions, without exceptions. */
  final void convert(double[] out, int[] indexes, int from, int to, int chunk) {
    if (shape == RAW) {
      for (int i = from; i < to; i++) {
        out[i] = Double.longBitsToDouble(bytes.getLong(offset + Double.BYTES * (indexes[i] - chunk)));
      }
      return;
    }
    final long[] vector = longVector(to);
    bits(vector, indexes, from, to, chunk, added());
    toDoubles(vector, from, out, from, to - from);
  }

  /** Bits of doubles with a sign descend where the doubles ascend. */
  @Override
  final boolean areInOrder(long first, long last) {
    return shape == DECIMAL || first >= 0;
  }

  /** Reads at most a vector of doubles, exceptions among them, to an array of the reader's own from 0 on. */
  abstract double[] vectorOf(int start, int length);

  @Override
  final void compare(int start, int length, WantedNumbers wanted, RowMatches matches, int row) {
    final long[] bits = longVector(VECTOR);
    RawBytes.toLongs(vectorOf(start, length), bits, length);
    for (int i = 0; i < wanted.numRanges(); i++) {
      matches.addDoubles(bits, row, wanted.start(i), wanted.end(i));
    }
  }

  @Override
  final void keys(long[] out, int start, int length) {
    RawBytes.toLongs(vectorOf(start, length), out, length);
    toKeys(out, length);
  }

  @Override
  final long keyOf(int value) {
    final long bits = base + multiplier * value;
    return type().key(shape == DECIMAL ? Double.doubleToRawLongBits(bits / divisor) : bits);
  }

  @Override
  final long intOf(long key) {
    final long bits = type().bits(key);
    // An integer divided by a power of ten is so near to the quotient that the product is rounded to the integer.
    return intOfBits(shape == DECIMAL ? Math.round(Double.longBitsToDouble(bits) * divisor) : bits);
  }

  /** Makes keys of bits: see {@link NumberType#key}. */
  private static void toKeys(long[] inOut, int length) {
    for (int i = 0; i < length; i++) {
      inOut[i] ^= inOut[i] >> 63 >>> 1;
    }
  }

  /** The doubles of ints in a linear frame. */
  final void convertInts(int[] in, double[] out, int length) {
    final long[] vector = longVector(length);
    linear(in, 0, vector, 0, length, base + added(), multiplier);
    toDoubles(vector, 0, out, 0, length);
  }

  /** What is added to the integers of decimals for {@link #toDoubles}. */
  private long added() {
    return shape == DECIMAL ? DOUBLE_BITS : 0;
  }

  private void toDoubles(long[] bits, int from, double[] out, int at, int length) {
    RawBytes.toDoubles(bits, from, out, at, length);
    if (shape == DECIMAL) {
      ExactDivision.subtractAndDivide(out, at, length, DOUBLE_OF_BITS, divisor);
    }
  }
}
