// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.delta;

import io.shapeshift.druid.bits.BitRanges;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntMatcher;
import io.shapeshift.druid.form.ints.IntShape;
import io.shapeshift.druid.form.ints.Scratch;
import io.shapeshift.druid.form.ints.packed.PackedInts;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/** Shape for {@link DeltaForm}, which is read in place: adds up the differences from the nearest base before. */
public final class DeltaInts extends IntShape {
  /** Base 2 logarithm of {@link #VALUES_PER_BASE}. */
  public static final int LOG_VALUES_PER_BASE = 7;
  /** Values per base; a base is a value that is stored itself. */
  public static final int VALUES_PER_BASE = 1 << LOG_VALUES_PER_BASE;

  private final PackedInts packed;
  /** Allocated at first use. */
  @Nullable
  private int[] deltas;
  private final RawBytes bases = new RawBytes();
  private int basesOffset;
  private boolean ascends;
  /** Index of the value read last, by a single read, and the value; -1 if there is none. */
  private int lastIndex;
  private int lastValue;

  public DeltaInts(Scratch scratch) {
    this.packed = new PackedInts(scratch);
  }

  /**
   * Fields before the bases and the differences.
   *
   * @param width    bits of each difference, 0 to 31
   * @param minDelta added to each difference
   * @param ascends  whether no value is less than the one before it
   */
  record Header(int width, int minDelta, boolean ascends) {
    /** Bytes of the header. */
    static final int SIZE = 1 + 1 + Integer.BYTES;
  }

  /**
   * Starts a chunk.
   *
   * @param length bytes of the chunk, at least up to its differences
   * @throws MalformedChunkException if the size of the differences is wrong
   */
  void read(ByteBuffer chunk, int offset, int length, int numValues, Header header) {
    final int words = Header.SIZE + Integer.BYTES * numBases(numValues);
    packed.read(chunk, offset + words, length - words, numValues, header.width, header.minDelta);
    this.numValues = numValues;
    this.bases.wrap(chunk);
    this.basesOffset = offset + Header.SIZE;
    this.ascends = header.ascends;
    this.lastIndex = -1;
  }

  /** Returns the number of bases. */
  static int numBases(int numValues) {
    return (numValues + VALUES_PER_BASE - 1) >> LOG_VALUES_PER_BASE;
  }

  private int[] deltas() {
    if (deltas == null) {
      deltas = new int[VALUES_PER_BASE];
    }
    return deltas;
  }

  private int base(int number) {
    return bases.getInt(basesOffset + Integer.BYTES * number);
  }

  @Override
  public int density() {
    return CostModel.Delta.DENSITY;
  }

  @Override
  public int near() {
    return CostModel.Delta.NEAR;
  }

  @Override
  public long least() {
    return ascends ? get(0) : 0;
  }

  @Override
  public long greatest() {
    return ascends ? get(numValues - 1) : Integer.MAX_VALUE;
  }

  /** Returns false, because the differences of a damaged chunk may have any sum. */
  @Override
  public boolean hasCertainBounds() {
    return false;
  }

  @Override
  public void between(int from, int to, IntMatcher matcher, long[] out) {
    if (ascends) {
      BitRanges.set(out, firstFrom(from), firstFrom(to + 1L));
    } else {
      super.between(from, to, matcher, out);
    }
  }

  /**
   * Returns the index of the first value that is not less than a value, in ascending values; the number of values if
   * all are less.
   */
  private int firstFrom(long value) {
    int low = 0;
    int high = numBases(numValues);
    while (low < high) {
      final int middle = (low + high) / 2;
      if (base(middle) < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return 0;
    }
    final int first = (low - 1) << LOG_VALUES_PER_BASE;
    final int length = Math.min(VALUES_PER_BASE, numValues - first);
    final int[] deltas = deltas();
    packed.get(deltas, 0, first, length);
    long sum = base(low - 1);
    int i = 1;
    for (; i < length && sum + deltas[i] < value; i++) {
      sum += deltas[i];
    }
    return first + i;
  }

  /** Returns a value. It adds up differences from the value read last, unless a base is between them. */
  @Override
  public int get(int index) {
    final int first = index & -VALUES_PER_BASE;
    final boolean isAhead = lastIndex >= first && lastIndex <= index;
    final int from = isAhead ? lastIndex : first;
    final int count = index - from;
    int value = isAhead ? lastValue : base(index >> LOG_VALUES_PER_BASE);
    if (count > 0) {
      final int[] deltas = deltas();
      packed.get(deltas, 0, from + 1, count);
      for (int i = 0; i < count; i++) {
        value += deltas[i];
      }
    }
    lastIndex = index;
    lastValue = value;
    return value;
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    int done = 0;
    while (done < length) {
      final int from = start + done;
      final int inBlock = from & VALUES_PER_BASE - 1;
      final int count = Math.min(length - done, VALUES_PER_BASE - inBlock);
      int value = inBlock == 0 ? base(from >> LOG_VALUES_PER_BASE) : get(from);
      packed.get(out, offset + done, from, count);
      out[offset + done] = value;
      for (int i = offset + done + 1; i < offset + done + count; i++) {
        value += out[i];
        out[i] = value;
      }
      done += count;
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int start) {
    for (int i = from; i < to; i++) {
      out[i] = get(indexes[i] - start);
    }
  }
}
