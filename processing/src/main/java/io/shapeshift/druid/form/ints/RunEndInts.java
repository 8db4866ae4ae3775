// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.SortedPositions;
import java.nio.ByteBuffer;

/** Reads the chunks of {@link RunEndForm} where they lie. */
final class RunEndInts {
  final SortedPositions ends = new SortedPositions();
  private final Scratch scratch;
  private final RawBytes values = new RawBytes();
  private int valuesOffset;
  private int lastRun;
  private int width;
  private int base;

  RunEndInts(Scratch scratch) {
    this.scratch = scratch;
  }

  /** Reads other values from now on; the runs' ends are told for themselves. */
  void read(ByteBuffer chunk, int valuesOffset, int numRuns, int width, int base) {
    this.values.wrap(chunk);
    this.valuesOffset = valuesOffset;
    this.lastRun = numRuns - 1;
    this.width = width;
    this.base = base;
  }

  private int value(int run) {
    return BitStream.get(values, valuesOffset, width, Math.min(run, lastRun)) + base;
  }

  int get(int index) {
    return value(ends.rank(index));
  }

  void get(int[] out, int offset, int start, int length) {
    if (ends.hasWords()) {
      getShortRuns(out, offset, start, length);
      return;
    }
    final int[] places = scratch.positions();
    final int[] vector = scratch.runs();
    for (int done = 0; done < length; done += Scratch.LENGTH) {
      final int from = start + done;
      final int count = Math.min(length - done, Scratch.LENGTH);
      final int run = ends.rank(from);
      // Runs that end at or before the first value are skipped by its rank.
      final int found = ends.list(from + 1, from + count, run, places);
      int filled = 0;
      for (int i = 0; i < found; i++) {
        filled = fill(vector, filled, places[i] - from, value(run + i));
      }
      fill(vector, filled, count, value(lastRun(run, found, from, count)));
      System.arraycopy(vector, 0, out, offset + done, count);
    }
  }

  /**
   * Takes one step for each value and none for each run: where runs are short, no processor can predict how long the
   * next one is.
   */
  private void getShortRuns(int[] out, int offset, int start, int length) {
    final int[] runValues = scratch.runs();
    for (int done = 0; done < length; ) {
      final int from = start + done;
      final int count = Math.min(length - done, Scratch.LENGTH);
      final int first = ends.rank(from);
      final int last = ends.rank(from + count - 1);
      final int runs = Math.min(Math.max(0, last - first), Scratch.LENGTH - 1) + 1;
      for (int i = 0; i < runs; i++) {
        runValues[i] = value(first + i);
      }
      int run = 0;
      for (int i = 0; i < count; ) {
        final int bit = (from + i) & (Long.SIZE - 1);
        final int inWord = Math.min(count - i, Long.SIZE - bit);
        // The first value is that of the first run, even if the run before ends there.
        final long word = (ends.word((from + i) >> 6) >>> bit) & (i == 0 ? -2L : -1L);
        run = expand(word, run, runValues, out, offset + done + i, inWord);
        i += inWord;
      }
      done += count;
    }
  }

  /** Puts the values of runs, a new one of which begins with each bit that is set. */
  private static int expand(long ends, int first, int[] runValues, int[] out, int at, int length) {
    int run = first;
    long left = ends;
    for (int i = 0; i < length; i++) {
      run += (int) (left & 1);
      left >>>= 1;
      out[at + i] = runValues[run];
    }
    return run;
  }

  /** The runs among at most a vector of values: their ends, counted from the first of these, and their values. */
  int runs(int start, int length, int[] runEnds, int[] runValues) {
    final int[] places = scratch.positions();
    final int run = ends.rank(start);
    final int listed = ends.list(start + 1, start + length, run, places);
    final int found = Math.min(listed, length - 1);
    for (int i = 0; i < found; i++) {
      runEnds[i] = places[i] - start;
      runValues[i] = value(run + i);
    }
    runEnds[found] = length;
    runValues[found] = value(lastRun(run, listed, start, length));
    return found + 1;
  }

  /**
   * The run of the last of some values: the one after all ends among them. In a damaged chunk several runs may have the
   * same end, and then more ends than there is room for, so that not all were listed.
   */
  private int lastRun(int run, int listed, int start, int length) {
    return listed < length ? run + listed : ends.rank(start + length - 1);
  }

  /** Fills up to {@code end}, and up to seven values more, which saves a loop for most runs. */
  private static int fill(int[] vector, int start, int end, int value) {
    for (int i = start; i < end; i += 8) {
      vector[i] = value;
      vector[i + 1] = value;
      vector[i + 2] = value;
      vector[i + 3] = value;
      vector[i + 4] = value;
      vector[i + 5] = value;
      vector[i + 6] = value;
      vector[i + 7] = value;
    }
    return Math.max(start, end);
  }

  void get(int[] out, int[] indexes, int from, int to, int start) {
    ends.expect(to - from);
    for (int i = from; i < to; i++) {
      out[i] = value(ends.rank(indexes[i] - start));
    }
  }
}
