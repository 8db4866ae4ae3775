// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.numbers.IntSearch;
import io.shapeshift.druid.form.numbers.NumberScratch;
import io.shapeshift.druid.form.numbers.NumberShape;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import java.nio.ByteBuffer;

/** Shape for {@link DictionaryFrame}: the ints are codes of entries. */
public final class DictionaryNumbers extends NumberShape {
  private final IntChunkReader ints;
  private final RawBytes bytes = new RawBytes();
  private int offset;
  private int lastEntry;
  /** Whether codes may exceed the arrays of entries, as the header of the codes shows. */
  private boolean hasStrayCodes;

  DictionaryNumbers(NumberScratch scratch) {
    super(scratch);
    this.ints = scratch.framed();
  }

  /** Starts a chunk whose entries start at an index of the buffer. */
  void read(ByteBuffer buffer, int entries, int numEntries) {
    bytes.wrap(buffer);
    offset = entries;
    lastEntry = numEntries - 1;
  }

  @Override
  public int near() {
    return ints.near();
  }

  /** Returns the number of entries, at least 1. */
  public int numEntries() {
    return lastEntry + 1;
  }

  /** Copies the bits of all entries. Callers of {@link #codes} copy the entries of a chunk first. */
  public void entries(long[] out) {
    bytes.getLongs(offset, out, 0, numEntries());
    boundCodes();
  }

  /** Copies all entries as doubles; see {@link #entries(long[])}. */
  public void entries(double[] out) {
    bytes.getDoubles(offset, out, 0, numEntries());
    boundCodes();
  }

  /** Copies all entries as floats; see {@link #entries(long[])}. */
  public void entries(float[] out) {
    bytes.getFloats(offset, out, 0, numEntries());
    boundCodes();
  }

  /** Determines, for all reads of the chunk, whether codes must be checked. */
  private void boundCodes() {
    // Most forms only bound the width of the codes, and arrays of entries have room for all codes of this width.
    hasStrayCodes = !ints.isWithin((Integer.highestOneBit(lastEntry) << 1) - 1);
  }

  /**
   * Reads the codes of at most a vector of numbers.
   *
   * @param out receives the codes, which are less than the smallest power of two that is not less than the number of
   *     entries
   */
  public void codes(int[] out, int start, int length) {
    ints.get(out, 0, start, length);
    clamp(out, 0, length);
  }

  /** Reads the codes of numbers at positions, with the same bound. */
  public void codes(int[] out, int[] indexes, int from, int to, int chunk) {
    ints.get(out, indexes, from, to, chunk);
    clamp(out, from, to - from);
  }

  private void clamp(int[] codes, int from, int length) {
    if (hasStrayCodes) {
      for (int i = from; i < from + length; i++) {
        codes[i] = entryOf(codes[i]);
      }
    }
  }

  /** Returns the entry of a code. A damaged chunk may have codes without an entry, including negative ones. */
  private int entryOf(int code) {
    return Math.min(code & Integer.MAX_VALUE, lastEntry);
  }

  private long entry(int code) {
    return bytes.getLong(offset + Long.BYTES * entryOf(code));
  }

  private int floatEntry(int code) {
    return bytes.getInt(offset + Integer.BYTES * entryOf(code));
  }

  @Override
  public long getLong(int index) {
    return entry(ints.get(index));
  }

  @Override
  public float getFloat(int index) {
    return Float.intBitsToFloat(floatEntry(ints.get(index)));
  }

  @Override
  public void get(long[] out, int[] indexes, int from, int to, int chunk) {
    final int[] codes = scratch.ints(to);
    ints.get(codes, indexes, from, to, chunk);
    for (int i = from; i < to; i++) {
      out[i] = entry(codes[i]);
    }
  }

  @Override
  public void get(float[] out, int[] indexes, int from, int to, int chunk) {
    final int[] codes = scratch.ints(to);
    ints.get(codes, indexes, from, to, chunk);
    for (int i = from; i < to; i++) {
      out[i] = Float.intBitsToFloat(floatEntry(codes[i]));
    }
  }

  /** Tests each entry once, and then finds the codes of matching entries. */
  @Override
  public Found find(WantedNumbers wanted, IntSearch search, long[] out) {
    final NumberType type = scratch.type();
    search.startSet(numEntries());
    for (int i = 0; i <= lastEntry; i++) {
      if (wanted.contains(type.sortable(type == NumberType.FLOAT ? floatEntry(i) : entry(i)))) {
        search.addToSet(i);
      }
    }
    return search.findSet(ints, 0, lastEntry, out);
  }

  @Override
  public int numTests() {
    return numEntries();
  }

  @Override
  protected void release() {
    bytes.release();
  }
}
