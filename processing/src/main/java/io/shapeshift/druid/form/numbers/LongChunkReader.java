// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.ints.DictionaryInts;
import javax.annotation.Nullable;

/** Reads the longs of one chunk. */
public final class LongChunkReader extends NumberChunkReader {
  /** A vector from which the numbers that are wanted are picked. */
  @Nullable
  private long[] vector;
  /** The numbers of a dictionary of ints. */
  @Nullable
  private long[] entries;

  /** Makes a reader of no chunk. */
  public LongChunkReader() {
    super(NumberType.LONG);
  }

  /** The bits of an exception, or those that are given. */
  private long excepted(int index, long bits) {
    if (numExceptions == 0) {
      return bits;
    }
    final int found = exceptions.find(index);
    return found < 0 ? bits : exceptionBits(found);
  }

  /** The long at an index of the chunk, which the caller has checked. */
  public long get(int index) {
    return excepted(index, bits(index));
  }

  /**
   * Reads the longs from {@code start} on.
   *
   * @param start index in the chunk; with length at most the number of values, which the caller has checked
   * @param out   where they go, from {@code at} on
   */
  public void get(long[] out, int at, int start, int length) {
    @Nullable final DictionaryInts dictionary = dictionary();
    if (dictionary != null) {
      if (!hasEntries) {
        entries = grown(entries, dictionary.numCodes());
        linear(dictionary.entries(), 0, entries, 0, dictionary.numEntries(), base, multiplier);
        hasEntries = true;
      }
    }
    for (int done = 0; done < length; done += VECTOR) {
      final int count = Math.min(VECTOR, length - done);
      final int runs = runs(start + done, count);
      if (dictionary != null) {
        dictionary.codes(intVector, 0, start + done, count);
        pick(entries, intVector, out, at + done, count);
      } else if (runs > 0) {
        final long[] values = longVector(VECTOR);
        linear(intVector, 0, values, 0, runs, base, multiplier);
        fill(values, runEnds, runs, out, at + done);
      } else {
        bits(out, at + done, start + done, count, 0);
      }
      if (numExceptions > 0) {
        final int found = exceptionsIn(start + done, count);
        for (int i = 0; i < found; i++) {
          out[at + places[i] - start] = exceptionBits(Math.min(exceptionRank + i, numExceptions - 1));
        }
      }
    }
  }

  private static void fill(long[] values, int[] ends, int runs, long[] out, int at) {
    int i = at;
    for (int run = 0; run < runs; run++) {
      final int end = at + ends[run];
      final long value = values[run];
      for (; i < end; i++) {
        out[i] = value;
      }
    }
  }

  private static void pick(long[] entries, int[] codes, long[] out, int at, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = entries[codes[i]];
    }
  }

  /**
   * Reads the longs at some positions of the column, all of which are in this chunk.
   *
   * @param out     where they go, at the same places as their positions in {@code indexes}
   * @param indexes positions in the column
   * @param from    the first that counts
   * @param to      behind the last that counts
   * @param chunk   position in the column of the chunk's first value
   */
  public void get(long[] out, int[] indexes, int from, int to, int chunk) {
    if (isDense(indexes, from, to)) {
      if (vector == null) {
        vector = new long[VECTOR];
      }
      for (int i = from; i < to; ) {
        final int start = (indexes[i] - chunk) / VECTOR * VECTOR;
        final int length = Math.min(VECTOR, numValues - start);
        get(vector, 0, start, length);
        final int end = endOfVector(indexes, i, to, chunk + start, length);
        for (; i < end; i++) {
          out[i] = vector[indexes[i] - chunk - start];
        }
      }
      return;
    }
    bits(out, indexes, from, to, chunk, 0);
    if (numExceptions > 0) {
      for (int i = from; i < to; i++) {
        out[i] = excepted(indexes[i] - chunk, out[i]);
      }
    }
  }
}
