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
    int index = indexes[from] - start;
    int run = ends.rank(index);
    int value = value(run);
    for (int i = from; i < to; i++) {
      final int next = indexes[i] - start;
      // Positions ascend as a rule, and the next one is often in the same run or one of the next.
      final int nextRun = next >= index ? ends.rankFrom(next, run) : ends.rank(next);
      value = nextRun == run ? value : value(nextRun);
      out[i] = value;
      index = next;
      run = nextRun;
    }
  }
}
