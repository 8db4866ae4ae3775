// SPDX-License-Identifier: Apache-2.0
// GeneratedSourcesTest generates the classes for other types from this one.
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.ints.DictionaryInts;
import io.shapeshift.druid.form.ints.RunEndInts;
import java.util.Arrays;
import javax.annotation.Nullable;

/** Reads the longs of one chunk. */
public final class LongChunkReader extends LongConverter {
  private static final int FILLED_TOO_FAR = 7;

  /** A vector from which the longs that are wanted are picked. */
  @Nullable
  private long[] vector;
  /** The longs of a dictionary of ints. */
  @Nullable
  private long[] entries;
  /** The longs of the runs in a vector. */
  @Nullable
  private long[] runValues;
  /** The longs of a vector, filled by run. */
  @Nullable
  private long[] runVector;

  /** Makes a reader of no chunk. */
  public LongChunkReader() {}

  /** The long at an index of the chunk, which the caller has checked. */
  public long get(int index) {
    final int exception = numExceptions == 0 ? -1 : exceptions.find(index);
    return exception >= 0 ? exception(exception) : converted(index);
  }

  /**
   * Reads the longs from {@code start} on.
   *
   * @param out   where they go, from {@code at} on
   * @param start index in the chunk; with length at most the number of values, which the caller has checked
   */
  public void get(long[] out, int at, int start, int length) {
    @Nullable final DictionaryInts dictionary = dictionary();
    if (dictionary != null && !hasEntries) {
      convertEntries(dictionary);
    }
    @Nullable final RunEndInts shortRuns = shortRuns();
    if (shortRuns != null && !hasEntries) {
      convertEntries(shortRuns);
    }
    for (int done = 0; done < length; done += VECTOR) {
      final int count = Math.min(VECTOR, length - done);
      final int runs = shortRuns == null ? runs(start + done, count) : 0;
      if (shortRuns != null) {
        expand(shortRuns, entries, out, at + done, start + done, count);
      } else if (dictionary != null) {
        dictionary.codes(intVector, 0, start + done, count);
        pick(entries, intVector, out, at + done, count);
      } else if (runs > 0) {
        if (runValues == null) {
          runValues = new long[VECTOR];
          runVector = new long[VECTOR + FILLED_TOO_FAR];
        }
        convertInts(intVector, runValues, runs);
        fill(runValues, runEnds, runs, runVector);
        System.arraycopy(runVector, 0, out, at + done, count);
      } else {
        convert(out, at + done, start + done, count);
      }
      if (numExceptions > 0) {
        final int found = exceptionsIn(start + done, count);
        for (int i = 0; i < found; i++) {
          out[at + places[i] - start] = exception(Math.min(exceptionRank + i, numExceptions - 1));
        }
      }
    }
  }

  private void convertEntries(DictionaryInts dictionary) {
    final int numEntries = dictionary.numEntries();
    final int numCodes = dictionary.numCodes();
    if (entries == null || entries.length < numCodes) {
      entries = new long[Math.max(VECTOR, numCodes)];
    }
    convertInts(dictionary.entries(), entries, numEntries);
    // Codes without an entry, which only a damaged chunk has, are read as the last.
    Arrays.fill(entries, numEntries, numCodes, entries[numEntries - 1]);
    hasEntries = true;
  }

  private void convertEntries(RunEndInts runs) {
    final int numRuns = runs.numRuns();
    if (entries == null || entries.length < numRuns) {
      entries = new long[Math.max(VECTOR, numRuns)];
    }
    convertInts(runs.entries(), entries, numRuns);
    hasEntries = true;
  }

  /** Takes one step for each value and none for each run, as {@link RunEndInts} does. */
  private static void expand(RunEndInts runs, long[] entries, long[] out, int at, int start, int length) {
    int run = start == 0 ? 0 : runs.runOf(start - 1);
    for (int i = 0; i < length; ) {
      final int end = Math.min(length, i + RunEndInts.leftInWord(start + i));
      var begins = runs.begins(start + i);
      for (; i < end; i++) {
        run += (int) (begins & 1);
        begins >>>= 1;
        out[at + i] = entries[run];
      }
    }
  }

  /** Fills each run up to its end, and up to seven numbers more, which saves a loop for most runs. */
  private static void fill(long[] values, int[] ends, int runs, long[] out) {
    int i = 0;
    for (int run = 0; run < runs; run++) {
      final int end = ends[run];
      fill(out, i, end, values[run]);
      i = end;
    }
  }

  private static void fill(long[] out, int start, int end, long value) {
    for (int i = start; i < end; i += 8) {
      out[i] = value;
      out[i + 1] = value;
      out[i + 2] = value;
      out[i + 3] = value;
      out[i + 4] = value;
      out[i + 5] = value;
      out[i + 6] = value;
      out[i + 7] = value;
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
   * @param to      end index, exclusive
   * @param chunk   position in the column of the chunk's first value
   */
  public void get(long[] out, int[] indexes, int from, int to, int chunk) {
    if (isDense(indexes, from, to)) {
      getDense(out, indexes, from, to, chunk);
      return;
    }
    convert(out, indexes, from, to, chunk);
    if (numExceptions > 0) {
      for (int i = from; i < to; i++) {
        final int exception = exceptions.find(indexes[i] - chunk);
        if (exception >= 0) {
          out[i] = exception(exception);
        }
      }
    }
  }

  /** Reads whole vectors, and picks from them what is wanted. */
  private void getDense(long[] out, int[] indexes, int from, int to, int chunk) {
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
  }
}
