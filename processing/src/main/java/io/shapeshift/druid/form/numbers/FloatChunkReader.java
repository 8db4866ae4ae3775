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

/** Reads the floats of one chunk. */
public final class FloatChunkReader extends NumberChunkReader {
  private static final int FILLED_TOO_FAR = 7;

  /** A vector from which the floats that are wanted are picked. */
  @Nullable
  private float[] vector;
  /** The floats of a dictionary of ints. */
  @Nullable
  private float[] entries;
  /** The floats of the runs in a vector. */
  @Nullable
  private float[] runValues;
  /** The floats of a vector, filled by run. */
  @Nullable
  private float[] runVector;

  /** Makes a reader of no chunk. */
  public FloatChunkReader() {
    super(NumberType.FLOAT);
  }

  /** The float at an index of the chunk, which the caller has checked. */
  public float get(int index) {
    final int exception = exceptions.find(index);
    return exception >= 0 ? exceptions.getFloat(exception) : shape.getFloat(index);
  }

  /**
   * Reads the floats from {@code start} on.
   *
   * @param out   where they go, from {@code at} on
   * @param start index in the chunk; with length at most the number of values, which the caller has checked
   */
  public void get(float[] out, int at, int start, int length) {
    for (int done = 0; done < length; done += VECTOR) {
      getVector(out, at + done, start + done, Math.min(VECTOR, length - done));
    }
  }

  // Each way to read a vector is a method of its own: all of them in one take a third more time.

  private void getVector(float[] out, int at, int start, int length) {
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

  private void getScaled(ScaledNumbers numbers, float[] out, int at, int start, int length) {
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

  private void getByEntries(DictionaryNumbers numbers, float[] out, int at, int start, int length) {
    copyEntries(numbers);
    final int[] codes = scratch.ints(length);
    numbers.codes(codes, start, length);
    pickVector(entries, codes, out, at, length);
  }

  private void getByCodes(
      ScaledNumbers numbers,
      DictionaryInts dictionary,
      float[] out,
      int at,
      int start,
      int length
  ) {
    mapEntries(numbers, dictionary);
    final int[] codes = scratch.ints(length);
    dictionary.codes(codes, 0, start, length);
    pickVector(entries, codes, out, at, length);
  }

  private boolean getByRuns(ScaledNumbers numbers, float[] out, int at, int start, int length) {
    final int runs = numbers.runs(start, length);
    if (runs == 0) {
      return false;
    }
    if (runValues == null) {
      runValues = new float[VECTOR];
      runVector = new float[VECTOR + FILLED_TOO_FAR];
    }
    numbers.map(numbers.runValues(), runValues, runs);
    if (runs < CostModel.Numbers.FEW_RUNS) {
      fill(runValues, numbers.runEnds(), runs, out, at);
    } else {
      fillTooFar(runValues, numbers.runEnds(), runs, runVector);
      System.arraycopy(runVector, 0, out, at, length);
    }
    return true;
  }

  private void putExceptions(float[] out, int at, int start, int length) {
    final int listed = exceptions.list(start, length);
    for (int i = 0; i < listed; i++) {
      out[at + exceptions.place(i) - start] = exceptions.getFloat(exceptions.listed(i));
    }
  }

  private void copyEntries(DictionaryNumbers numbers) {
    if (!hasEntries) {
      makeRoomForEntries(numbers.numEntries());
      numbers.entries(entries);
      hasNoMoreThan(numbers.numEntries());
    }
  }

  private void mapEntries(ScaledNumbers numbers, DictionaryInts dictionary) {
    if (!hasEntries) {
      makeRoomForEntries(dictionary.numCodes());
      numbers.map(dictionary.entries(), entries, dictionary.numEntries());
      hasNoMoreThan(dictionary.numEntries());
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
      entries = new float[Math.max(VECTOR, HashCommon.nextPowerOfTwo(number))];
    }
  }

  /** Codes without an entry, which only a damaged chunk has, are read as the last. */
  private void hasNoMoreThan(int numEntries) {
    Arrays.fill(entries, numEntries, entries.length, entries[numEntries - 1]);
    hasEntries = true;
  }

  /** Takes one step for each value and none for each run, as {@link RunEndInts} does. */
  private static void expand(RunEndInts runs, float[] entries, float[] out, int at, int start, int length) {
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

  /** Fills each run up to its end, and up to seven numbers more, which saves a loop for most runs. */
  private static void fillTooFar(float[] values, int[] ends, int runs, float[] out) {
    int i = 0;
    for (int run = 0; run < runs; run++) {
      final int end = ends[run];
      fillTooFar(out, i, end, values[run]);
      i = end;
    }
  }

  private static void fillTooFar(float[] out, int start, int end, float value) {
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

  /** Takes what codes stand for, all of which have room; C2 need not ask it of each below a mask. */
  private static void pickVector(float[] entries, int[] codes, float[] out, int at, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = entries[codes[i] & entries.length - 1];
    }
  }

  /** Likewise, to the same places. */
  private static void pick(float[] entries, int[] codes, float[] out, int from, int to) {
    for (int i = from; i < to; i++) {
      out[i] = entries[codes[i] & entries.length - 1];
    }
  }

  @Override
  public void read(int start, int length, VectorConsumer consumer) {
    if (vector == null) {
      vector = new float[VECTOR];
    }
    getVector(vector, 0, start, length);
    consumer.accept(vector, length);
  }

  /**
   * Reads the floats at some positions of the column, all of which are in this chunk.
   *
   * @param out     where they go, at the same places as their positions in {@code indexes}
   * @param indexes positions in the column
   * @param from    the first that counts
   * @param to      end index, exclusive
   * @param chunk   position in the column of the chunk's first value
   */
  public void get(float[] out, int[] indexes, int from, int to, int chunk) {
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

  private void putExceptions(float[] out, int[] indexes, int from, int to, int chunk) {
    for (int i = from; i < to; i++) {
      final int exception = exceptions.find(indexes[i] - chunk);
      if (exception >= 0) {
        out[i] = exceptions.getFloat(exception);
      }
    }
  }

  private void getByEntries(DictionaryNumbers numbers, float[] out, int[] indexes, int from, int to, int chunk) {
    copyEntries(numbers);
    final int[] codes = scratch.ints(to);
    numbers.codes(codes, indexes, from, to, chunk);
    pick(entries, codes, out, from, to);
  }

  private static void pick(
      RunEndInts runs,
      float[] entries,
      float[] out,
      int[] indexes,
      int from,
      int to,
      int chunk
  ) {
    for (int i = from; i < to; i++) {
      out[i] = entries[runs.runOf(indexes[i] - chunk)];
    }
  }

  /** Reads whole vectors, and picks from them what is wanted. */
  private void getDense(float[] out, int[] indexes, int from, int to, int chunk) {
    if (vector == null) {
      vector = new float[VECTOR];
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
