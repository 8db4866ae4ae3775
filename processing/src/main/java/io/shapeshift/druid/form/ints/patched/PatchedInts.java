// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.patched;

import io.shapeshift.druid.bits.BitRanges;
import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.InterleavedMatches;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.PositionsWriter;
import io.shapeshift.druid.form.SortedPositions;
import io.shapeshift.druid.form.ints.IntMatcher;
import io.shapeshift.druid.form.ints.IntShape;
import io.shapeshift.druid.form.ints.Scratch;
import io.shapeshift.druid.form.ints.packed.LongPackedInts;
import io.shapeshift.druid.form.ints.packed.PackedInts;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Shape for {@link PatchedForm}, which is read in place. */
final class PatchedInts extends IntShape {
  private final Scratch scratch;
  private final PackedInts narrowCodes;
  private final LongPackedInts wideCodes;
  private final SortedPositions positions = new SortedPositions();
  private final RawBytes exceptions = new RawBytes();
  private IntShape codes;
  private int exceptionsOffset;
  private int numExceptions;
  private int exceptionWidth;
  private int exceptionBase;
  /** Whether the width is 0, so that every value except the exceptions is {@link #base}. */
  private boolean sparse;
  private int base;
  private int escapeCode;
  /** Escape code plus the base. */
  private int escape;

  PatchedInts(Scratch scratch) {
    this.scratch = scratch;
    this.narrowCodes = new PackedInts(scratch);
    this.wideCodes = new LongPackedInts(scratch);
    this.codes = narrowCodes;
  }

  /**
   * Fields before the positions, the exceptions and the codes.
   *
   * @param width          bits of each code, 0 to 30
   * @param base           added to each code
   * @param inLongs        whether the codes are packed in words of 64 bits
   * @param numExceptions  number of exceptions, 1 to the number of values
   * @param layout         layout of the positions: see {@link SortedPositions}
   * @param exceptionWidth bits of each exception, 0 to 31
   * @param exceptionBase  added to each exception
   */
  record Header(
      int width,
      int base,
      boolean inLongs,
      int numExceptions,
      int layout,
      int exceptionWidth,
      int exceptionBase
  ) {
    /** Bytes of the header. */
    static final int SIZE = 4 + Short.BYTES + 2 * Integer.BYTES;

    /** Returns the offset of the exceptions in the chunk. */
    private int exceptions(int numValues) {
      return SIZE + PositionsWriter.size(layout, numValues, numExceptions);
    }

    /** Returns the offset of the codes in the chunk. */
    int words(int numValues) {
      return exceptions(numValues) + BitStream.numBytes(numExceptions, exceptionWidth) + BitStream.SLACK;
    }
  }

  /**
   * Starts a chunk.
   *
   * @param length bytes of the chunk, at least up to its codes
   * @throws MalformedChunkException if the positions are invalid, or the size of the codes is wrong
   */
  void read(ByteBuffer chunk, int offset, int length, int numValues, Header header) {
    final int words = header.words(numValues);
    if (header.inLongs) {
      wideCodes.read(chunk, offset + words, length - words, numValues, header.width, header.base);
      codes = wideCodes;
    } else {
      narrowCodes.read(chunk, offset + words, length - words, numValues, header.width, header.base);
      codes = narrowCodes;
    }
    positions.read(chunk, offset + Header.SIZE, header.layout, numValues, header.numExceptions);
    this.numValues = numValues;
    this.exceptions.wrap(chunk);
    this.exceptionsOffset = offset + header.exceptions(numValues);
    this.numExceptions = header.numExceptions;
    this.exceptionWidth = header.exceptionWidth;
    this.exceptionBase = header.exceptionBase;
    this.sparse = header.width == 0;
    this.base = header.base;
    this.escapeCode = InterleavedPacking.mask(header.width);
    this.escape = escapeCode + base;
  }

  @Override
  public int density() {
    return sparse ? CostModel.Patched.SPARSE_DENSITY : CostModel.Patched.DENSITY;
  }

  @Override
  public int runDensity() {
    return sparse && !isInLongs() ? CostModel.Patched.SPARSE_DENSITY : 0;
  }

  @Override
  public boolean isInLongs() {
    return codes.isInLongs();
  }

  @Override
  public long least() {
    return Math.min(base, exceptionBase);
  }

  @Override
  public long greatest() {
    final long greatestCode = sparse ? base : (long) base + escapeCode - 1;
    return Math.max(greatestCode, (long) exceptionBase + InterleavedPacking.mask(exceptionWidth));
  }

  /** Lists exceptions and the gaps between them as runs, if most values are equal. */
  @Override
  public int runs(int start, int length, int[] ends, int[] values) {
    if (!sparse || isInLongs()) {
      return 0;
    }
    final int[] places = scratch.positions();
    final int first = start == 0 ? 0 : positions.rank(start - 1);
    final int found = first == numExceptions ? 0 : positions.list(start, start + length, first, places);
    if (found > length / CostModel.Patched.VALUES_PER_EXCEPTION) {
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

  @Override
  public void between(int from, int to, IntMatcher matcher, long[] out) {
    if (!sparse && !InterleavedMatches.areFull(numValues)) {
      // Reads values here, because packed escape codes would be unpacked to values that may not be ints.
      super.between(from, to, matcher, out);
      return;
    }
    final long greatestCode = (long) base + escapeCode - 1;
    if (!sparse && from <= greatestCode) {
      codes.between(from, (int) Math.min(to, greatestCode), matcher, out);
    }
    final boolean isBaseFound = sparse && base >= from && base <= to;
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
  }

  private int exception(int i) {
    return BitStream.get(exceptions, exceptionsOffset, exceptionWidth, i) + exceptionBase;
  }

  @Override
  public int get(int index) {
    if (sparse) {
      final int found = positions.find(index);
      return found < 0 ? base : exception(found);
    }
    final int value = codes.get(index);
    // The index is at least 0 even if the chunk is damaged and has no such exception.
    return value == escape ? exception(Math.max(0, positions.rank(index) - 1)) : value;
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
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

  @Override
  public void get(long[] out, int offset, int start, int length, long added) {
    wideCodes.get(out, offset, start, length, added);
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

  @Override
  public void get(long[] out, int[] indexes, int from, int to, int start, long added) {
    positions.expect(to - from, CostModel.Patched.SEARCH_COST);
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
    wideCodes.get(out, indexes, from, to, start, added);
    // Computed as a long, because near the largest int the escape code plus the base overflows an int.
    final long escaped = (long) base + escapeCode + added;
    for (int i = from; i < to; i++) {
      if (out[i] == escaped) {
        out[i] = exception(Math.max(0, positions.rank(indexes[i] - start) - 1)) + added;
      }
    }
  }

  /**
   * Lists the exceptions among the values of at most one vector. In a damaged chunk the positions may list more
   * exceptions than there are, so the number is capped.
   */
  private int list(int start, int end, int rank, int[] places) {
    return Math.min(positions.list(start, end, rank, places), numExceptions - rank);
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int start) {
    positions.expect(to - from, CostModel.Patched.SEARCH_COST);
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
