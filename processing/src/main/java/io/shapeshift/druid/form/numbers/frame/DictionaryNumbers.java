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

/** Reads the chunks of {@link DictionaryFrame}: the ints are codes of entries. */
public final class DictionaryNumbers extends NumberShape {
  private final IntChunkReader ints;
  private final RawBytes bytes = new RawBytes();
  private int offset;
  private int lastEntry;
  /** Whether there may be codes of which no array of the entries has one, as far as the header of the codes tells. */
  private boolean hasStrayCodes;

  DictionaryNumbers(NumberScratch scratch) {
    super(scratch);
    this.ints = scratch.framed();
  }

  /** Starts a chunk with entries from an index of the buffer on. */
  void read(ByteBuffer buffer, int entries, int numEntries) {
    bytes.wrap(buffer);
    offset = entries;
    lastEntry = numEntries - 1;
  }

  @Override
  public int near() {
    return ints.near();
  }

  /** Number of entries, at least 1. */
  public int numEntries() {
    return lastEntry + 1;
  }

  /** Copies the bits of all entries. Callers of {@link #codes} copy the entries of a chunk first. */
  public void entries(long[] out) {
    bytes.getLongs(offset, out, 0, numEntries());
    boundCodes();
  }

  /** Copies all entries of doubles; see {@link #entries(long[])}. */
  public void entries(double[] out) {
    bytes.getDoubles(offset, out, 0, numEntries());
    boundCodes();
  }

  /** Copies all entries of floats; see {@link #entries(long[])}. */
  public void entries(float[] out) {
    bytes.getFloats(offset, out, 0, numEntries());
    boundCodes();
  }

  /** Finds out whether codes have to be looked at, for all reads of the chunk. */
  private void boundCodes() {
    // As many bits as the last one has are what most forms say of them, and then there is room.
    hasStrayCodes = !ints.isWithin((Integer.highestOneBit(lastEntry) << 1) - 1);
  }

  /**
   * Reads the codes of at most a vector of numbers.
   *
   * @param out receives codes less than the power of two that is not less than the number of entries
   */
  public void codes(int[] out, int start, int length) {
    ints.get(out, 0, start, length);
    clamp(out, 0, length);
  }

  /** Reads the codes of numbers at positions, likewise. */
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

  /** The entry that a code means: a damaged chunk may have codes without one, negative ones among them. */
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

  /** Tests each entry once, and then finds codes. */
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
