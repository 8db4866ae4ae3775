// SPDX-License-Identifier: Apache-2.0
// Generated from LongChunkReader.java by scripts/NumberClasses.java: do not edit.
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.ints.dictionary.DictionaryInts;
import io.shapeshift.druid.form.ints.runs.RunEndInts;
import io.shapeshift.druid.form.numbers.frame.DictionaryNumbers;
import io.shapeshift.druid.form.numbers.frame.ScaledNumbers;
import it.unimi.dsi.fastutil.HashCommon;
import java.util.Arrays;
import javax.annotation.Nullable;

/** Reader of the doubles of one chunk. */
public final class DoubleChunkReader extends NumberChunkReader {
  private static final int FILLED_TOO_FAR = 7;

  /** A vector from which wanted doubles are copied. */
  @Nullable
  private double[] vector;
  /** Doubles of the entries of a dictionary of ints. */
  @Nullable
  private double[] entries;
  /** Doubles of the runs in a vector. */
  @Nullable
  private double[] runValues;
  /** Doubles of a vector, filled run by run. */
  @Nullable
  private double[] runVector;

  /** Creates a reader without a chunk. */
  public DoubleChunkReader() {
    super(NumberType.DOUBLE);
  }

  /** Returns the double at an index of the chunk, which the caller has checked. */
  public double get(int index) {
    final int exception = exceptions.find(index);
    return exception >= 0 ? exceptions.getDouble(exception) : shape.getDouble(index);
  }

  /**
   * Reads consecutive doubles.
   *
   * @param out   receives the doubles, from {@code at}
   * @param start index in the chunk; the caller has checked start and length
   */
  public void get(double[] out, int at, int start, int length) {
    for (int done = 0; done < length; done += VECTOR) {
      getVector(out, at + done, start + done, Math.min(VECTOR, length - done));
    }
  }

  // Each way to read a vector is a method of its own: one large method takes a third more time.

  private void getVector(double[] out, int at, int start, int length) {
    if (shape instanceof ScaledNumbers numbers) {
      getScaled(numbers, out, at, start, length);
    } else if (shape instanceof DictionaryNumbers numbers) {
      getByEntries(numbers, out, at, start, length);
    } else {
      shape.get(out, at, start, length);
    }
    if (exceptions.size() > 0) {
      putExceptions(out, at, start, length);
    }
  }

  private void getScaled(ScaledNumbers numbers, double[] out, int at, int start, int length) {
    @Nullable final DictionaryInts dictionary = numbers.dictionary();
    @Nullable final RunEndInts shortRuns = numbers.shortRuns();
    if (dictionary != null) {
      getByCodes(numbers, dictionary, out, at, start, length);
    } else if (shortRuns != null) {
      mapRuns(numbers, shortRuns);
      expand(shortRuns, entries, out, at, start, length);
    } else if (!getByRuns(numbers, out, at, start, length)) {
      numbers.get(out, at, start, length);
    }
  }

  private void getByEntries(DictionaryNumbers numbers, double[] out, int at, int start, int length) {
    copyEntries(numbers);
    final int[] codes = scratch.ints(length);
    numbers.codes(codes, start, length);
    pickVector(entries, codes, out, at, length);
  }

  private void getByCodes(
      ScaledNumbers numbers,
      DictionaryInts dictionary,
      double[] out,
      int at,
      int start,
      int length
  ) {
    mapEntries(numbers, dictionary);
    final int[] codes = scratch.ints(length);
    dictionary.codes(codes, 0, start, length);
    pickVector(entries, codes, out, at, length);
  }

  private boolean getByRuns(ScaledNumbers numbers, double[] out, int at, int start, int length) {
    final int runs = numbers.runs(start, length);
    if (runs == 0) {
      return false;
    }
    if (runValues == null) {
      runValues = new double[VECTOR];
      runVector = new double[VECTOR + FILLED_TOO_FAR];
    }
    numbers.map(numbers.runValues(), runValues, runs);
    if (runs < CostModel.Numbers.FEW_RUNS) {
      fill(runValues, numbers.runEnds(), runs, out, at);
    } else {
      fillPastEnd(runValues, numbers.runEnds(), runs, runVector);
      System.arraycopy(runVector, 0, out, at, length);
    }
    return true;
  }

  private void putExceptions(double[] out, int at, int start, int length) {
    final int listed = exceptions.list(start, length);
    for (int i = 0; i < listed; i++) {
      out[at + exceptions.place(i) - start] = exceptions.getDouble(exceptions.listed(i));
    }
  }

  private void copyEntries(DictionaryNumbers numbers) {
    if (!hasEntries) {
      makeRoomForEntries(numbers.numEntries());
      numbers.entries(entries);
      fillMissingEntries(numbers.numEntries());
    }
  }

  private void mapEntries(ScaledNumbers numbers, DictionaryInts dictionary) {
    if (!hasEntries) {
      makeRoomForEntries(dictionary.numCodes());
      numbers.map(dictionary.entries(), entries, dictionary.numEntries());
      fillMissingEntries(dictionary.numEntries());
    }
  }

  private void mapRuns(ScaledNumbers numbers, RunEndInts runs) {
    if (!hasEntries) {
      makeRoomForEntries(runs.numRuns());
      numbers.map(runs.entries(), entries, runs.numRuns());
      hasEntries = true;
    }
  }

  private void makeRoomForEntries(int number) {
    if (entries == null || entries.length < number) {
      entries = new double[Math.max(VECTOR, HashCommon.nextPowerOfTwo(number))];
    }
  }

  /** Fills the entries of codes without an entry, which only a damaged chunk has, with the last entry. */
  private void fillMissingEntries(int numEntries) {
    Arrays.fill(entries, numEntries, entries.length, entries[numEntries - 1]);
    hasEntries = true;
  }

  /** Expands runs with one step per value and no loop per run, as {@link RunEndInts} does. */
  private static void expand(RunEndInts runs, double[] entries, double[] out, int at, int start, int length) {
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

  /** Fills each run up to its end, and up to seven numbers more, which saves a loop for most runs. */
  private static void fillPastEnd(double[] values, int[] ends, int runs, double[] out) {
    int i = 0;
    for (int run = 0; run < runs; run++) {
      final int end = ends[run];
      fillPastEnd(out, i, end, values[run]);
      i = end;
    }
  }

  private static void fillPastEnd(double[] out, int start, int end, double value) {
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

  /**
   * Maps codes to entries. All codes are less than the array's length, a power of two, so a mask saves C2's bounds
   * checks.
   */
  private static void pickVector(double[] entries, int[] codes, double[] out, int at, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = entries[codes[i] & entries.length - 1];
    }
  }

  /** Maps codes to entries, to the same indexes. */
  private static void pick(double[] entries, int[] codes, double[] out, int from, int to) {
    for (int i = from; i < to; i++) {
      out[i] = entries[codes[i] & entries.length - 1];
    }
  }

  @Override
  public void read(int start, int length, VectorConsumer consumer) {
    if (vector == null) {
      vector = new double[VECTOR];
    }
    getVector(vector, 0, start, length);
    consumer.accept(vector, length);
  }

  /**
   * Reads doubles at positions of the column, all within this chunk.
   *
   * @param out     receives the doubles, at the indexes that their positions have in {@code indexes}
   * @param indexes positions in the column
   * @param from    first index into {@code indexes}
   * @param to      end index, exclusive
   * @param chunk   position in the column of the chunk's first value
   */
  public void get(double[] out, int[] indexes, int from, int to, int chunk) {
    if (isDense(indexes, from, to)) {
      getDense(out, indexes, from, to, chunk);
      return;
    }
    @Nullable final RunEndInts runs =
        shape instanceof ScaledNumbers numbers ? numbers.runsFor(indexes, from, to) : null;
    if (runs != null) {
      mapRuns((ScaledNumbers) shape, runs);
      pick(runs, entries, out, indexes, from, to, chunk);
    } else if (shape instanceof DictionaryNumbers numbers
        && (hasEntries || to - from >= CostModel.Numbers.LEAST_TO_COPY)) {
      getByEntries(numbers, out, indexes, from, to, chunk);
    } else {
      shape.get(out, indexes, from, to, chunk);
    }
    if (exceptions.size() > 0) {
      putExceptions(out, indexes, from, to, chunk);
    }
  }

  private void putExceptions(double[] out, int[] indexes, int from, int to, int chunk) {
    for (int i = from; i < to; i++) {
      final int exception = exceptions.find(indexes[i] - chunk);
      if (exception >= 0) {
        out[i] = exceptions.getDouble(exception);
      }
    }
  }

  private void getByEntries(DictionaryNumbers numbers, double[] out, int[] indexes, int from, int to, int chunk) {
    copyEntries(numbers);
    final int[] codes = scratch.ints(to);
    numbers.codes(codes, indexes, from, to, chunk);
    pick(entries, codes, out, from, to);
  }

  private static void pick(
      RunEndInts runs,
      double[] entries,
      double[] out,
      int[] indexes,
      int from,
      int to,
      int chunk
  ) {
    for (int i = from; i < to; i++) {
      out[i] = entries[runs.runOf(indexes[i] - chunk)];
    }
  }

  /** Reads whole vectors and copies the wanted doubles. */
  private void getDense(double[] out, int[] indexes, int from, int to, int chunk) {
    if (vector == null) {
      vector = new double[VECTOR];
    }
    for (int i = from; i < to; ) {
      final int start = (indexes[i] - chunk) / VECTOR * VECTOR;
      final int length = Math.min(VECTOR, numValues() - start);
      get(vector, 0, start, length);
      final int end = ChunkReader.endOfVector(indexes, i, to, chunk + start, length);
      for (; i < end; i++) {
        out[i] = vector[indexes[i] - chunk - start];
      }
    }
  }
}
