// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.ints.IntChunk;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * A list of the chunk's distinct numbers: ints are the places there.
 *
 * <pre>
 * | bytes          | content                                                          |
 * |----------------|------------------------------------------------------------------|
 * | 2              | numEntries - 1 (unsigned short)                                  |
 * | numEntries * 8 | the bits of the entries, ascending; four bytes each for floats   |
 * </pre>
 * Example, little-endian: the floats 0.1 -7.7 NaN four times are {@code 23 02 00 cd cc cc 3d 00 00 c0 7f 66 66 f6 c0
 * 01 00 02 01 00 02 01 00 02 01 00 02 01} with bytepack: the form, three entries, and the places 0 2 1 in a byte each.
 */
final class DictionaryFrame {
  private static final int HEADER_SIZE = Short.BYTES;
  private static final int SAMPLE = 256;
  /** Entries that are more, in a sample or in the chunk, take as much as they save. */
  private static final double MOST_DISTINCT_IN_SAMPLE = 0.8;
  private static final int VALUES_PER_ENTRY = 4;

  private DictionaryFrame() {}

  @Nullable
  static Framed fit(NumberChunk chunk) {
    // Forms of ints have a dictionary themselves.
    final boolean hasOther = Frame.main(chunk.type()).stream().anyMatch(frame -> chunk.framed(frame) != null);
    @Nullable final long[] entries = hasOther ? null : entries(chunk.bits(), chunk.size());
    if (entries == null) {
      return null;
    }
    final Long2IntOpenHashMap codes = new Long2IntOpenHashMap(entries.length);
    for (int code = 0; code < entries.length; code++) {
      codes.put(entries[code], code);
    }
    final IntChunk ints = chunk.intsOf(Frame.DICTIONARY);
    final int[] out = ints.startFilling(chunk.size());
    for (int i = 0; i < chunk.size(); i++) {
      out[i] = codes.get(chunk.bits()[i]);
    }
    return new Framed(ints, HEADER_SIZE + chunk.type().bytes() * entries.length, buffer -> {
      buffer.putShort((short) (entries.length - 1));
      for (long entry : entries) {
        LinearFrame.putBits(chunk.type(), entry, buffer);
      }
    });
  }

  /** The distinct values in ascending order, or null if they are too many. */
  @Nullable
  private static long[] entries(long[] bits, int size) {
    final Long2IntOpenHashMap seen = new Long2IntOpenHashMap();
    final int most = Math.max(1, size / VALUES_PER_ENTRY);
    final int step = Math.max(1, size / SAMPLE);
    int asked = 0;
    for (int i = 0; i < size; i += step) {
      seen.put(bits[i], 0);
      asked++;
    }
    if (seen.size() > asked * MOST_DISTINCT_IN_SAMPLE) {
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

  static int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    LinearFrame.check(length, HEADER_SIZE);
    final int numEntries = (chunk.getShort(offset) & 0xFFFF) + 1;
    final int end = HEADER_SIZE + reader.type().bytes() * numEntries;
    LinearFrame.check(length, end);
    reader.readEntries(chunk, offset + HEADER_SIZE, numEntries);
    return end;
  }
}
