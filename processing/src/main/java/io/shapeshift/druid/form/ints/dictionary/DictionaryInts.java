// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.dictionary;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.ints.IntMatcher;
import io.shapeshift.druid.form.ints.IntShape;
import io.shapeshift.druid.form.ints.Scratch;
import io.shapeshift.druid.form.ints.packed.PackedInts;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Shape for {@link DictionaryForm}, which is read in place. */
public final class DictionaryInts extends IntShape {
  private final PackedInts codes;
  private final RawBytes entries = new RawBytes();
  private int entriesOffset;
  private int entryWidth;
  private int lastEntry;
  private int base;
  private final Scratch scratch;
  /** Whether the scratch array has the entries of this chunk. */
  private boolean unpacked;

  DictionaryInts(Scratch scratch) {
    this.scratch = scratch;
    this.codes = new PackedInts(scratch);
  }

  /**
   * Fields before the entries and the codes.
   *
   * @param codeWidth  bits of each code, 1 to 16
   * @param entryWidth bits of each entry, 0 to 31
   * @param numEntries number of entries, 1 or more
   * @param base       added to each entry
   */
  record Header(int codeWidth, int entryWidth, int numEntries, int base) {
    /** Bytes of the header. */
    static final int SIZE = 1 + 1 + 1 + Short.BYTES + Integer.BYTES;

    /** Returns the offset of the codes in the chunk. */
    int words() {
      return SIZE + BitStream.numBytes(numEntries, entryWidth);
    }
  }

  /**
   * Starts a chunk.
   *
   * @param length bytes of the chunk, at least up to its codes, with {@link BitStream#SLACK} bytes after the entries
   * @throws io.shapeshift.druid.form.MalformedChunkException if the size of the codes is wrong
   */
  void read(ByteBuffer chunk, int offset, int length, int numValues, Header header) {
    final int words = header.words();
    codes.read(chunk, offset + words, length - words, numValues, header.codeWidth, 0);
    this.numValues = numValues;
    this.entries.wrap(chunk);
    this.entriesOffset = offset + Header.SIZE;
    this.entryWidth = header.entryWidth;
    this.lastEntry = header.numEntries - 1;
    this.base = header.base;
    this.unpacked = false;
  }

  @Override
  public int density() {
    return CostModel.Dictionary.DENSITY;
  }

  @Override
  public long least() {
    return base;
  }

  @Override
  public long greatest() {
    return (long) base + InterleavedPacking.mask(entryWidth);
  }

  /** Returns the number of entries that a code can have. */
  public int numEntries() {
    return Math.min(lastEntry + 1, numCodes());
  }

  /** Returns the values of all {@link #numCodes} codes, from index 0 of an array; worthwhile before many reads. */
  public int[] entries() {
    final int[] all = scratch.dictionary(numCodes());
    if (!unpacked) {
      final int numEntries = numEntries();
      for (int code = 0; code < numEntries; code++) {
        all[code] = entry(code);
      }
      // Codes without an entry, which only a damaged chunk has, are read as the last entry.
      Arrays.fill(all, numEntries, numCodes(), all[numEntries - 1]);
      unpacked = true;
    }
    return all;
  }

  /** Returns the number of codes that the code width allows; a damaged chunk may have any of them. */
  public int numCodes() {
    return 1 << codes.width();
  }

  /** Reads the codes of consecutive values, from 0 to less than {@link #numCodes}. */
  public void codes(int[] out, int offset, int start, int length) {
    codes.get(out, offset, start, length);
  }

  /** Finds the entries in the range, and then the values with their codes. */
  @Override
  public void between(int from, int to, IntMatcher matcher, long[] out) {
    final int[] all = entries();
    final int numCodes = numCodes();
    final long[] set = new long[(numCodes + Long.SIZE - 1) / Long.SIZE];
    int first = -1;
    int end = 0;
    int found = 0;
    for (int code = 0; code < numCodes; code++) {
      if (all[code] >= from && all[code] <= to) {
        set[code >>> 6] |= 1L << code;
        first = first < 0 ? code : first;
        end = code + 1;
        found++;
      }
    }
    if (found > 0 && end - first > found) {
      matcher.in(codes, set, 0, numCodes - 1, out);
    } else if (found > 0) {
      codes.between(first, end - 1, matcher, out);
    }
  }

  private int entry(int code) {
    // A damaged chunk may have codes without an entry.
    return BitStream.get(entries, entriesOffset, entryWidth, Math.min(code, lastEntry)) + base;
  }

  @Override
  public int get(int index) {
    return entry(codes.get(index));
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    if (length < CostModel.Dictionary.LEAST_TO_UNPACK && !unpacked) {
      codes.get(out, offset, start, length);
      for (int i = offset; i < offset + length; i++) {
        out[i] = entry(out[i]);
      }
      return;
    }
    final int[] all = entries();
    codes(out, offset, start, length);
    for (int i = offset; i < offset + length; i++) {
      out[i] = all[out[i]];
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int start) {
    codes.get(out, indexes, from, to, start);
    for (int i = from; i < to; i++) {
      out[i] = entry(out[i]);
    }
  }
}
