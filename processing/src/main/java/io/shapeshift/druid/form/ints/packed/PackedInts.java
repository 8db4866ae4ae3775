// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.InterleavedMatches;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntMatcher;
import io.shapeshift.druid.form.ints.IntShape;
import io.shapeshift.druid.form.ints.Scratch;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Shape for ints in interleaved packing with words of 32 bits. Each value is the sum of its packed bits and a base.
 * There is one base for all values, or one per row of lanes.
 */
public final class PackedInts extends IntShape {
  private final Scratch scratch;
  private final RawBytes bytes = new RawBytes();
  private int wordsOffset;
  private int logLanes;
  private int numRows;
  private int width;
  private int mask;
  private int base;
  private boolean hasRowBases;
  private int rowBasesOffset;

  public PackedInts(Scratch scratch) {
    this.scratch = scratch;
  }

  /**
   * Starts a chunk with one base.
   *
   * @param chunk  in the column's byte order
   * @param offset index in the buffer of the first word
   * @param length bytes of the words, all within the buffer's capacity
   * @param width  bits of each value, 0 to 31
   * @throws MalformedChunkException if the number of bytes does not match the width
   */
  public void read(ByteBuffer chunk, int offset, int length, int numValues, int width, int base) {
    final int expected = InterleavedPacking.numWords(numValues, width) * Integer.BYTES;
    if (length != expected) {
      throw new MalformedChunkException(
          numValues + " values of " + width + " bits take " + length + " bytes, expected " + expected);
    }
    this.bytes.wrap(chunk);
    this.wordsOffset = offset;
    this.logLanes = InterleavedPacking.logLanes(numValues);
    this.numRows = InterleavedPacking.numRows(numValues);
    this.numValues = numValues;
    this.width = width;
    this.mask = InterleavedPacking.mask(width);
    this.base = base;
    this.hasRowBases = false;
  }

  /** Starts a chunk with a base per row of lanes: an int each, from index {@code rowBases}. */
  void readRows(ByteBuffer chunk, int rowBases, int offset, int length, int numValues, int width) {
    read(chunk, offset, length, numValues, width, 0);
    hasRowBases = true;
    rowBasesOffset = rowBases;
  }

  /** Returns the width of a value in bits. */
  public int width() {
    return width;
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
    return leastOrGreatestBase(false);
  }

  @Override
  public long greatest() {
    return leastOrGreatestBase(true) + mask;
  }

  private long leastOrGreatestBase(boolean greatest) {
    long found = base(0);
    for (int row = 1; hasRowBases && row < numRows; row++) {
      found = greatest ? Math.max(found, base(row)) : Math.min(found, base(row));
    }
    return found;
  }

  private int base(int row) {
    return !hasRowBases ? base : bytes.getInt(rowBasesOffset + Integer.BYTES * row);
  }

  @Override
  public void between(int from, int to, IntMatcher matcher, long[] out) {
    // Packed values can be compared only if all lanes are full.
    if (width == 0 || !InterleavedMatches.areFull(numValues)) {
      super.between(from, to, matcher, out);
      return;
    }
    final InterleavedMatches matches = matcher.packed();
    for (int row = 0; row < numRows; row++) {
      final long base = base(row);
      matches.setBounds(row, from - base, to - base, mask);
    }
    matches.findInts(bytes, wordsOffset, numValues, width, logLanes, out);
  }

  @Override
  public int get(int index) {
    final int base = base(index >>> logLanes);
    return width == 0 ? base : InterleavedPacking.get(bytes, wordsOffset, logLanes, width, mask, index) + base;
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    final int lanes = 1 << logLanes;
    for (int done = 0; done < length; ) {
      final int row = (start + done) >>> logLanes;
      final int lane = (start + done) & (lanes - 1);
      final int count = Math.min(length - done, lanes - lane);
      if (width == 0) {
        Arrays.fill(out, offset + done, offset + done + count, base(row));
      } else {
        InterleavedPacking.unpack(
            bytes, wordsOffset, logLanes, width, row, lane, base(row), out, offset + done, count,
            scratch.words());
      }
      done += count;
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int start) {
    if (from == to) {
      return;
    }
    if (width > 0
        && !hasRowBases
        && (long) (to - from) * CostModel.Packed.POSITIONS_BY_ROW > indexes[to - 1] - indexes[from]) {
      InterleavedPacking.gatherByRow(bytes, wordsOffset, logLanes, width, base, out, indexes, from, to, start);
    } else if (width > 0 && !hasRowBases) {
      InterleavedPacking.gather(bytes, wordsOffset, logLanes, width, base, out, indexes, from, to, start);
    } else {
      for (int i = from; i < to; i++) {
        out[i] = get(indexes[i] - start);
      }
    }
  }
}
