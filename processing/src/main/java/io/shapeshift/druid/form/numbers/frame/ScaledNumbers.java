// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.dictionary.DictionaryInts;
import io.shapeshift.druid.form.ints.runs.RunEndInts;
import io.shapeshift.druid.form.numbers.IntSearch;
import io.shapeshift.druid.form.numbers.NumberScratch;
import io.shapeshift.druid.form.numbers.NumberShape;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import javax.annotation.Nullable;

/**
 * Shape for numbers that are integers in a linear frame, or are computed from such integers. If the ints are in a
 * dictionary or in runs, a reader can compute the number of each entry or run once.
 */
public abstract class ScaledNumbers extends NumberShape implements ScaledSearch.Numbers {
  final IntChunkReader ints;
  long base;
  long multiplier;

  ScaledNumbers(NumberScratch scratch) {
    super(scratch);
    this.ints = scratch.framed();
  }

  @Override
  public final int near() {
    return ints.near();
  }

  @Override
  public final int density() {
    return Math.max(ints.shape().isInLongs() ? CostModel.Numbers.DENSE_LONGS : 0, ints.shape().runDensity());
  }

  /** Returns the integer of one number. */
  final long integer(int index) {
    return base + multiplier * ints.get(index);
  }

  /** Reads consecutive integers, each plus a summand. */
  final void integers(long[] out, int at, int start, int length, long summand) {
    if (!ints.shape().isInLongs()) {
      final int[] in = scratch.ints(length);
      ints.get(in, 0, start, length);
      Linear.scale(in, 0, out, at, length, base + summand, multiplier);
    } else if (multiplier == 1) {
      ints.shape().get(out, at, start, length, base + summand);
    } else {
      ints.shape().get(out, at, start, length, 0);
      Linear.scale(out, at, length, base + summand, multiplier);
    }
  }

  /** Reads integers at positions, each plus a summand. */
  final void integers(long[] out, int[] indexes, int from, int to, int chunk, long summand) {
    if (!ints.shape().isInLongs()) {
      final int[] in = scratch.ints(to);
      ints.get(in, indexes, from, to, chunk);
      Linear.scale(in, from, out, from, to - from, base + summand, multiplier);
    } else if (multiplier == 1) {
      ints.shape().get(out, indexes, from, to, chunk, base + summand);
    } else {
      ints.shape().get(out, indexes, from, to, chunk, 0);
      Linear.scale(out, from, to - from, base + summand, multiplier);
    }
  }

  /** Maps ints to integers, both from index 0. In a column of longs, these are the numbers. */
  public final void map(int[] in, long[] out, int length) {
    Linear.scale(in, 0, out, 0, length, base, multiplier);
  }

  /** Maps ints to doubles, both from index 0. */
  public abstract void map(int[] in, double[] out, int length);

  /** Maps ints to floats, both from index 0. */
  public abstract void map(int[] in, float[] out, int length);

  /** Returns the dictionary of the ints, or null. */
  @Nullable
  public final DictionaryInts dictionary() {
    return ints.shape() instanceof DictionaryInts dictionary ? dictionary : null;
  }

  /**
   * Returns the runs of the ints if computing the numbers of all runs is worthwhile for reads at these positions;
   * otherwise returns null.
   */
  @Nullable
  public final RunEndInts runsFor(int[] indexes, int from, int to) {
    return ints.shape() instanceof RunEndInts runs && runs.entriesPay(indexes, from, to) ? runs : null;
  }

  /** Returns the short runs of the ints, or null. */
  @Nullable
  public final RunEndInts shortRuns() {
    return ints.shape() instanceof RunEndInts runs && runs.areShort() ? runs : null;
  }

  @Override
  public final int runs(int start, int length) {
    return ints.shape().runs(start, length, runEnds(), runValues());
  }

  @Override
  public final int[] runEnds() {
    return scratch.runEnds();
  }

  @Override
  public final int[] runValues() {
    return scratch.ints(NumberScratch.LENGTH);
  }

  /** Returns whether numbers ascend with their integers, in a range of integers. */
  abstract boolean areInOrder(long first, long last);

  /** Returns the int of an integer; any other int if it has none. */
  final long intOfInteger(long integer) {
    return multiplier == 1 ? integer - base : (integer - base) / multiplier;
  }

  @Override
  public final boolean ascends(int greatest) {
    if (multiplier <= 0 || Math.multiplyHigh(multiplier, greatest) != 0 || multiplier * greatest < 0) {
      return false;
    }
    final long last = base + multiplier * greatest;
    return last >= base && areInOrder(base, last);
  }

  @Nullable
  @Override
  public final Found find(WantedNumbers wanted, IntSearch search, long[] out) {
    return new ScaledSearch(this, ints, wanted, search).find(out);
  }

  @Override
  public final int numTests() {
    final long numInts = (long) ints.greatest() - ints.least() + 1;
    return numInts > 0 && ScaledSearch.isWorthSet(numInts, ints.numValues()) ? (int) numInts : ints.numValues();
  }
}
