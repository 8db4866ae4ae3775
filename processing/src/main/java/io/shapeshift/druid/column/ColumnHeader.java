// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of a shape-shifting column, after Druid PR #6016, in the byte order that the segment says of the column.
 *
 * <pre>
 * | offset | type  | field                                                                      |
 * |--------|-------|----------------------------------------------------------------------------|
 * | 0      | byte  | version, 1                                                                 |
 * | 1      | int   | headerSize: bytes before the offsets, 22 + compositionSize                 |
 * | 5      | int   | numValues                                                                  |
 * | 9      | int   | numChunks                                                                  |
 * | 13     | byte  | logValuesPerBlock: all blocks but the last hold 2^logValuesPerBlock values |
 * | 14     | int   | offsetsOutSize: bytes of the offsets and of the groups                     |
 * | 18     | int   | compositionSize: bytes of the composition                                  |
 * | 22     |       | composition: see {@link Composition}                                       |
 * </pre>
 * The offsets follow: for each chunk the start of it, counted from the first chunk, and at last the end of the last
 * one. Then the groups: which chunk holds which blocks. A chunk holds one block or several of the same group of
 * {@value #BLOCKS_PER_GROUP}; for each group there are the number of its first chunk (int), and a short whose bit i is
 * set if a chunk starts with the group's block i. Then the chunks, without gaps.
 *
 * @param numValues         values of the column, 0 or more
 * @param numChunks         chunks, at most as many as blocks
 * @param logValuesPerBlock base 2 logarithm of the values in each block but the last
 * @param composition       chunks and bytes by form
 */
public record ColumnHeader(
    int numValues,
    int numChunks,
    int logValuesPerBlock,
    Composition composition
) {
  /** The version of the format. */
  public static final byte VERSION = 1;

  /** Bytes before the composition. */
  public static final int FIXED_SIZE = 22;
  /** Base 2 logarithm of the blocks in each group but the last. */
  static final int LOG_BLOCKS_PER_GROUP = 4;
  static final int BLOCKS_PER_GROUP = 1 << LOG_BLOCKS_PER_GROUP;
  /** Bytes that tell of a group. */
  static final int GROUP_SIZE = Integer.BYTES + Short.BYTES;
  /** Keeps the offsets of the longest column below 2 GiB. */
  private static final int MIN_LOG_VALUES_PER_BLOCK = 4;

  /** Number of blocks. */
  public int numBlocks() {
    return (int) ((numValues + (1L << logValuesPerBlock) - 1) >> logValuesPerBlock);
  }

  /** Number of groups of blocks. */
  int numGroups() {
    return (int) (((long) numBlocks() + BLOCKS_PER_GROUP - 1) >> LOG_BLOCKS_PER_GROUP);
  }

  /** Bytes before the offsets. */
  public int headerSize() {
    return FIXED_SIZE + composition.sizeInBytes();
  }

  /** Bytes of the offsets and the groups. */
  public int offsetsSize() {
    return Integer.BYTES * (numChunks + 1) + GROUP_SIZE * numGroups();
  }

  /** The head's bytes, ready to be read. */
  ByteBuffer toBytes(ByteOrder order) {
    final ByteBuffer out = ByteBuffer.allocate(headerSize()).order(order);
    out.put(VERSION);
    out.putInt(headerSize());
    out.putInt(numValues);
    out.putInt(numChunks);
    out.put((byte) logValuesPerBlock);
    out.putInt(offsetsSize());
    out.putInt(composition.sizeInBytes());
    composition.writeTo(out);
    return out.flip();
  }

  /**
   * Reads the head of a column that starts at index 0 of the buffer.
   *
   * @param maxLogValuesPerBlock base 2 logarithm of the values that the reader's chunks can hold
   * @throws ColumnFormatException if the version is not known, or the fields contradict each other or the buffer
   */
  static ColumnHeader read(String column, ByteBuffer in, int maxLogValuesPerBlock) {
    final int available = in.limit();
    if (available < FIXED_SIZE) {
      throw ColumnFormatException.damaged(
          column,
          "there are " + available + " bytes, fewer than the " + FIXED_SIZE + " of a header"
      );
    }
    final byte version = in.get(0);
    if (version != VERSION) {
      throw new ColumnFormatException(
          column,
          "its version at offset 0 is " + version + ", this druid-shapeshift knows " + VERSION,
          "Use the release of druid-shapeshift that wrote the segment, or a newer one, on every Druid service"
      );
    }
    final int headerSize = in.getInt(1);
    final int numValues = in.getInt(5);
    final int numChunks = in.getInt(9);
    final int logValuesPerBlock = in.get(13);
    final int offsetsSize = in.getInt(14);
    final int compositionSize = in.getInt(18);
    check(column, "headerSize", 1, headerSize, FIXED_SIZE, available);
    check(column, "numValues", 5, numValues, 0, Integer.MAX_VALUE);
    check(column, "logValuesPerBlock", 13, logValuesPerBlock, MIN_LOG_VALUES_PER_BLOCK, maxLogValuesPerBlock);
    check(column, "compositionSize", 18, compositionSize, headerSize - FIXED_SIZE, headerSize - FIXED_SIZE);
    final ColumnHeader header = new ColumnHeader(
        numValues,
        numChunks,
        logValuesPerBlock,
        Composition.read(column, in, FIXED_SIZE, compositionSize)
    );
    check(column, "numChunks", 9, numChunks, header.numGroups(), header.numBlocks());
    check(column, "offsetsOutSize", 14, offsetsSize, header.offsetsSize(), header.offsetsSize());
    if (available - headerSize < offsetsSize) {
      throw ColumnFormatException.damaged(column, "its " + offsetsSize + " bytes of offsets, from offset " + headerSize
          + " on, do not fit into the " + available + " bytes there are");
    }
    final long chunks = header.composition.chunks();
    if (chunks != numChunks) {
      throw ColumnFormatException.damaged(column, "the composition at offset " + FIXED_SIZE + " counts " + chunks
          + " chunks, the header " + numChunks);
    }
    final long bytes = header.composition.bytes();
    if (bytes > available - headerSize - offsetsSize) {
      throw ColumnFormatException.damaged(column, "its " + bytes + " bytes of chunks, from offset "
          + (headerSize + offsetsSize) + " on, do not fit into the " + available + " bytes there are");
    }
    return header;
  }

  private static void check(String column, String field, int offset, int found, int least, int most) {
    if (found < least || found > most) {
      throw ColumnFormatException.damaged(column, field + " at offset " + offset + " is " + found + ", expected "
          + (least == most ? String.valueOf(least) : least + " to " + most));
    }
  }
}
