// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import java.nio.ByteBuffer;

/** Reads the chunks of {@link DictionaryForm} where they lie. */
final class DictionaryInts {
  final PackedInts codes;
  private final RawBytes entries = new RawBytes();
  private int entriesOffset;
  private int entryWidth;
  private int lastEntry;
  private int base;

  DictionaryInts(Scratch scratch) {
    this.codes = new PackedInts(scratch);
  }

  /** Reads other entries from now on; the codes are told for themselves. */
  void read(ByteBuffer chunk, int entriesOffset, int numEntries, int entryWidth, int base) {
    this.entries.wrap(chunk);
    this.entriesOffset = entriesOffset;
    this.entryWidth = entryWidth;
    this.lastEntry = numEntries - 1;
    this.base = base;
  }

  private int entry(int code) {
    // A damaged chunk may have codes without an entry.
    return BitStream.get(entries, entriesOffset, entryWidth, Math.min(code, lastEntry)) + base;
  }

  int get(int index) {
    return entry(codes.get(index));
  }

  void get(int[] out, int offset, int start, int length) {
    codes.get(out, offset, start, length);
    for (int i = offset; i < offset + length; i++) {
      out[i] = entry(out[i]);
    }
  }

  void get(int[] out, int[] indexes, int from, int to, int start) {
    codes.get(out, indexes, from, to, start);
    for (int i = from; i < to; i++) {
      out[i] = entry(out[i]);
    }
  }
}
