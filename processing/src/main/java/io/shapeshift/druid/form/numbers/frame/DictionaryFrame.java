// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberType;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Frame with a list of the chunk's distinct numbers; the ints are codes, which are positions in the list.
 *
 * <pre>
 * | bytes          | content                                                          |
 * |----------------|------------------------------------------------------------------|
 * | 2              | numEntries - 1 (unsigned short)                                  |
 * | numEntries * 8 | the bits of the entries, ascending; four bytes each for floats   |
 * </pre>
 * Example, little-endian: the floats 0.1 -7.7 NaN four times are {@code 03 02 00 cd cc cc 3d 00 00 c0 7f 66 66 f6 c0 03
 * 01 00 02 01 00 02 01 00 02 01 00 02 01} with bytepack: the id, three entries, and the codes 0 2 1 four times as a
 * chunk in form 3, a byte each.
 */
public final class DictionaryFrame extends Frame {
  static final byte ID = 3;
  private static final int HEADER_SIZE = Short.BYTES;

  private final List<Frame> others;

  /**
   * Creates the frame.
   *
   * @param others frames whose ints get a dictionary form instead, where that pays
   */
  public DictionaryFrame(List<Frame> others) {
    this.others = others;
  }

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "dictionary";
  }

  @Override
  double scanNanos(NumberType type) {
    return CostModel.Numbers.DICTIONARY_NANOS;
  }

  @Override
  DecodeCost cost() {
    return CostModel.Numbers.DICTIONARY_COST;
  }

  @Override
  public IntForm.Use use() {
    return IntForm.Use.CODES;
  }

  @Nullable
  @Override
  Framed fit(NumberChunk chunk) {
    final boolean hasOther =
        others.stream().anyMatch(frame -> frame.suits(chunk.type()) && frame.framed(chunk) != null);
    @Nullable final long[] entries = hasOther ? null : entries(chunk.bits(), chunk.size());
    if (entries == null) {
      return null;
    }
    final Long2IntOpenHashMap codes = new Long2IntOpenHashMap(entries.length);
    for (int code = 0; code < entries.length; code++) {
      codes.put(entries[code], code);
    }
    final IntChunk ints = chunk.intsOf(this, false);
    final int[] out = ints.startFilling(chunk.size());
    for (int i = 0; i < chunk.size(); i++) {
      out[i] = codes.get(chunk.bits()[i]);
    }
    return new Framed(ints, HEADER_SIZE + chunk.type().bytes() * entries.length, buffer -> {
      buffer.putShort((short) (entries.length - 1));
      for (long entry : entries) {
        putBits(chunk.type(), entry, buffer);
      }
    });
  }

  /** Returns the distinct values, ascending; null if there are too many. */
  @Nullable
  private static long[] entries(long[] bits, int size) {
    final Long2IntOpenHashMap seen = new Long2IntOpenHashMap();
    final int most = Math.max(1, size / CostModel.Numbers.VALUES_PER_ENTRY);
    final int step = Math.max(1, size / CostModel.Numbers.DISTINCT_SAMPLE);
    int asked = 0;
    for (int i = 0; i < size; i += step) {
      seen.put(bits[i], 0);
      asked++;
    }
    if (seen.size() > asked * CostModel.Numbers.MOST_DISTINCT_IN_SAMPLE) {
      return null;
    }
    for (int i = 0; i < size; i++) {
      seen.put(bits[i], 0);
      if (seen.size() > most) {
        return null;
      }
    }
    final long[] entries = seen.keySet().toLongArray();
    Arrays.sort(entries);
    return entries;
  }

  @Override
  int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    check(length, HEADER_SIZE);
    final int numEntries = (chunk.getShort(offset) & 0xFFFF) + 1;
    final int end = HEADER_SIZE + reader.type().bytes() * numEntries;
    check(length, end);
    final DictionaryNumbers numbers = reader.shape(DictionaryNumbers.class, DictionaryNumbers::new);
    numbers.read(chunk, offset + HEADER_SIZE, numEntries);
    reader.transformTo(numbers);
    return end;
  }
}
