// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.ints.IntMatcher;
import io.shapeshift.druid.form.ints.IntShape;
import io.shapeshift.druid.form.ints.Scratch;
import java.nio.ByteBuffer;

/** Shape for ints in interleaved packing with words of 64 bits, from which longs are unpacked at full speed. */
public final class LongPackedInts extends IntShape {
  /** The packed values, with the bases. */
  final PackedLongs longs = new PackedLongs();
  private final Scratch scratch;

  public LongPackedInts(Scratch scratch) {
    this.scratch = scratch;
  }

  /** Starts a chunk with one base: see {@link PackedLongs#read}. */
  public void read(ByteBuffer chunk, int offset, int length, int numValues, int width, int base) {
    longs.read(chunk, offset, length, numValues, width, base);
    this.numValues = numValues;
  }

  /** Starts a chunk with a base for each row of lanes: see {@link PackedLongs#readRows}. */
  void readRows(ByteBuffer chunk, int rowBases, int offset, int length, int numValues, int width) {
    longs.readRows(chunk, rowBases, offset, length, numValues, width);
    this.numValues = numValues;
  }

  @Override
  public int density() {
    return CostModel.Packed.DENSITY;
  }

  @Override
  public int near() {
    return CostModel.Packed.NEAR;
  }

  @Override
  public long least() {
    return longs.least();
  }

  @Override
  public long greatest() {
    return longs.greatest();
  }

  @Override
  public boolean isInLongs() {
    return true;
  }

  @Override
  public void between(int from, int to, IntMatcher matcher, long[] out) {
    if (!longs.between(matcher.packed(), from, to, out)) {
      super.between(from, to, matcher, out);
    }
  }

  @Override
  public boolean equal(int value, IntMatcher matcher, long[] out) {
    return longs.isComparedByWord() ? longs.equal(matcher.packed(), value, out) : super.equal(value, matcher, out);
  }

  @Override
  public int get(int index) {
    return (int) longs.get(index);
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    final long[] vector = scratch.longs();
    for (int done = 0; done < length; done += Scratch.LENGTH) {
      final int count = Math.min(length - done, Scratch.LENGTH);
      longs.get(vector, 0, start + done, count, 0);
      for (int i = 0; i < count; i++) {
        out[offset + done + i] = (int) vector[i];
      }
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int start) {
    for (int i = from; i < to; i++) {
      out[i] = (int) longs.get(indexes[i] - start);
    }
  }

  @Override
  public void get(long[] out, int offset, int start, int length, long summand) {
    longs.get(out, offset, start, length, summand);
  }

  @Override
  public void get(long[] out, int[] indexes, int from, int to, int base, long summand) {
    longs.get(out, indexes, from, to, base, summand);
  }
}
