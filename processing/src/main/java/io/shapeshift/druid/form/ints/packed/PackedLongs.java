// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.InterleavedLongs;
import io.shapeshift.druid.bits.InterleavedMatches;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.Scratch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Reader of longs in interleaved packing, in place, each with a base added: one base for all values, or one per row.
 */
public final class PackedLongs {
  private final RawBytes bytes = new RawBytes();
  private int numValues;
  private int wordsOffset;
  private int logLanes;
  private int width;
  private long mask;
  private long base;
  private boolean hasRowBases;
  private int rowBasesOffset;
  /** Base 2 logarithm of the number of values per base, which is the number in a row of {@link InterleavedPacking}. */
  private int logBaseLength;
  /** Scratch array for the second words of values that straddle two words. */
  @Nullable
  private long[] high;

  /** Creates a reader without values. */
  public PackedLongs() {}

  /**
   * Sets the values to read.
   *
   * @param chunk  in the column's byte order
   * @param offset index in the buffer of the first word
   * @param length bytes of the words, all within the buffer's capacity
   * @param width  width of a value in bits, 0 to {@link InterleavedLongs#MAX_WIDTH}
   * @throws MalformedChunkException if the number of bytes does not match the width
   */
  public void read(ByteBuffer chunk, int offset, int length, int numValues, int width, long base) {
    final int expected = InterleavedLongs.numWords(numValues, width) * Long.BYTES;
    if (length != expected) {
      throw new MalformedChunkException(
          numValues + " longs of " + width + " bits take " + length + " bytes, expected " + expected);
    }
    this.bytes.wrap(chunk);
    this.numValues = numValues;
    this.wordsOffset = offset;
    this.width = width;
    this.logLanes = width == 0 ? 0 : InterleavedLongs.logLanes(numValues, width);
    this.mask = width == 0 ? 0 : InterleavedLongs.mask(width);
    this.base = base;
    this.hasRowBases = false;
  }

  /** Sets the values to read, with a base per row: an int each, from index {@code rowBases}. */
  void readRows(ByteBuffer chunk, int rowBases, int offset, int length, int numValues, int width) {
    read(chunk, offset, length, numValues, width, 0);
    hasRowBases = true;
    rowBasesOffset = rowBases;
    logBaseLength = InterleavedPacking.logLanes(numValues);
  }

  /**
   * Finds the values in a range without unpacking, as {@link PackedInts#between} does; for at most 31 bits.
   *
   * @return false if the values must be unpacked instead
   */
  boolean between(InterleavedMatches matches, int from, int to, long[] out) {
    if (width == 0 || !InterleavedMatches.areFull(numValues)) {
      return false;
    }
    final int logPart = hasRowBases ? Math.min(logLanes, logBaseLength) : logLanes;
    for (int part = 0; part << logPart < numValues; part++) {
      final long base = base(part << logPart);
      matches.setBounds(part, from - base, to - base, (int) mask);
    }
    matches.findLongs(bytes, wordsOffset, numValues, width, logPart, out);
    return true;
  }

  /** Returns whether {@link #equal} can be called: all lanes are full, and values have at most 31 bits and one base. */
  boolean isComparedByWord() {
    return !hasRowBases && width > 0 && width < Integer.SIZE && InterleavedMatches.areFull(numValues);
  }

  /**
   * Finds a value between {@link #least} and {@link #greatest}; faster than {@link #between} if the value is rare.
   *
   * @return false if the chunk does not have the value
   */
  boolean equal(InterleavedMatches matches, int value, long[] out) {
    return matches.findLong(bytes, wordsOffset, numValues, width, value - base, out);
  }

  /** Returns a lower bound of the values from the bases. */
  long least() {
    return leastOrGreatestBase(false);
  }

  /** Returns an upper bound of the values from the bases and the width. */
  long greatest() {
    return leastOrGreatestBase(true) + mask;
  }

  private long leastOrGreatestBase(boolean greatest) {
    long found = base(0);
    for (int i = 1 << logBaseLength; hasRowBases && i < numValues; i += 1 << logBaseLength) {
      found = greatest ? Math.max(found, base(i)) : Math.min(found, base(i));
    }
    return found;
  }

  private long base(int index) {
    return !hasRowBases ? base : bytes.getInt(rowBasesOffset + Integer.BYTES * (index >>> logBaseLength));
  }

  /** Returns the value at an index. */
  public long get(int index) {
    final long base = base(index);
    return width == 0 ? base : InterleavedLongs.get(bytes, wordsOffset, logLanes, width, mask, index) + base;
  }

  /**
   * Reads the values from {@code start}.
   *
   * @param out   receives the values, from {@code offset}
   * @param added added to each value
   */
  public void get(long[] out, int offset, int start, int length, long added) {
    if (width == 0 && !hasRowBases) {
      Arrays.fill(out, offset, offset + length, base + added);
      return;
    }
    if (high == null) {
      high = new long[Scratch.LENGTH];
    }
    final int lanes = 1 << logLanes;
    for (int done = 0; done < length; ) {
      final int index = start + done;
      final int lane = index & (lanes - 1);
      int count = width == 0 ? length - done : Math.min(length - done, lanes - lane);
      if (hasRowBases) {
        final int baseLength = 1 << logBaseLength;
        count = Math.min(count, baseLength - (index & (baseLength - 1)));
      }
      if (width == 0) {
        Arrays.fill(out, offset + done, offset + done + count, base(index) + added);
      } else {
        InterleavedLongs.unpack(
            bytes, wordsOffset, logLanes, width, index >>> logLanes, lane, base(index) + added, out, offset + done,
            count, high);
      }
      done += count;
    }
  }

  /** Reads the values at positions, less {@code start}, to the same indexes of {@code out}. */
  public void get(long[] out, int[] indexes, int from, int to, int start, long added) {
    if (width > 0 && !hasRowBases
        && (long) (to - from) << logLanes > (long) CostModel.Packed.LONGS_PER_ROW * (indexes[to - 1] - indexes[from])) {
      InterleavedLongs.gather(bytes, wordsOffset, logLanes, width, base + added, out, indexes, from, to, start);
    } else if (width > 0 && !hasRowBases) {
      for (int i = from; i < to; i++) {
        out[i] = InterleavedLongs.get(bytes, wordsOffset, logLanes, width, mask, indexes[i] - start) + base + added;
      }
    } else {
      for (int i = from; i < to; i++) {
        out[i] = get(indexes[i] - start) + added;
      }
    }
  }

  /** Releases the buffer. */
  public void release() {
    bytes.release();
  }
}
