// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.delta.DeltaInts;
import io.shapeshift.druid.form.numbers.IntSearch;
import io.shapeshift.druid.form.numbers.NumberScratch;
import io.shapeshift.druid.form.numbers.NumberShape;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/** Shape for {@link DeltaFrame}: adds up differences from the last base. */
public final class DeltaNumbers extends NumberShape {
  private final IntChunkReader ints;
  private final RawBytes bytes = new RawBytes();
  private int offset;
  private Header header = new Header(0, 0, 0, 0, false);
  /** Index of the long read last, by a single read; -1 if there is none. */
  private int lastIndex;
  private long lastLong;

  DeltaNumbers(NumberScratch scratch) {
    super(scratch);
    this.ints = scratch.framed();
  }

  /**
   * Fields before the bases.
   *
   * @param minDelta     difference for int 0
   * @param smallestBase subtracted from each base
   * @param width        width in bits of the bases; {@link Long#SIZE} if they are stored as longs
   * @param ascends      whether no long is less than the one before it
   */
  record Header(long minDelta, long multiplier, long smallestBase, int width, boolean ascends) {}

  /** Starts a chunk whose bases start at an index of the buffer. */
  void read(Header newHeader, ByteBuffer buffer, int bases) {
    header = newHeader;
    bytes.wrap(buffer);
    offset = bases;
    lastIndex = -1;
  }

  @Override
  public int near() {
    return CostModel.Delta.NEAR;
  }

  @Override
  public int density() {
    return CostModel.Numbers.DENSE_DELTAS;
  }

  private long base(int number) {
    return header.width == Long.SIZE
           ? bytes.getLong(offset + Long.BYTES * number)
           : header.smallestBase + BitStream.get(bytes, offset, header.width, number);
  }

  /** Returns a long. It adds up differences from the long read last, unless a base is between them. */
  @Override
  public long getLong(int index) {
    final int first = index & -DeltaInts.VALUES_PER_BASE;
    final boolean isAhead = lastIndex >= first && lastIndex <= index;
    final int from = isAhead ? lastIndex : first;
    final int count = index - from;
    final long start = isAhead ? lastLong : base(index >> DeltaInts.LOG_VALUES_PER_BASE);
    lastLong = start + header.minDelta * count + header.multiplier * sum(from + 1, count);
    lastIndex = index;
    return lastLong;
  }

  private long sum(int start, int count) {
    long sum = 0;
    if (count > 0) {
      final int[] deltas = scratch.ints(count);
      ints.get(deltas, 0, start, count);
      for (int i = 0; i < count; i++) {
        sum += deltas[i];
      }
    }
    return sum;
  }

  @Override
  public void get(long[] out, int at, int start, int length) {
    int done = 0;
    while (done < length) {
      final int from = start + done;
      final int inBlock = from & DeltaInts.VALUES_PER_BASE - 1;
      final int count = Math.min(length - done, DeltaInts.VALUES_PER_BASE - inBlock);
      final long value = inBlock == 0 ? base(from >> DeltaInts.LOG_VALUES_PER_BASE) : getLong(from);
      out[at + done] = value;
      if (count > 1) {
        final int[] deltas = scratch.ints(count);
        ints.get(deltas, 0, from + 1, count - 1);
        sums(deltas, out, at + done, count, value, header.minDelta, header.multiplier);
      }
      done += count;
    }
  }

  private static void sums(int[] deltas, long[] out, int at, int count, long first, long minDelta, long multiplier) {
    long value = first;
    for (int i = 1; i < count; i++) {
      value += minDelta + multiplier * deltas[i - 1];
      out[at + i] = value;
    }
  }

  /** Compares only the first and the last long if longs ascend, which may show that all or none match. */
  @Nullable
  @Override
  public Found find(WantedNumbers wanted, IntSearch search, long[] out) {
    final long first = getLong(0);
    final long last = getLong(ints.numValues() - 1);
    if (!wanted.hasRanges() || !header.ascends || first > last) {
      return null;
    }
    final int range = wanted.rangeFrom(first);
    if (range == wanted.numRanges() || wanted.start(range) > last) {
      return Found.NONE;
    }
    return wanted.start(range) <= first && wanted.end(range) >= last ? Found.ALL : null;
  }

  @Override
  protected void release() {
    bytes.release();
  }
}
