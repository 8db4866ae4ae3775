// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.bits.TransposedPacking;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads the chunks of {@link DictionaryForm} where they lie. */
public final class DictionaryInts {
  /** Fewer values than these are not worth it. */
  private static final int LEAST_TO_UNPACK = 128;

  final PackedInts codes;
  private final RawBytes entries = new RawBytes();
  private int entriesOffset;
  private int entryWidth;
  private int lastEntry;
  private int base;
  private final Scratch scratch;
  /** Whether the scratch has the entries of this chunk. */
  private boolean unpacked;

  DictionaryInts(Scratch scratch) {
    this.scratch = scratch;
    this.codes = new PackedInts(scratch);
  }

  /** Reads other entries from now on; the codes are told for themselves. */
  void read(ByteBuffer chunk, int entriesOffset, int numEntries, int entryWidth, int base) {
    this.entries.wrap(chunk);
    this.entriesOffset = entriesOffset;
    this.entryWidth = entryWidth;
    this.lastEntry = numEntries - 1;
    this.base = base;
    this.unpacked = false;
  }

  /** No value is less. */
  long least() {
    return base;
  }

  /** No value is greater. */
  long greatest() {
    return (long) base + TransposedPacking.mask(entryWidth);
  }

  /** How many entries there are that a code can mean. */
  public int numEntries() {
    return Math.min(lastEntry + 1, numCodes());
  }

  /** The values of all {@link #numCodes} codes, for those who read many values: the first of an array. */
  public int[] entries() {
    final int[] all = scratch.dictionary(numCodes());
    if (!unpacked) {
      final int numEntries = numEntries();
      for (int code = 0; code < numEntries; code++) {
        all[code] = entry(code);
      }
      // Codes without an entry, which only a damaged chunk has, are read as the last.
      Arrays.fill(all, numEntries, numCodes(), all[numEntries - 1]);
      unpacked = true;
    }
    return all;
  }

  /** The number of codes that the bits of a code allow: in a damaged chunk there may be any of them. */
  public int numCodes() {
    return 1 << codes.width();
  }

  /** The codes of values: from 0 to less than {@link #numCodes}. */
  public void codes(int[] out, int offset, int start, int length) {
    codes.get(out, offset, start, length);
  }

  private int entry(int code) {
    // A damaged chunk may have codes without an entry.
    return BitStream.get(entries, entriesOffset, entryWidth, Math.min(code, lastEntry)) + base;
  }

  int get(int index) {
    return entry(codes.get(index));
  }

  void get(int[] out, int offset, int start, int length) {
    if (length < LEAST_TO_UNPACK && !unpacked) {
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

  void get(int[] out, int[] indexes, int from, int to, int start) {
    codes.get(out, indexes, from, to, start);
    for (int i = from; i < to; i++) {
      out[i] = entry(out[i]);
    }
  }
}
