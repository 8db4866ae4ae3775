// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.MalformedChunkException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Coding by the pattern of ASCII texts that all have the same length, such as UUIDs, hashes, codes and zero-padded
 * numbers. Each position has a set of characters, and a text is stored as the index of its character in each set. The
 * pattern is:
 *
 * <pre>
 * | bytes         | field                                                                             |
 * |---------------|-----------------------------------------------------------------------------------|
 * | 1             | length of all texts less 1                                                        |
 * |               | for each run of positions with the same characters, until all positions have one: |
 * | 1             | positions of the run less 1                                                       |
 * | 1             | numRanges, 1 to 64                                                                |
 * | 2 * numRanges | the first and the last character of each range, ascending, with gaps between      |
 * </pre>
 * Positions form groups, from the last position to the first. A group grows by one position as long as it spans at most
 * {@value #MAX_SPAN} bytes and has at most {@value #MAX_PRODUCT} combinations of characters. Positions with a single
 * character are in no group. A text is stored as the number of its combination in each group, first group first. The
 * last position of a group varies fastest. Each number has the fewest bits that hold the last combination's number.
 *
 * <p>A bucket is these numbers without gaps, the first in the lowest bits of the first byte, padded to whole bytes.
 * Eight texts need no padding, so buckets of eight texts are found without an index.
 *
 * <p>In "a0-7", "a1-7" and "a2-8", position 1 has the characters 0 to 2, and position 3 has 7 and 8. There is one group
 * from position 1 to 3, of six combinations and three bits. The numbers are 0, 2 and 5, and the bucket is the bytes
 * 0x50 and 0x01.
 */
public final class TextPattern implements TextCoding {
  static final byte ID = 3;

  /** Length of the longest text, in bytes. */
  static final int MAX_LENGTH = 1 << 8;
  /** Greatest number of combinations in a group; larger tables would not fit the processor's L1 cache. */
  static final int MAX_PRODUCT = 1 << 11;
  /** Greatest span in bytes from the first position of a group to its last. */
  static final int MAX_SPAN = Long.BYTES;

  private static final int LOG_SIZE = 3;
  private static final int NUM_CHARACTERS = 1 << 7;
  private static final int MAX_RANGES = NUM_CHARACTERS / 2;

  /** Characters of each position, ascending. */
  private final byte[][] characters;
  private final byte[] stored;
  /** First position of each group. */
  private final int[] positions;
  /** Width of each group in bits. */
  private final int[] widths;
  /** For each group and combination, the text's bytes from the group's first position on, up to eight bytes. */
  private final long[][] tables;
  /** Width of a text in bits. */
  private final int width;

  private TextPattern(List<BitSet> sets) {
    this.stored = toBytes(sets);
    this.characters = new byte[sets.size()][];
    for (int i = 0; i < characters.length; i++) {
      characters[i] = new byte[sets.get(i).cardinality()];
      int character = -1;
      for (int rank = 0; rank < characters[i].length; rank++) {
        character = sets.get(i).nextSetBit(character + 1);
        characters[i][rank] = (byte) character;
      }
    }
    final List<Group> groups = groups();
    this.positions = groups.stream().mapToInt(Group::first).toArray();
    this.widths = groups.stream().mapToInt(Group::width).toArray();
    this.width = Arrays.stream(widths).sum();
    this.tables = new long[widths.length][];
    for (int group = 0; group < tables.length; group++) {
      tables[group] = table(groups.get(group), group);
    }
  }

  /** Positions whose characters are stored as one number. */
  private record Group(int first, int last, int product) {
    private int width() {
      return Integer.SIZE - Integer.numberOfLeadingZeros(product - 1);
    }
  }

  private List<Group> groups() {
    final List<Group> groups = new ArrayList<>();
    Group group = null;
    for (int position = characters.length - 1; position >= 0; position--) {
      final int count = characters[position].length;
      if (count == 1) {
        continue;
      }
      if (group != null && group.product * count <= MAX_PRODUCT && group.last - position < MAX_SPAN) {
        group = new Group(position, group.last, group.product * count);
        groups.set(groups.size() - 1, group);
      } else {
        group = new Group(position, position, count);
        groups.add(group);
      }
    }
    Collections.reverse(groups);
    return groups;
  }

  /** Numbers beyond the last combination, which only damaged buckets contain, map to zeros. */
  private long[] table(Group group, int index) {
    final long[] table = new long[1 << group.width()];
    for (int number = 0; number < group.product; number++) {
      int left = number;
      for (int position = Math.min(group.first + MAX_SPAN, characters.length) - 1; position >= group.first;
           position--) {
        final byte[] set = characters[position];
        int character = 0;
        if (position <= group.last) {
          character = set[left % set.length];
          left /= set.length;
        } else if (set.length == 1) {
          character = set[0];
        }
        table[number] |= (long) character << (Byte.SIZE * (position - group.first));
      }
    }
    // Groups with the same characters share a table, so that it stays in the processor's cache.
    for (int before = 0; before < index; before++) {
      if (Arrays.equals(tables[before], table)) {
        return tables[before];
      }
    }
    return table;
  }

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "pattern";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Texts.PATTERN_COST;
  }

  @Override
  public int logSize() {
    return LOG_SIZE;
  }

  @Override
  public boolean hasOffsets() {
    return false;
  }

  @Override
  public BucketWriter writer() {
    return new Writer(this);
  }

  @Override
  public BucketReader reader(ByteBuffer buffer) {
    return new Reader(buffer, this);
  }

  @Override
  public long bytes(int numTexts) {
    return ((long) numTexts * width + Byte.SIZE - 1) / Byte.SIZE;
  }

  private static byte[] toBytes(List<BitSet> sets) {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(sets.size() - 1);
    for (int from = 0, to; from < sets.size(); from = to) {
      final BitSet set = sets.get(from);
      to = from + 1;
      while (to < sets.size() && sets.get(to).equals(set)) {
        to++;
      }
      out.write(to - from - 1);
      final ByteArrayOutputStream ranges = new ByteArrayOutputStream();
      for (int first = set.nextSetBit(0); first >= 0; first = set.nextSetBit(set.nextClearBit(first))) {
        ranges.write(first);
        ranges.write(set.nextClearBit(first) - 1);
      }
      out.write(ranges.size() / 2);
      out.writeBytes(ranges.toByteArray());
    }
    return out.toByteArray();
  }

  @Override
  public int sizeInBytes() {
    return stored.length;
  }

  @Override
  public int memory() {
    int memory = 0;
    for (int group = 0; group < tables.length; group++) {
      memory += Long.BYTES * tables[group].length;
    }
    for (byte[] each : characters) {
      memory += each.length;
    }
    return memory;
  }

  @Override
  public void write(ByteBuffer out) {
    out.put(stored);
  }

  /**
   * Reads a pattern and advances the buffer past it.
   *
   * @throws MalformedChunkException if the pattern is invalid
   * @throws java.nio.BufferUnderflowException if the buffer ends within the pattern
   */
  static TextPattern read(ByteBuffer in) {
    final int length = (in.get() & 0xFF) + 1;
    final List<BitSet> sets = new ArrayList<>(length);
    while (sets.size() < length) {
      final int count = (in.get() & 0xFF) + 1;
      if (count > length - sets.size()) {
        throw new MalformedChunkException(
            "A run of a pattern has " + count + " positions, of " + (length - sets.size()));
      }
      sets.addAll(Collections.nCopies(count, readSet(in)));
    }
    return new TextPattern(sets);
  }

  private static BitSet readSet(ByteBuffer in) {
    final int numRanges = in.get();
    if (numRanges < 1 || numRanges > MAX_RANGES) {
      throw new MalformedChunkException(
          "A position of a pattern has " + numRanges + " ranges, expected 1 to " + MAX_RANGES);
    }
    final BitSet set = new BitSet(NUM_CHARACTERS);
    int least = 0;
    for (int range = 0; range < numRanges; range++) {
      final int first = in.get();
      final int last = in.get();
      if (first < least || last < first) {
        throw new MalformedChunkException(
            "A range of a pattern is from " + first + " to " + last + ", expected characters from " + least + " on");
      }
      set.set(first, last + 1);
      least = last + 2;
    }
    return set;
  }

  /** Finds the pattern of a dictionary's texts. Not thread-safe. */
  public static final class Finder {
    private static final int NONE = -1;

    /** Length of all texts; 0 before the first text, {@value #NONE} if there is no pattern. */
    private int length;
    /** Characters of each position, as bit sets. */
    private final long[] lows = new long[MAX_LENGTH];
    private final long[] highs = new long[MAX_LENGTH];

    /** Adds the next text. */
    public void add(byte[] text, int textLength) {
      if (length == 0) {
        length = textLength == 0 || textLength > MAX_LENGTH ? NONE : textLength;
      }
      if (length != textLength) {
        length = NONE;
        return;
      }
      for (int i = 0; i < length; i++) {
        final int character = text[i];
        if (character < 0) {
          length = NONE;
        } else if (character < Long.SIZE) {
          lows[i] |= 1L << character;
        } else {
          highs[i] |= 1L << character;
        }
      }
    }

    /** Returns the pattern, or null if there is none. */
    @Nullable
    public TextPattern pattern() {
      if (length <= 0) {
        return null;
      }
      final List<BitSet> sets = new ArrayList<>(length);
      for (int i = 0; i < length; i++) {
        sets.add(BitSet.valueOf(new long[] {lows[i], highs[i]}));
      }
      return new TextPattern(sets);
    }
  }

  static final class Writer implements BucketWriter {
    private final TextPattern pattern;
    /** Index of each character in its position's set, for each position. */
    private final byte[][] ranks;
    private byte[] bytes = new byte[0];

    Writer(TextPattern pattern) {
      this.pattern = pattern;
      this.ranks = new byte[pattern.characters.length][NUM_CHARACTERS];
      for (int position = 0; position < ranks.length; position++) {
        for (int rank = 0; rank < pattern.characters[position].length; rank++) {
          ranks[position][pattern.characters[position][rank]] = (byte) rank;
        }
      }
    }

    @Override
    public int encode(byte[][] texts, int[] lengths, int count) {
      final int size = (int) pattern.bytes(count);
      if (bytes.length < size + Long.BYTES) {
        bytes = new byte[size + Long.BYTES];
      }
      Arrays.fill(bytes, (byte) 0);
      int bit = 0;
      for (int i = 0; i < count; i++) {
        for (int group = 0; group < pattern.widths.length; group++) {
          put(bit, number(texts[i], group));
          bit += pattern.widths[group];
        }
      }
      return size;
    }

    private int number(byte[] text, int group) {
      final int next = group + 1 < pattern.positions.length ? pattern.positions[group + 1] : ranks.length;
      int number = 0;
      // Positions with a single character between groups do not matter.
      for (int position = pattern.positions[group]; position < next; position++) {
        number = number * pattern.characters[position].length + ranks[position][text[position]];
      }
      return number;
    }

    private void put(int bit, int number) {
      int left = number << (bit & 7);
      for (int at = bit >>> 3; left != 0; at++, left >>>= Byte.SIZE) {
        bytes[at] |= (byte) left;
      }
    }

    @Override
    public byte[] bytes() {
      return bytes;
    }
  }

  static final class Reader implements BucketReader {
    private final RawBytes in = new RawBytes();
    private final int width;
    private final int length;
    private final int[] positions;
    private final int[] widths;
    private final long[][] tables;
    /** Text buffer that already contains the single-character positions. */
    private final byte[] text;

    /**
     * Creates a reader.
     *
     * @param buffer in little-endian order
     */
    Reader(ByteBuffer buffer, TextPattern pattern) {
      in.wrap(buffer);
      this.width = pattern.width;
      this.length = pattern.characters.length;
      this.positions = pattern.positions;
      this.widths = pattern.widths;
      this.tables = pattern.tables;
      this.text = new byte[length + Long.BYTES];
      for (int i = 0; i < length; i++) {
        text[i] = pattern.characters[i][0];
      }
    }

    @Override
    public byte[] text() {
      return text;
    }

    @Override
    public int read(int from, int to, int count, int index) {
      final int[] positions = this.positions;
      final int[] widths = this.widths;
      final long[][] tables = this.tables;
      int bit = index * width;
      if (from + (bit + width + Byte.SIZE - 1) / Byte.SIZE > to) {
        throw new MalformedChunkException("A bucket of " + (to - from) + " bytes has no text " + index);
      }
      for (int group = 0; group < positions.length; group++) {
        final int bits = in.getInt(from + (bit >>> 3)) >>> (bit & 7);
        RawBytes.putLong(text, positions[group], tables[group][bits & (1 << widths[group]) - 1]);
        bit += widths[group];
      }
      return length;
    }
  }
}
