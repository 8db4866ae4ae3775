// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.runs;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.PositionsWriter;
import io.shapeshift.druid.form.SortedPositions;
import io.shapeshift.druid.form.ints.IntMatcher;
import io.shapeshift.druid.form.ints.IntShape;
import io.shapeshift.druid.form.ints.Scratch;
import java.nio.ByteBuffer;

/** Shape for {@link RunEndForm}, which is read in place. */
public final class RunEndInts extends IntShape {
  private final SortedPositions ends = new SortedPositions();
  private final Scratch scratch;
  private final RawBytes values = new RawBytes();
  private int valuesOffset;
  private int lastRun;
  private int width;
  private int base;
  /** Whether the scratch array has the values of this chunk's runs. */
  private boolean unpacked;
  /** Range of indexes with the value that the last single read found. */
  private int knownStart;
  private int knownEnd;
  private int knownValue;

  RunEndInts(Scratch scratch) {
    this.scratch = scratch;
  }

  /**
   * Fields before the ends and the values of the runs.
   *
   * @param width   bits of each run's value, 1 to 31
   * @param layout  layout of the ends: see {@link SortedPositions}
   * @param numRuns number of runs, 2 to the number of values
   * @param base    added to each run's value
   */
  record Header(int width, int layout, int numRuns, int base) {
    /** Bytes of the header. */
    static final int SIZE = 1 + 1 + 1 + Short.BYTES + Integer.BYTES;

    /** Returns the offset of the runs' values in the chunk. */
    private int values(int numValues) {
      return SIZE + PositionsWriter.size(layout, numValues, numRuns - 1);
    }

    /** Returns the size of the chunk in bytes. */
    int chunkSize(int numValues) {
      return values(numValues) + BitStream.numBytes(numRuns, width) + BitStream.SLACK;
    }
  }

  /**
   * Starts a chunk whose length is already checked.
   *
   * @throws MalformedChunkException if the ends are invalid
   */
  void read(ByteBuffer chunk, int offset, int numValues, Header header) {
    ends.read(chunk, offset + Header.SIZE, header.layout, numValues, header.numRuns - 1);
    this.numValues = numValues;
    this.unpacked = false;
    this.knownEnd = 0;
    this.values.wrap(chunk);
    this.valuesOffset = offset + header.values(numValues);
    this.lastRun = header.numRuns - 1;
    this.width = header.width;
    this.base = header.base;
  }

  @Override
  public int density() {
    return CostModel.Runs.DENSITY;
  }

  @Override
  public int runDensity() {
    return CostModel.Runs.DENSITY;
  }

  @Override
  public void between(int from, int to, IntMatcher matcher, long[] out) {
    matcher.betweenRuns(this, from, to, out);
  }

  @Override
  public long least() {
    return base;
  }

  @Override
  public long greatest() {
    return (long) base + InterleavedPacking.mask(width);
  }

  private int value(int run) {
    return BitStream.get(values, valuesOffset, width, Math.min(run, lastRun)) + base;
  }

  /**
   * Returns a value. Keeps the run that was found, because in long runs the next single read is often in the same run.
   */
  @Override
  public int get(int index) {
    if (index < knownStart || index >= knownEnd) {
      final int run = ends.rank(index);
      knownStart = ends.startOfRank(run, index);
      knownEnd = ends.endOfRank(run, index);
      knownValue = value(run);
    }
    return knownValue;
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    if (areShort() && (unpacked || length >= CostModel.Runs.LEAST_TO_UNPACK)) {
      getShortRuns(out, offset, start, length);
      return;
    }
    final int[] places = scratch.positions();
    final int[] vector = scratch.runs();
    for (int done = 0; done < length; done += Scratch.LENGTH) {
      final int from = start + done;
      final int count = Math.min(length - done, Scratch.LENGTH);
      final int run = ends.rank(from);
      // The rank of the first value counts the runs that end at or before it.
      final int found = ends.list(from + 1, from + count, run, places);
      int filled = 0;
      for (int i = 0; i < found; i++) {
        filled = fill(vector, filled, places[i] - from, value(run + i));
      }
      fill(vector, filled, count, value(lastRun(run, found, from, count)));
      System.arraycopy(vector, 0, out, offset + done, count);
    }
  }

  /** Returns whether runs are so short that {@link #entries} and a step per value are faster than a loop per run. */
  public boolean areShort() {
    return lastRun * CostModel.Runs.SHORT > numValues;
  }

  /** Returns whether {@link #entries} pays, if the whole chunk is read as densely as these positions. */
  public boolean entriesPay(int[] indexes, int from, int to) {
    return unpacked || expected(indexes, from, to) * CostModel.Runs.READS_PER_RUN > lastRun;
  }

  /** Returns the expected number of reads, if the whole chunk is read as densely as these positions of one vector. */
  private int expected(int[] indexes, int from, int to) {
    final int reads = to - from;
    final long span = from < to ? (long) indexes[to - 1] - indexes[from] : 0;
    return span <= reads
           ? reads
           : (int) Math.min((long) reads * CostModel.Runs.MOST_VECTORS, (long) reads * numValues / span);
  }

  /** Returns the number of runs. */
  public int numRuns() {
    return lastRun + 1;
  }

  /**
   * Returns the values of all runs, from index 0 of an array; worthwhile before many reads.
   *
   * @throws MalformedChunkException if the ends do not ascend; later look-ups rely on each run having a value
   */
  public int[] entries() {
    final int[] all = scratch.dictionary(lastRun + 1);
    if (!unpacked) {
      ends.index();
      for (int run = 0; run <= lastRun; run++) {
        all[run] = value(run);
      }
      unpacked = true;
    }
    return all;
  }

  /** Returns the run of a value; requires {@link #entries}. */
  public int runOf(int index) {
    return ends.rankOfWord(index);
  }

  /** Returns the number of values that {@link #begins} covers. */
  public static int leftInWord(int index) {
    return Long.SIZE - (index & (Long.SIZE - 1));
  }

  /**
   * Returns where runs begin, among a value and the values after it in its word of 64; requires {@link #entries}.
   *
   * @param index index of the first value
   * @return one bit per value, from the lowest, set if a run begins with it
   */
  public long begins(int index) {
    return ends.word(index >> 6) >>> index;
  }

  /** Reads values with one step per value and no loop per run, because the length of a short run is unpredictable. */
  private void getShortRuns(int[] out, int offset, int start, int length) {
    final int[] runValues = entries();
    // The run before the first value, if a run begins with that value.
    int run = start == 0 ? 0 : runOf(start - 1);
    for (int i = 0; i < length; ) {
      final int inWord = Math.min(length - i, leftInWord(start + i));
      run = expand(begins(start + i), run, runValues, out, offset + i, inWord);
      i += inWord;
    }
  }

  /** Copies the values of runs; a new run begins at each set bit. */
  private static int expand(long begins, int first, int[] runValues, int[] out, int at, int length) {
    int run = first;
    long left = begins;
    for (int i = 0; i < length; i++) {
      run += (int) (left & 1);
      left >>>= 1;
      out[at + i] = runValues[run];
    }
    return run;
  }

  @Override
  public int runs(int start, int length, int[] runEnds, int[] runValues) {
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
   * Returns the run of the last value, which is the run after all listed ends. In a damaged chunk several runs may have
   * the same end, so that not all ends fit the list.
   */
  private int lastRun(int run, int listed, int start, int length) {
    return listed < length ? run + listed : ends.rank(start + length - 1);
  }

  /** Fills up to {@code end} and up to seven values more, which saves a loop for most runs. */
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

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int start) {
    if (entriesPay(indexes, from, to)) {
      pick(entries(), out, indexes, from, to, start);
      return;
    }
    ends.expect(
        expected(indexes, from, to),
        CostModel.Runs.SEARCH_COST + CostModel.Runs.STEPS_PER_RUN * lastRun / numValues);
    for (int i = from; i < to; i++) {
      out[i] = value(ends.rank(indexes[i] - start));
    }
  }

  private void pick(int[] runValues, int[] out, int[] indexes, int from, int to, int start) {
    for (int i = from; i < to; i++) {
      out[i] = runValues[ends.rankOfWord(indexes[i] - start)];
    }
  }
}
