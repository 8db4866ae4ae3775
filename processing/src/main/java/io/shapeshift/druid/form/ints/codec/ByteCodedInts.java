// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.ints.IntShape;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Shape for {@link ByteDictionaryForm}. */
final class ByteCodedInts extends IntShape {
  static final int MAX_ENTRIES = 256;

  private final RawBytes codes = new RawBytes();
  private final int[] entries = new int[MAX_ENTRIES];
  private int offset;

  /**
   * Starts a chunk.
   *
   * @param firstEntry index in the buffer of the first entry
   * @param numEntries number of entries, 1 to {@link #MAX_ENTRIES}
   * @param numBytes   bytes of each entry, 1 to 4
   * @param offset     index in the buffer of the first value's code
   */
  void read(ByteBuffer payload, int firstEntry, int numEntries, int numBytes, int offset, int numValues) {
    for (int code = 0; code < numEntries; code++) {
      entries[code] = BytePacking.get(payload, firstEntry + code * numBytes, numBytes);
    }
    // A damaged chunk may have codes without an entry; they are read as the last entry.
    Arrays.fill(entries, numEntries, entries.length, entries[numEntries - 1]);
    this.codes.wrap(payload);
    this.offset = offset;
    this.numValues = numValues;
  }

  @Override
  public int get(int index) {
    return entries[BytePacking.get1(codes, offset + index)];
  }

  @Override
  public void get(int[] out, int at, int start, int length) {
    BytePacking.unpack1(codes, offset + start, out, at, length);
    for (int i = at; i < at + length; i++) {
      out[i] = entries[out[i]];
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int base) {
    for (int i = from; i < to; i++) {
      out[i] = get(indexes[i] - base);
    }
  }

  @Override
  protected void release() {
    codes.release();
  }
}
