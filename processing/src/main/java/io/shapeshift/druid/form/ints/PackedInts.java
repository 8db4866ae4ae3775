// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.bits.TransposedMatches;
import io.shapeshift.druid.bits.TransposedPacking;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Reads ints in transposed packing where they lie, each with a base added to it: the values' own, or their row's. The
 * words are of 32 bits, or of 64 where longs are made of the ints, which {@link #longs} then reads at full speed.
 */
final class PackedInts {
  /** Positions are gathered by row of lanes if at least one in so many values is wanted. */
  private static final int ROWS_BY_ROW = 128;

  private final Scratch scratch;
  /** What reads words of 64 bits; made when first needed. */
  @Nullable
  PackedLongs longs;
  private boolean inLongs;
  private final RawBytes bytes = new RawBytes();
  private int wordsOffset;
  private int logLanes;
  private int numRows;
  private int numValues;
  private int width;
  private int mask;
  private int base;
  private boolean hasRowBases;
  private int rowBasesOffset;

  PackedInts(Scratch scratch) {
    this.scratch = scratch;
  }

  /**
   * Reads other values from now on.
   *
   * @param chunk  in its byte order
   * @param offset index in the buffer of the first word
   * @param length bytes of the words, all within the buffer's capacity
   * @throws MalformedChunkException if values of this width do not take so many bytes
   */
  void read(ByteBuffer chunk, int offset, int length, int numValues, int width, int base) {
    final int expected = TransposedPacking.numWords(numValues, width) * Integer.BYTES;
    if (length != expected) {
      throw new MalformedChunkException(
          numValues + " values of " + width + " bits take " + length + " bytes, expected " + expected);
    }
    this.bytes.wrap(chunk);
    this.wordsOffset = offset;
    this.logLanes = TransposedPacking.logLanes(numValues);
    this.numRows = TransposedPacking.numRows(numValues);
    this.numValues = numValues;
    this.width = width;
    this.mask = TransposedPacking.mask(width);
    this.base = base;
    this.hasRowBases = false;
    this.inLongs = false;
  }

  /** Reads other values from now on, in words of 64 bits; the parameters are those of {@link #read}. */
  void readInLongs(ByteBuffer chunk, int offset, int length, int numValues, int width, int base) {
    longs().read(chunk, offset, length, numValues, width, base);
    this.numValues = numValues;
    this.width = width;
    this.inLongs = true;
  }

  /** Reads other values from now on, in words of 64 bits, of each row above its own base. */
  void readRowsInLongs(ByteBuffer chunk, int rowBases, int offset, int length, int numValues, int width) {
    longs().readRows(chunk, rowBases, offset, length, numValues, width);
    this.numValues = numValues;
    this.width = width;
    this.inLongs = true;
  }

  private PackedLongs longs() {
    if (longs == null) {
      longs = new PackedLongs();
    }
    return longs;
  }

  /** Whether the words are of 64 bits. */
  boolean isInLongs() {
    return inLongs;
  }

  /** Reads other values from now on, of each row above its own base, which are ints from {@code rowBases} on. */
  void readRows(ByteBuffer chunk, int rowBases, int offset, int length, int numValues, int width) {
    read(chunk, offset, length, numValues, width, 0);
    hasRowBases = true;
    rowBasesOffset = rowBases;
  }

  /** How many values there are. */
  int numValues() {
    return numValues;
  }

  /** Bits of each value. */
  int width() {
    return width;
  }

  /** No value is less, as far as bases tell. */
  long least() {
    return inLongs ? longs.least() : leastOrGreatestBase(false);
  }

  /** No value is greater, as far as bases and width tell. */
  long greatest() {
    return inLongs ? longs.greatest() : leastOrGreatestBase(true) + mask;
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

  /**
   * Finds values of a range without unpacking them.
   *
   * @param from the least
   * @param to   the greatest, inclusive
   * @param out  receives a bit for each value, beside those that are set
   * @return whether they could be: all lanes have to be full, and values to have bits
   */
  boolean between(TransposedMatches matches, int from, int to, long[] out) {
    if (inLongs) {
      return longs.between(matches, from, to, out);
    }
    if (width == 0 || !TransposedMatches.areFull(numValues)) {
      return false;
    }
    for (int row = 0; row < numRows; row++) {
      final long base = base(row);
      matches.setBounds(row, from - base, to - base, mask);
    }
    matches.findInts(bytes, wordsOffset, numValues, width, logLanes, out);
    return true;
  }

  int get(int index) {
    if (inLongs) {
      return (int) longs.get(index);
    }
    final int base = base(index >>> logLanes);
    return width == 0 ? base : TransposedPacking.get(bytes, wordsOffset, logLanes, width, mask, index) + base;
  }

  void get(int[] out, int offset, int start, int length) {
    if (inLongs) {
      final long[] vector = scratch.longs();
      for (int done = 0; done < length; done += Scratch.LENGTH) {
        final int count = Math.min(length - done, Scratch.LENGTH);
        longs.get(vector, 0, start + done, count, 0);
        for (int i = 0; i < count; i++) {
          out[offset + done + i] = (int) vector[i];
        }
      }
      return;
    }
    final int lanes = 1 << logLanes;
    for (int done = 0; done < length; ) {
      final int row = (start + done) >>> logLanes;
      final int lane = (start + done) & (lanes - 1);
      final int count = Math.min(length - done, lanes - lane);
      if (width == 0) {
        Arrays.fill(out, offset + done, offset + done + count, base(row));
      } else {
        TransposedPacking.unpack(
            bytes, wordsOffset, logLanes, width, row, lane, base(row), out, offset + done, count,
            scratch.words());
      }
      done += count;
    }
  }

  void get(int[] out, int[] indexes, int from, int to, int start) {
    if (from == to) {
      return;
    }
    if (inLongs) {
      for (int i = from; i < to; i++) {
        out[i] = (int) longs.get(indexes[i] - start);
      }
    } else if (width > 0 && !hasRowBases && (long) (to - from) * ROWS_BY_ROW > indexes[to - 1] - indexes[from]) {
      TransposedPacking.gatherByRow(bytes, wordsOffset, logLanes, width, base, out, indexes, from, to, start);
    } else if (width > 0 && !hasRowBases) {
      TransposedPacking.gather(bytes, wordsOffset, logLanes, width, base, out, indexes, from, to, start);
    } else {
      for (int i = from; i < to; i++) {
        out[i] = get(indexes[i] - start);
      }
    }
  }
}
