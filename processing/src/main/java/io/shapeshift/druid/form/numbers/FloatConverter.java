// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.bits.RowMatches;
import javax.annotation.Nullable;

/** Makes the floats of a chunk: their bits as ints, or the integers of decimals, and then floats of these. */
abstract sealed class FloatConverter extends NumberChunkReader permits FloatChunkReader {
  /** The bits of 2^23: an integer from 0 to 2^23 that is added to them is added to the float, too. */
  private static final int FLOAT_BITS = 0x4B00_0000;
  private static final float FLOAT_OF_BITS = 0x1p23f;
  /** The bits of 2^23 + 2^22: integers from -2^22 to less than 2^22 may be added to them. */
  private static final int SIGNED_FLOAT_BITS = 0x4B40_0000;
  private static final float SIGNED_FLOAT_OF_BITS = 0x1.8p23f;
  private static final int MOST_SIGNED = 1 << 22;
  /** Floats take an integer in two parts, as one may have a bit more. */
  private static final int LOWER_BITS = 12;

  @Nullable
  private int[] upperInts;
  @Nullable
  private int[] lowerInts;
  @Nullable
  private float[] upperFloats;
  @Nullable
  private float[] lowerFloats;

  FloatConverter() {
    super(NumberType.FLOAT);
  }

  private int entry32(int code) {
    return bytes.getInt(offset + Integer.BYTES * entryOf(code));
  }

  private int bits32(int index) {
    return switch (shape) {
      case LINEAR, DECIMAL -> (int) base + (int) multiplier * ints.get(index);
      case DICTIONARY -> entry32(ints.get(index));
      case RAW -> bytes.getInt(offset + Integer.BYTES * index);
      default -> (int) shuffled(index);
    };
  }

  /** An exception, by its number. */
  final float exception(int i) {
    return Float.intBitsToFloat((int) exceptionBits(i));
  }

  /** The float at an index of the chunk, if that is no exception. */
  final float converted(int index) {
    final int bits = bits32(index);
    return shape == DECIMAL ? bits / (float) divisor : Float.intBitsToFloat(bits);
  }

  /** The floats of at most a vector, without exceptions. */
  final void convert(float[] out, int at, int start, int length) {
    if (shape == RAW) {
      bytes.getFloats(offset + Float.BYTES * start, out, at, length);
      return;
    }
    floatInts(start, length);
    toFloats(intVector, 0, out, at, length);
  }

  /** The floats at some positions, without exceptions. */
  final void convert(float[] out, int[] indexes, int from, int to, int chunk) {
    if (shape == RAW) {
      for (int i = from; i < to; i++) {
        out[i] = Float.intBitsToFloat(bytes.getInt(offset + Float.BYTES * (indexes[i] - chunk)));
      }
      return;
    }
    final int[] in = intsFor(to);
    switch (shape) {
      case SHUFFLED -> {
        for (int i = from; i < to; i++) {
          in[i] = bits32(indexes[i] - chunk);
        }
      }
      default -> ints.get(in, indexes, from, to, chunk);
    }
    toFloats(in, from, out, from, to - from);
  }

  /** Bits of floats with a sign descend where the floats ascend. */
  @Override
  final boolean areInOrder(long first, long last) {
    return last <= Integer.MAX_VALUE && first >= (shape == DECIMAL ? Integer.MIN_VALUE : 0);
  }

  /** Reads at most a vector of floats, exceptions among them, to an array of the reader's own from 0 on. */
  abstract float[] vectorOf(int start, int length);

  @Override
  final void compare(int start, int length, WantedNumbers wanted, RowMatches matches, int row) {
    final float[] floats = vectorOf(start, length);
    RawBytes.toInts(floats, intVector, length);
    for (int i = 0; i < wanted.numRanges(); i++) {
      matches.addFloats(intVector, row, (int) wanted.start(i), (int) wanted.end(i));
    }
  }

  @Override
  final void keys(long[] out, int start, int length) {
    toKeys(vectorOf(start, length), out, length);
  }

  @Override
  final long keyOf(int value) {
    final int bits = (int) base + (int) multiplier * value;
    return type().key(shape == DECIMAL ? Float.floatToRawIntBits(bits / (float) divisor) : bits);
  }

  @Override
  final long intOf(long key) {
    return intOfBits(type().bits(key));
  }

  /** The keys of floats: see {@link NumberType#key}. */
  private static void toKeys(float[] in, long[] out, int length) {
    for (int i = 0; i < length; i++) {
      final int bits = Float.floatToRawIntBits(in[i]);
      out[i] = bits ^ bits >> 31 >>> 1;
    }
  }

  /** The floats of ints in a linear frame. */
  final void convertInts(int[] in, float[] out, int length) {
    if (shape == DECIMAL) {
      decimals(in, 0, out, 0, length);
    } else {
      // A copy, as these ints may be a dictionary's own.
      ensureParts(length);
      System.arraycopy(in, 0, lowerInts, 0, length);
      linear(lowerInts, 0, length, (int) base, (int) multiplier);
      RawBytes.toFloats(lowerInts, 0, out, 0, length);
    }
  }

  /** Reads at most a vector of ints in the frame, or of the bits of floats. */
  private void floatInts(int start, int length) {
    switch (shape) {
      case SHUFFLED -> {
        intsFor(length);
        for (int i = 0; i < length; i++) {
          intVector[i] = (int) shuffled(start + i);
        }
      }
      default -> ints.get(intVector, 0, start, length);
    }
  }

  /** Makes floats of ints in the frame, which are changed; of others these are the bits already. */
  private void toFloats(int[] in, int from, float[] out, int at, int length) {
    switch (shape) {
      case DECIMAL -> decimals(in, from, out, at, length);
      case LINEAR -> {
        linear(in, from, length, (int) base, (int) multiplier);
        RawBytes.toFloats(in, from, out, at, length);
      }
      case DICTIONARY -> {
        for (int i = from; i < from + length; i++) {
          in[i] = entry32(in[i]);
        }
        RawBytes.toFloats(in, from, out, at, length);
      }
      default -> RawBytes.toFloats(in, from, out, at, length);
    }
  }

  private static void linear(int[] inOut, int from, int length, int base, int multiplier) {
    for (int i = from; i < from + length; i++) {
      inOut[i] = base + multiplier * inOut[i];
    }
  }

  /** Whether all integers of the chunk have room behind the bits of a float, as far as the ints' form tells. */
  private boolean isOnePart() {
    final long greatest = base + multiplier * ints.greatest();
    return base >= -MOST_SIGNED && greatest < MOST_SIGNED && multiplier > 0 && multiplier < MOST_SIGNED;
  }

  private void decimals(int[] in, int from, float[] out, int at, int length) {
    ensureParts(length);
    if (isOnePart()) {
      // C2 of Java 17 vectorises loops over arrays of one type, from the same index on in each.
      System.arraycopy(in, from, lowerInts, 0, length);
      linear(lowerInts, 0, length, SIGNED_FLOAT_BITS + (int) base, (int) multiplier);
      RawBytes.toFloats(lowerInts, 0, out, at, length);
      subtractAndDivide(out, at, length, (float) divisor);
    } else {
      decimalsOfTwoParts(in, from, out, at, length);
    }
  }

  private static void subtractAndDivide(float[] inOut, int at, int length, float divisor) {
    for (int i = at; i < at + length; i++) {
      inOut[i] = (inOut[i] - SIGNED_FLOAT_OF_BITS) / divisor;
    }
  }

  /** In two parts, each of which a float has room for behind the bits of 2^23. */
  private void decimalsOfTwoParts(int[] in, int from, float[] out, int at, int length) {
    System.arraycopy(in, from, lowerInts, 0, length);
    if (multiplier != 1) {
      linear(lowerInts, 0, length, 0, (int) multiplier);
    }
    System.arraycopy(lowerInts, 0, upperInts, 0, length);
    upper(upperInts, length);
    lower(lowerInts, length);
    RawBytes.toFloats(upperInts, 0, upperFloats, 0, length);
    RawBytes.toFloats(lowerInts, 0, lowerFloats, 0, length);
    combine(upperFloats, lowerFloats, length, (float) base, (float) divisor);
    System.arraycopy(upperFloats, 0, out, at, length);
  }

  private void ensureParts(int length) {
    if (upperInts == null || upperInts.length < length) {
      upperInts = new int[Math.max(VECTOR, length)];
      lowerInts = new int[upperInts.length];
      upperFloats = new float[upperInts.length];
      lowerFloats = new float[upperInts.length];
    }
  }

  private static void upper(int[] inOut, int length) {
    for (int i = 0; i < length; i++) {
      inOut[i] = FLOAT_BITS | inOut[i] >>> LOWER_BITS;
    }
  }

  private static void lower(int[] inOut, int length) {
    for (int i = 0; i < length; i++) {
      inOut[i] = FLOAT_BITS | (inOut[i] & ((1 << LOWER_BITS) - 1));
    }
  }

  private static void combine(float[] upper, float[] lower, int length, float base, float divisor) {
    for (int i = 0; i < length; i++) {
      upper[i] = ((upper[i] - FLOAT_OF_BITS) * (1 << LOWER_BITS) + (lower[i] - FLOAT_OF_BITS) + base) / divisor;
    }
  }
}
