// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ColumnFormatException;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.BitSet;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Lists of the groups of each slot of a {@link TextIndex}, in blocks of {@value #LISTS_PER_BLOCK} lists. Thread-safe.
 *
 * <pre>
 * | bytes                         | field                                                                    |
 * |-------------------------------|--------------------------------------------------------------------------|
 * | 4                             | blockBytes: bytes of all blocks (int, little-endian)                     |
 * | (numBlocks * w + 7) / 8       | start of each block, in a {@link BitStream}; w is the number of bits of  |
 * |                               | blockBytes                                                               |
 * | blockBytes                    | blocks without gaps                                                      |
 * | 8                             | zero bytes, which readers touch                                          |
 * </pre>
 * A block starts with a number for each slot in Elias's gamma code: 1 if the slot has no groups, 2 if it is frequent,
 * and otherwise 2 and the bits of its list. The lists follow from the next byte on, without gaps. A list is the number
 * of its groups in Elias's gamma code, and a {@link GroupList}. The last byte is filled up with zero bits.
 */
final class GroupLists {
  static final int LISTS_PER_BLOCK = 8;
  /** Size of the list of a slot that is frequent. */
  static final long FREQUENT = -1;

  /** Numbers in place of sizes. */
  private static final int NONE_CODE = 1;
  private static final int FREQUENT_CODE = 2;
  private static final int SLACK = 8;

  private final String column;
  private final int numGroups;
  private final int numBlocks;
  private final int startWidth;
  private final int blockBytes;
  private final int blocksOffset;
  private final ByteBuffer in;
  private final RawBytes bytes = new RawBytes();

  private GroupLists(String column, int numGroups, int numBlocks, int blockBytes, ByteBuffer in) {
    this.column = column;
    this.numGroups = numGroups;
    this.numBlocks = numBlocks;
    this.blockBytes = blockBytes;
    this.startWidth = width(blockBytes);
    this.blocksOffset = Integer.BYTES + BitStream.numBytes(numBlocks, startWidth);
    this.in = in;
    this.bytes.wrap(in);
  }

  /**
   * Reads lists.
   *
   * @param column    name of the column, for messages
   * @param bytes     exactly the bytes of the lists
   * @param numSlots  number of lists, a multiple of {@value #LISTS_PER_BLOCK}
   * @param numGroups number of groups
   * @throws ColumnFormatException if there are more or fewer bytes than lists have
   */
  static GroupLists read(String column, ByteBuffer bytes, int numSlots, int numGroups) {
    final ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    final int blockBytes = in.limit() < Integer.BYTES ? -1 : in.getInt(0);
    final int numBlocks = numSlots / LISTS_PER_BLOCK;
    final long expected =
        (long) Integer.BYTES + BitStream.numBytes(numBlocks, width(blockBytes)) + blockBytes + SLACK;
    if (blockBytes < 0 || expected != in.limit()) {
      throw ColumnFormatException.damaged(
          column, "the lists of the text index of its dictionary take " + in.limit() + " bytes, expected "
              + (blockBytes < 0 ? "more" : expected));
    }
    return new GroupLists(column, numGroups, numBlocks, blockBytes, in);
  }

  private static int width(int blockBytes) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(blockBytes);
  }

  int numGroups() {
    return numGroups;
  }

  /** Returns the start of a block in bits. */
  private long start(int block) {
    final int start = block == numBlocks ? blockBytes : BitStream.get(bytes, Integer.BYTES, startWidth, block);
    if (start > blockBytes) {
      throw damaged(block, "starts at " + start + " of " + blockBytes + " bytes");
    }
    return ((long) blocksOffset + start) << 3;
  }

  /**
   * Returns the size of a slot's list in bits; {@link #FREQUENT} if the slot is frequent.
   *
   * @throws ColumnFormatException if the lists are damaged
   */
  long size(int slot) {
    return seek(slot, new GroupList.Reader(in));
  }

  /**
   * Returns the groups of a slot; none if it is frequent.
   *
   * @throws ColumnFormatException if the list is damaged
   */
  BitSet groups(int slot) {
    final GroupList.Reader list = new GroupList.Reader(in);
    final long size = seek(slot, list);
    final long[] groups = new long[(numGroups + Long.SIZE - 1) >>> 6];
    if (size > 0) {
      final int block = slot / LISTS_PER_BLOCK;
      final long end = list.bit() + size;
      try {
        final int count = list.gamma();
        if (count == 0 || count > numGroups) {
          throw damaged(block, "has a list of " + count + " of " + numGroups + " groups");
        }
        list.groups(groups, count, 0, numGroups - 1);
      } catch (IndexOutOfBoundsException e) {
        throw damaged(block, "has a list behind its end");
      }
      if (list.bit() != end) {
        throw damaged(block, "has a list of " + (size + list.bit() - end) + " bits, expected " + size);
      }
    }
    return BitSet.valueOf(groups);
  }

  /** Locates the list of a slot, and returns its size in bits. */
  private long seek(int slot, GroupList.Reader reader) {
    final int block = slot / LISTS_PER_BLOCK;
    final long end = start(block + 1);
    reader.seek(start(block));
    long before = 0;
    long size = 0;
    for (int list = 0; list < LISTS_PER_BLOCK; list++) {
      final int code = code(reader, block, end);
      if (list == slot % LISTS_PER_BLOCK) {
        size = code == FREQUENT_CODE ? FREQUENT : Math.max(0, code - FREQUENT_CODE);
      } else if (list < slot % LISTS_PER_BLOCK) {
        before += Math.max(0, code - FREQUENT_CODE);
      }
    }
    final long start = (reader.bit() + 7 & -8) + before;
    if (start + Math.max(0, size) > end) {
      throw damaged(block, "has a list behind its end");
    }
    reader.seek(start);
    return size;
  }

  private int code(GroupList.Reader reader, int block, long end) {
    try {
      final int code = reader.bit() < end ? reader.gamma() : 0;
      if (code > 0) {
        return code;
      }
    } catch (IndexOutOfBoundsException e) {
      // A code that starts in the last byte may end behind the buffer.
    }
    throw damaged(block, "has no sizes of its lists");
  }

  private ColumnFormatException damaged(int block, String found) {
    return ColumnFormatException.damaged(
        column, "the text index of its dictionary: block " + block + " of lists " + found);
  }

  /** Writer of lists. Its heap holds one block, and four bytes per block. */
  static final class Writer {
    private final int numGroups;
    private final WriteOutBytes blocks;
    private final IntArrayList starts = new IntArrayList();
    private final GroupList.Writer sizes = new GroupList.Writer();
    private final GroupList.Writer lists = new GroupList.Writer();
    private int numLists;

    /**
     * Creates a writer without lists.
     *
     * @param medium keeps the blocks
     */
    Writer(SegmentWriteOutMedium medium, int numGroups) throws IOException {
      this.numGroups = numGroups;
      this.blocks = medium.makeWriteOutBytes();
    }

    /** Adds the list of a slot that is frequent. */
    void addFrequent() throws IOException {
      add(FREQUENT_CODE);
    }

    /** Adds the list of the first {@code count} groups; their array is ascending. */
    void add(int[] groups, int count) throws IOException {
      if (count == 0) {
        add(NONE_CODE);
        return;
      }
      final long before = lists.numBits();
      lists.putGamma(count);
      lists.putGroups(groups, 0, count, 0, numGroups - 1);
      add(Math.toIntExact(lists.numBits() - before + FREQUENT_CODE));
    }

    private void add(int code) throws IOException {
      sizes.putGamma(code);
      numLists++;
      if (numLists % LISTS_PER_BLOCK == 0) {
        starts.add(Math.toIntExact(blocks.size()));
        Channels.writeFully(blocks, sizes.toBuffer());
        Channels.writeFully(blocks, lists.toBuffer());
        sizes.clear();
        lists.clear();
      }
    }

    /** Returns the size of the lists in bytes, if their number is a multiple of {@value #LISTS_PER_BLOCK}. */
    long sizeInBytes() {
      return Integer.BYTES + BitStream.numBytes(starts.size(), width((int) blocks.size())) + blocks.size() + SLACK;
    }

    void writeTo(WritableByteChannel channel) throws IOException {
      final int width = width((int) blocks.size());
      final ByteBuffer head = ByteBuffer.allocate(Integer.BYTES + BitStream.numBytes(starts.size(), width))
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt((int) blocks.size());
      BitStream.pack(starts.toIntArray(), starts.size(), 0, width, head);
      Channels.writeFully(channel, head.flip());
      blocks.writeTo(channel);
      Channels.writeFully(channel, ByteBuffer.allocate(SLACK));
    }
  }
}
