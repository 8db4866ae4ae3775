// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.ExactDivision;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.ints.DictionaryInts;
import javax.annotation.Nullable;

/** Reads the doubles of one chunk: their bits as longs, or the integers of decimals, and then doubles of these. */
public final class DoubleChunkReader extends NumberChunkReader {
  /** The bits of 2^52 + 2^51: an integer added to them is added to the double, too, as long as it is below 2^51. */
  private static final long DOUBLE_BITS = 0x4338_0000_0000_0000L;
  private static final double DOUBLE_OF_BITS = 0x1.8p52;
  private final double[] runValues = new double[VECTOR];
  /** A vector from which the numbers that are wanted are picked. */
  @Nullable
  private double[] dense;
  /** The numbers of a dictionary of ints, and their bits. */
  @Nullable
  private double[] entries;
  @Nullable
  private long[] entryBits;

  /** Makes a reader of no chunk. */
  public DoubleChunkReader() {
    super(NumberType.DOUBLE);
  }

  /** The double at an index of the chunk, which the caller has checked. */
  public double get(int index) {
    final int exception = numExceptions == 0 ? -1 : exceptions.find(index);
    if (exception >= 0) {
      return Double.longBitsToDouble(exceptionBits(exception));
    }
    final long bits = bits(index);
    return shape == DECIMAL ? bits / divisor : Double.longBitsToDouble(bits);
  }

  /** Reads the doubles from {@code start} on, as longs are read. */
  public void get(double[] out, int at, int start, int length) {
    final long[] vector = longVector(VECTOR);
    @Nullable final DictionaryInts dictionary = dictionary();
    if (dictionary != null && !hasEntries) {
      final int numEntries = dictionary.numEntries();
      entryBits = grown(entryBits, dictionary.numCodes());
      if (entries == null || entries.length < entryBits.length) {
        entries = new double[entryBits.length];
      }
      linear(dictionary.entries(), 0, entryBits, 0, numEntries, base + added(), multiplier);
      toDoubles(entryBits, 0, entries, 0, numEntries);
      hasEntries = true;
    }
    for (int done = 0; done < length; done += VECTOR) {
      final int count = Math.min(VECTOR, length - done);
      final int runs = runs(start + done, count);
      if (dictionary != null) {
        dictionary.codes(intVector, 0, start + done, count);
        pick(entries, intVector, out, at + done, count);
      } else if (runs > 0) {
        linear(intVector, 0, vector, 0, runs, base + added(), multiplier);
        toDoubles(vector, 0, runValues, 0, runs);
        fill(runValues, runEnds, runs, out, at + done);
      } else {
        bits(vector, 0, start + done, count, added());
        toDoubles(vector, 0, out, at + done, count);
      }
      if (numExceptions > 0) {
        final int found = exceptionsIn(start + done, count);
        for (int i = 0; i < found; i++) {
          out[at + places[i] - start] =
              Double.longBitsToDouble(exceptionBits(Math.min(exceptionRank + i, numExceptions - 1)));
        }
      }
    }
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

  /** Reads the doubles at some positions of the column, as longs are read. */
  public void get(double[] out, int[] indexes, int from, int to, int chunk) {
    if (isDense(indexes, from, to)) {
      if (dense == null) {
        dense = new double[VECTOR];
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
    final long[] vector = longVector(to);
    bits(vector, indexes, from, to, chunk, added());
    toDoubles(vector, from, out, from, to - from);
    if (numExceptions > 0) {
      for (int i = from; i < to; i++) {
        final int exception = exceptions.find(indexes[i] - chunk);
        if (exception >= 0) {
          out[i] = Double.longBitsToDouble(exceptionBits(exception));
        }
      }
    }
  }

  private static void fill(double[] values, int[] ends, int runs, double[] out, int at) {
    int i = at;
    for (int run = 0; run < runs; run++) {
      final int end = at + ends[run];
      final double value = values[run];
      for (; i < end; i++) {
        out[i] = value;
      }
    }
  }

  private static void pick(double[] entries, int[] codes, double[] out, int at, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = entries[codes[i]];
    }
  }
}
