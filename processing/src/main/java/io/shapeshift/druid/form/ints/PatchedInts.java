// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.bits.BitRanges;
import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.bits.TransposedMatches;
import io.shapeshift.druid.bits.TransposedPacking;
import io.shapeshift.druid.form.SortedPositions;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads the chunks of {@link PatchedForm} where they lie. */
final class PatchedInts {
  /** With more exceptions than one in so many values, the chunk is not read as runs. */
  private static final int VALUES_PER_EXCEPTION = 16;

  /** What a search takes: see {@link SortedPositions#expect}. */
  private static final int SEARCH_COST = 8;

  final PackedInts codes;
  final SortedPositions positions = new SortedPositions();
  private final Scratch scratch;
  private final RawBytes exceptions = new RawBytes();
  private int exceptionsOffset;
  private int numExceptions;
  private int exceptionWidth;
  private int exceptionBase;
  /** Whether there are no codes, and all that are not exceptions are {@link #base}. */
  private boolean sparse;
  private int base;
  private int escapeCode;
  /** The escape code with the base added to it. */
  private int escape;

  PatchedInts(Scratch scratch) {
    this.scratch = scratch;
    this.codes = new PackedInts(scratch);
  }

  /** Reads other exceptions from now on; {@link #codes} and {@link #positions} have to be set separately. */
  void read(
      ByteBuffer chunk,
      int exceptionsOffset,
      int numExceptions,
      int exceptionWidth,
      int exceptionBase,
      int width,
      int base
  ) {
    this.exceptions.wrap(chunk);
    this.exceptionsOffset = exceptionsOffset;
    this.numExceptions = numExceptions;
    this.exceptionWidth = exceptionWidth;
    this.exceptionBase = exceptionBase;
    this.sparse = width == 0;
    this.base = base;
    this.escapeCode = TransposedPacking.mask(width);
    this.escape = escapeCode + base;
  }

  /** No value is less. */
  long least() {
    return Math.min(base, exceptionBase);
  }

  /** No value is greater. */
  long greatest() {
    final long greatestCode = sparse ? base : (long) base + escapeCode - 1;
    return Math.max(greatestCode, (long) exceptionBase + TransposedPacking.mask(exceptionWidth));
  }

  /** Whether most values are the same, so that reading all of a vector costs little more than one of them. */
  boolean isSparse() {
    return sparse;
  }

  /**
   * The runs among at most a vector of values, if most of them are the same: exceptions, and what is between them.
   *
   * @return their number; 0 if there are too many
   */
  int runs(int start, int length, int[] ends, int[] values) {
    if (!sparse) {
      return 0;
    }
    final int[] places = scratch.positions();
    final int first = start == 0 ? 0 : positions.rank(start - 1);
    final int found = first == numExceptions ? 0 : positions.list(start, start + length, first, places);
    if (found > length / VALUES_PER_EXCEPTION) {
      return 0;
    }
    int runs = 0;
    for (int i = 0; i < found; i++) {
      final int place = places[i] - start;
      values[runs] = base;
      ends[runs++] = place;
      values[runs] = exception(Math.min(first + i, numExceptions - 1));
      ends[runs++] = place + 1;
    }
    values[runs] = base;
    ends[runs++] = length;
    return runs;
  }

  /**
   * Finds values of a range without unpacking codes; see {@link PackedInts#between}.
   *
   * @return whether they could be
   */
  boolean between(TransposedMatches matches, int from, int to, long[] out) {
    if (!sparse && !codes.between(matches, from, (int) Math.min(to, (long) base + escapeCode - 1), out)) {
      return false;
    }
    final boolean isBaseFound = sparse && base >= from && base <= to;
    final int numValues = codes.numValues();
    final int[] places = scratch.positions();
    int behind = 0;
    for (int start = 0, rank = 0; start < numValues && rank < numExceptions; start += Scratch.LENGTH) {
      final int found = list(start, Math.min(numValues, start + Scratch.LENGTH), rank, places);
      for (int i = 0; i < found; i++) {
        final int value = exception(rank + i);
        if (isBaseFound) {
          BitRanges.set(out, behind, places[i]);
          behind = places[i] + 1;
        }
        out[places[i] >>> 6] |= value >= from && value <= to ? 1L << places[i] : 0;
      }
      rank += found;
    }
    if (isBaseFound) {
      BitRanges.set(out, behind, numValues);
    }
    return true;
  }

  private int exception(int i) {
    return BitStream.get(exceptions, exceptionsOffset, exceptionWidth, i) + exceptionBase;
  }

  int get(int index) {
    if (sparse) {
      final int found = positions.find(index);
      return found < 0 ? base : exception(found);
    }
    final int value = codes.get(index);
    // At least 0 even if the chunk is damaged and there is none.
    return value == escape ? exception(Math.max(0, positions.rank(index) - 1)) : value;
  }

  void get(int[] out, int offset, int start, int length) {
    codes.get(out, offset, start, length);
    final int first = start == 0 ? 0 : positions.rank(start - 1);
    final int[] places = scratch.positions();
    for (int done = 0, rank = first; done < length && rank < numExceptions; done += Scratch.LENGTH) {
      final int found = list(start + done, start + Math.min(length, done + Scratch.LENGTH), rank, places);
      for (int i = 0; i < found; i++) {
        out[offset + places[i] - start] = exception(rank + i);
      }
      rank += found;
    }
  }

  /** The same as longs, with a number added to each, from codes in words of 64 bits. */
  void get(long[] out, int offset, int start, int length, long added) {
    codes.longs.get(out, offset, start, length, added);
    final int first = start == 0 ? 0 : positions.rank(start - 1);
    final int[] places = scratch.positions();
    for (int done = 0, rank = first; done < length && rank < numExceptions; done += Scratch.LENGTH) {
      final int found = list(start + done, start + Math.min(length, done + Scratch.LENGTH), rank, places);
      for (int i = 0; i < found; i++) {
        out[offset + places[i] - start] = exception(rank + i) + added;
      }
      rank += found;
    }
  }

  /** The same for positions, each less {@code start}. */
  void get(long[] out, int[] indexes, int from, int to, int start, long added) {
    positions.expect(to - from, SEARCH_COST);
    if (sparse && to - from <= Scratch.LENGTH && positions.hasDirectory()) {
      Arrays.fill(out, from, to, base + added);
      final int[] places = scratch.positions();
      final int found = positions.among(indexes, from, to, start, places);
      for (int i = 0; i < found; i++) {
        out[places[i]] = exception(positions.rank(indexes[places[i]] - start) - 1) + added;
      }
      return;
    }
    if (sparse) {
      for (int i = from; i < to; i++) {
        out[i] = get(indexes[i] - start) + added;
      }
      return;
    }
    codes.longs.get(out, indexes, from, to, start, added);
    // Above values near the largest int it is no int, which as an int has wrapped around.
    final long escaped = (long) base + escapeCode + added;
    for (int i = from; i < to; i++) {
      if (out[i] == escaped) {
        out[i] = exception(Math.max(0, positions.rank(indexes[i] - start) - 1)) + added;
      }
    }
  }

  /** Lists the exceptions of at most a vector; a damaged chunk may list more of them than there are. */
  private int list(int start, int end, int rank, int[] places) {
    return Math.min(positions.list(start, end, rank, places), numExceptions - rank);
  }

  void get(int[] out, int[] indexes, int from, int to, int start) {
    positions.expect(to - from, SEARCH_COST);
    if (sparse && to - from <= Scratch.LENGTH && positions.hasDirectory()) {
      Arrays.fill(out, from, to, base);
      final int[] places = scratch.positions();
      final int found = positions.among(indexes, from, to, start, places);
      for (int i = 0; i < found; i++) {
        out[places[i]] = exception(positions.rankOfWord(indexes[places[i]] - start) - 1);
      }
      return;
    }
    if (sparse) {
      for (int i = from; i < to; i++) {
        out[i] = get(indexes[i] - start);
      }
      return;
    }
    codes.get(out, indexes, from, to, start);
    for (int i = from; i < to; i++) {
      if (out[i] == escape) {
        out[i] = exception(Math.max(0, positions.rank(indexes[i] - start) - 1));
      }
    }
  }
}
