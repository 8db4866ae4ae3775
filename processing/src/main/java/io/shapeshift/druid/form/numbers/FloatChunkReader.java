// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.ints.DictionaryInts;
import java.util.Arrays;
import javax.annotation.Nullable;

/** Reads the floats of one chunk: their bits as ints, or the integers of decimals, and then floats of these. */
public final class FloatChunkReader extends NumberChunkReader {
  /** The bits of 2^23, of which the same holds for a float and integers from 0 to 2^23. */
  private static final int FLOAT_BITS = 0x4B00_0000;
  private static final float FLOAT_OF_BITS = 0x1p23f;
  /** Floats take an integer in two parts, as one may have a bit more. */
  private static final int LOWER_BITS = 12;

  private final float[] runValues = new float[VECTOR];
  /** A vector from which the numbers that are wanted are picked. */
  @Nullable
  private float[] dense;
  /** The numbers of a dictionary of ints. */
  @Nullable
  private float[] entries;
  @Nullable
  private int[] upperInts;
  @Nullable
  private int[] lowerInts;
  @Nullable
  private float[] upperFloats;
  @Nullable
  private float[] lowerFloats;

  /** Makes a reader of no chunk. */
  public FloatChunkReader() {
    super(NumberType.FLOAT);
  }

  private int entry32(int code) {
    return bytes.getInt(offset + Integer.BYTES * Math.min(code & Integer.MAX_VALUE, lastEntry));
  }

  private int bits32(int index) {
    return switch (shape) {
      case LINEAR, DECIMAL -> (int) base + (int) multiplier * ints.get(index);
      case DICTIONARY -> entry32(ints.get(index));
      case RAW -> bytes.getInt(offset + Integer.BYTES * index);
      default -> (int) shuffled(index);
    };
  }

  /** The float at an index of the chunk, which the caller has checked. */
  public float get(int index) {
    final int exception = numExceptions == 0 ? -1 : exceptions.find(index);
    if (exception >= 0) {
      return Float.intBitsToFloat((int) exceptionBits(exception));
    }
    final int bits = bits32(index);
    return shape == DECIMAL ? bits / (float) divisor : Float.intBitsToFloat(bits);
  }

  /** Reads the floats from {@code start} on, as longs are read. */
  public void get(float[] out, int at, int start, int length) {
    @Nullable final DictionaryInts dictionary = dictionary();
    if (dictionary != null && !hasEntries) {
      final int numEntries = dictionary.numEntries();
      if (entries == null || entries.length < dictionary.numCodes()) {
        entries = new float[dictionary.numCodes()];
      }
      // Not the dictionary's own array, which is changed.
      toFloats(Arrays.copyOf(dictionary.entries(), numEntries), 0, entries, 0, numEntries);
      hasEntries = true;
    }
    for (int done = 0; done < length; done += VECTOR) {
      final int count = Math.min(VECTOR, length - done);
      final int runs = runs(start + done, count);
      if (dictionary != null) {
        dictionary.codes(intVector, 0, start + done, count);
        pick(entries, intVector, out, at + done, count);
      } else if (runs > 0) {
        toFloats(intVector, 0, runValues, 0, runs);
        fill(runValues, runEnds, runs, out, at + done);
      } else {
        floatInts(start + done, count);
        toFloats(intVector, 0, out, at + done, count);
      }
      if (numExceptions > 0) {
        final int found = exceptionsIn(start + done, count);
        for (int i = 0; i < found; i++) {
          out[at + places[i] - start] =
              Float.intBitsToFloat((int) exceptionBits(Math.min(exceptionRank + i, numExceptions - 1)));
        }
      }
    }
  }

  /** Reads at most a vector of ints in the frame, or of the bits of floats. */
  private void floatInts(int start, int length) {
    switch (shape) {
      case RAW -> bytes.getInts(offset + Integer.BYTES * start, intVector, 0, length);
      case SHUFFLED -> {
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
        for (int i = 0; i < length; i++) {
          out[at + i] = Float.intBitsToFloat(entry32(in[from + i]));
        }
      }
      default -> RawBytes.toFloats(in, from, out, at, length);
    }
  }

  private static void linear(int[] inOut, int from, int length, int base, int multiplier) {
    for (int i = from; i < from + length; i++) {
      inOut[i] = base + multiplier * inOut[i];
    }
  }

  /** In two parts, each of which a float has room for behind the bits of 2^23. */
  private void decimals(int[] in, int from, float[] out, int at, int length) {
    if (upperInts == null || upperInts.length < length) {
      upperInts = new int[Math.max(VECTOR, length)];
      lowerInts = new int[upperInts.length];
      upperFloats = new float[upperInts.length];
      lowerFloats = new float[upperInts.length];
    }
    // C2 of Java 17 vectorises loops over arrays of one type, from the same index on in each.
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

  /** Reads the floats at some positions of the column, as longs are read. */
  public void get(float[] out, int[] indexes, int from, int to, int chunk) {
    if (isDense(indexes, from, to)) {
      if (dense == null) {
        dense = new float[VECTOR];
      }
      for (int i = from; i < to; ) {
        final int start = (indexes[i] - chunk) / VECTOR * VECTOR;
        final int length = Math.min(VECTOR, numValues - start);
        get(dense, 0, start, length);
        final int end = endOfVector(indexes, i, to, chunk + start, length);
        for (; i < end; i++) {
          out[i] = dense[indexes[i] - chunk - start];
        }
      }
      return;
    }
    final int[] in = intsFor(to);
    switch (shape) {
      case RAW, SHUFFLED -> {
        for (int i = from; i < to; i++) {
          in[i] = bits32(indexes[i] - chunk);
        }
      }
      default -> ints.get(in, indexes, from, to, chunk);
    }
    toFloats(in, from, out, from, to - from);
    if (numExceptions > 0) {
      for (int i = from; i < to; i++) {
        final int exception = exceptions.find(indexes[i] - chunk);
        if (exception >= 0) {
          out[i] = Float.intBitsToFloat((int) exceptionBits(exception));
        }
      }
    }
  }

  private static void fill(float[] values, int[] ends, int runs, float[] out, int at) {
    int i = at;
    for (int run = 0; run < runs; run++) {
      final int end = at + ends[run];
      final float value = values[run];
      for (; i < end; i++) {
        out[i] = value;
      }
    }
  }

  private static void pick(float[] entries, int[] codes, float[] out, int at, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = entries[codes[i]];
    }
  }
}
