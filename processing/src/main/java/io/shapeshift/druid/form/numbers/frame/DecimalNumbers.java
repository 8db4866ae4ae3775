// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.bits.ExactDivision;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.numbers.NumberScratch;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.PowersOfTen;

/** Shape for {@link DecimalFrame}: integers divided by a power of ten. */
public final class DecimalNumbers extends ScaledNumbers {
  /** Bits of 2^52 + 2^51. Adding an integer of less than 2^51 to the bits adds it to the double. */
  private static final long DOUBLE_BITS = 0x4338_0000_0000_0000L;
  private static final double DOUBLE_OF_BITS = 0x1.8p52;

  private final FloatDecimals floats = new FloatDecimals();
  private double divisor;

  DecimalNumbers(NumberScratch scratch) {
    super(scratch);
  }

  /** Starts a chunk. */
  void read(long newBase, long newMultiplier, int exponent) {
    base = newBase;
    multiplier = newMultiplier;
    divisor = PowersOfTen.of(exponent);
  }

  @Override
  public long getLong(int index) {
    return bits(integer(index));
  }

  private long bits(long integer) {
    return scratch.type() == NumberType.FLOAT
           ? Float.floatToRawIntBits((int) integer / (float) divisor)
           : Double.doubleToRawLongBits(integer / divisor);
  }

  @Override
  public double getDouble(int index) {
    return integer(index) / divisor;
  }

  @Override
  public float getFloat(int index) {
    return (int) integer(index) / (float) divisor;
  }

  @Override
  public void get(double[] out, int at, int start, int length) {
    final long[] integers = scratch.longs(length);
    integers(integers, 0, start, length, DOUBLE_BITS);
    divide(integers, 0, out, at, length);
  }

  @Override
  public void get(float[] out, int at, int start, int length) {
    final int[] in = scratch.ints(length);
    ints.get(in, 0, start, length);
    toFloats(in, 0, out, at, length);
  }

  @Override
  public void get(double[] out, int[] indexes, int from, int to, int chunk) {
    final long[] integers = scratch.longs(to);
    integers(integers, indexes, from, to, chunk, DOUBLE_BITS);
    divide(integers, from, out, from, to - from);
  }

  @Override
  public void get(float[] out, int[] indexes, int from, int to, int chunk) {
    final int[] in = scratch.ints(to);
    ints.get(in, indexes, from, to, chunk);
    toFloats(in, from, out, from, to - from);
  }

  @Override
  public void map(int[] in, double[] out, int length) {
    final long[] integers = scratch.longs(length);
    Linear.scale(in, 0, integers, 0, length, base + DOUBLE_BITS, multiplier);
    divide(integers, 0, out, 0, length);
  }

  @Override
  public void map(int[] in, float[] out, int length) {
    toFloats(in, 0, out, 0, length);
  }

  /** Divides integers to which {@link #DOUBLE_BITS} were added. */
  private void divide(long[] integers, int from, double[] out, int at, int length) {
    RawBytes.toDoubles(integers, from, out, at, length);
    ExactDivision.subtractAndDivide(out, at, length, DOUBLE_OF_BITS, divisor);
  }

  private void toFloats(int[] in, int from, float[] out, int at, int length) {
    final int[] copy = scratch.copy(in, from, length);
    floats.divide(copy, base, multiplier, ints.greatest(), (float) divisor, out, at, length);
  }

  @Override
  boolean areInOrder(long first, long last) {
    return scratch.type() != NumberType.FLOAT || (first >= Integer.MIN_VALUE && last <= Integer.MAX_VALUE);
  }

  /** Large integers divided by a power of ten may give the same float. */
  @Override
  public boolean hasOneIntEach() {
    return scratch.type() != NumberType.FLOAT;
  }

  @Override
  public long sortableOf(int value) {
    return scratch.type().sortable(bits(base + multiplier * value));
  }

  @Override
  public long intOf(long sortable) {
    // An integer divided by a power of ten is so close to the quotient that the product rounds to the integer.
    return intOfInteger(Math.round(Double.longBitsToDouble(scratch.type().bits(sortable)) * divisor));
  }
}
