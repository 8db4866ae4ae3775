// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Distinct words in unsigned order, in groups of {@value #GROUP}. Each word is stored as its difference from the first
 * word of its group, in the width of the group's largest difference. Thread-safe.
 *
 * <pre>
 * | bytes                 | field                                                                          |
 * |-----------------------|--------------------------------------------------------------------------------|
 * | 12 for each group     | its first word; sum of the widths of the groups before, in bits (little-endian) |
 * | 4                     | sum of the widths of all groups                                                |
 * | 8 * width, each group | differences, bit-packed; those after the last word are 0                       |
 * </pre>
 */
final class WordDictionary {
  static final int LOG_GROUP = 6;
  static final int GROUP = 1 << LOG_GROUP;
  private static final int ENTRY = Long.BYTES + Integer.BYTES;

  private final RawBytes in = new RawBytes();
  private final int size;
  private final int entries;
  private final int numGroups;
  private final int data;
  private final int totalWidth;

  /** Reads a dictionary, and advances the buffer past it. */
  WordDictionary(ByteBuffer in, int size) {
    this.in.wrap(in);
    this.size = size;
    this.numGroups = numGroups(size);
    this.entries = in.position();
    Sections.skip(in, (long) numGroups * ENTRY);
    this.totalWidth = in.getInt();
    this.data = in.position();
    Sections.skip(in, (long) Byte.SIZE * (totalWidth & 0xFFFFFFFFL));
  }

  private static int numGroups(int size) {
    return (size + GROUP - 1) >>> LOG_GROUP;
  }

  /** Returns the number of words. */
  int size() {
    return size;
  }

  /**
   * Returns a word.
   *
   * @param id from 0 to the number of words, exclusive
   */
  long get(int id) {
    final int entry = entries + ENTRY * (id >>> LOG_GROUP);
    final int before = in.getInt(entry + Long.BYTES);
    final int width = width(id >>> LOG_GROUP, before);
    return in.getLong(entry) + difference(before, width, id & GROUP - 1);
  }

  private int width(int group, int before) {
    final int end = group == numGroups - 1
                    ? totalWidth
                    : in.getInt(entries + ENTRY * (group + 1) + Long.BYTES);
    final int width = end - before;
    // Only with both checks no position of a difference is beyond the data.
    if (width < 0 || width > Long.SIZE || before < 0 || end > totalWidth) {
      throw new MalformedChunkException(
          "group " + group + " of words goes from " + before + " to " + end + ", of " + totalWidth);
    }
    return width;
  }

  private long difference(int before, int width, int index) {
    if (width == 0) {
      return 0;
    }
    final int bit = index * width;
    final int position = data + Byte.SIZE * before + (bit >>> 3);
    final int shift = bit & 7;
    long value = in.getLong(position) >>> shift;
    if (shift + width > Long.SIZE) {
      value |= (long) in.getByte(position + Long.BYTES) << (Long.SIZE - shift);
    }
    return width == Long.SIZE ? value : value & (1L << width) - 1;
  }

  /** Returns all words. */
  long[] decode() {
    final long[] words = new long[size];
    for (int group = 0; group < numGroups; group++) {
      final int entry = entries + ENTRY * group;
      final long first = in.getLong(entry);
      final int before = in.getInt(entry + Long.BYTES);
      final int width = width(group, before);
      final int from = group << LOG_GROUP;
      final int to = Math.min(from + GROUP, size);
      WordCode.unpack(in, data + Byte.SIZE * before, 0, width, to - from, words, from);
      for (int id = from; id < to; id++) {
        words[id] += first;
      }
    }
    return words;
  }

  /** Encoded dictionary. */
  record Encoded(ByteBuffer entries, WriteOutBytes data) {
    long size() {
      return entries.limit() + data.size();
    }
  }

  /** Encodes words, which ascend. */
  static Encoded encode(long[] words, SegmentWriteOutMedium medium) throws IOException {
    final int numGroups = numGroups(words.length);
    final ByteBuffer entries =
        ByteBuffer.allocate(Math.addExact(Math.multiplyExact(numGroups, ENTRY), Integer.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    final WriteOutBytes data = medium.makeWriteOutBytes();
    final BitOutput out = new BitOutput(data);
    int before = 0;
    for (int group = 0; group < numGroups; group++) {
      final int from = group << LOG_GROUP;
      final int to = Math.min(words.length, from + GROUP);
      final int width = Long.SIZE - Long.numberOfLeadingZeros(words[to - 1] - words[from]);
      entries.putLong(words[from]).putInt(before);
      for (int i = from; i < to; i++) {
        out.put(words[i] - words[from], width);
      }
      out.putZeros((long) (GROUP - (to - from)) * width);
      before += width;
    }
    entries.putInt(before);
    out.finish();
    return new Encoded(entries.flip(), data);
  }
}
