// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.stock.ColumnOverhead;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of a shape-shifting column, in the byte order that the segment says of the column.
 *
 * <pre>
 * | offset | type  | field                                                                      |
 * |--------|-------|----------------------------------------------------------------------------|
 * | 0      | byte  | version, 1                                                                 |
 * | 1      | byte  | logValuesPerBlock: all blocks but the last hold 2^logValuesPerBlock values |
 * | 2      | byte  | numForms: entries of the composition                                       |
 * | 3      | int   | numValues                                                                  |
 * | 7      |       | composition: see {@link Composition}                                       |
 * </pre>
 * The offsets follow: for each chunk the start of it, counted from the first chunk, and at last the end of the last
 * one. Then the groups: which chunk holds which blocks. A chunk holds one block or several of the same group of
 * {@value #BLOCKS_PER_GROUP}; for each group there is a short whose bit i is set if a chunk starts with the group's
 * block i. Then the chunks, without gaps. The number of chunks is that of the composition.
 *
 * <p>With one form in the composition all this but the chunks takes no more than the head and the blocks' places take
 * in Druid's own column of the same blocks, of which {@link io.shapeshift.druid.stock.SizeBudget} makes use.
 *
 * @param numValues         values of the column, 0 or more
 * @param logValuesPerBlock base 2 logarithm of the values in each block but the last
 * @param composition       chunks and bytes by form
 */
public record ColumnHeader(
    int numValues,
    int logValuesPerBlock,
    Composition composition
) {
  /** The version of the format. */
  public static final byte VERSION = 1;

  /** Bytes before the composition. */
  public static final int FIXED_SIZE = 7;
  /** Base 2 logarithm of the blocks in each group but the last. */
  static final int LOG_BLOCKS_PER_GROUP = 4;
  static final int BLOCKS_PER_GROUP = 1 << LOG_BLOCKS_PER_GROUP;
  /** Bytes that tell of a group. */
  static final int GROUP_SIZE = Short.BYTES;
  /** What a column takes besides its chunks. */
  public static final ColumnOverhead OVERHEAD = new ColumnOverhead(
      FIXED_SIZE + Integer.BYTES, Composition.ENTRY_SIZE, Integer.BYTES, BLOCKS_PER_GROUP, GROUP_SIZE);
  /** Keeps the offsets of the longest column below 2 GiB. */
  private static final int MIN_LOG_VALUES_PER_BLOCK = 4;

  /** Number of chunks, at most as many as blocks. */
  public int numChunks() {
    return (int) composition.chunks();
  }

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
    return Integer.BYTES * (numChunks() + 1) + GROUP_SIZE * numGroups();
  }

  /** The head's bytes, ready to be read. */
  ByteBuffer toBytes(ByteOrder order) {
    final ByteBuffer out = ByteBuffer.allocate(headerSize()).order(order);
    out.put(VERSION);
    out.put((byte) logValuesPerBlock);
    out.put((byte) composition.entries().size());
    out.putInt(numValues);
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
      throw ColumnFormatException.newer(
          column,
          "its version at offset 0 is " + version + ", this druid-shapeshift knows " + VERSION
      );
    }
    final int logValuesPerBlock = in.get(1);
    final int numForms = in.get(2);
    final int numValues = in.getInt(3);
    check(column, "logValuesPerBlock", 1, logValuesPerBlock, MIN_LOG_VALUES_PER_BLOCK, maxLogValuesPerBlock);
    check(column, "numForms", 2, numForms, 0, (available - FIXED_SIZE) / Composition.ENTRY_SIZE);
    check(column, "numValues", 3, numValues, 0, Integer.MAX_VALUE);
    final ColumnHeader header =
        new ColumnHeader(numValues, logValuesPerBlock, Composition.read(column, in, FIXED_SIZE, numForms));
    final long chunks = header.composition.chunks();
    if (chunks < header.numGroups() || chunks > header.numBlocks()) {
      throw ColumnFormatException.damaged(column, "the composition at offset " + FIXED_SIZE + " counts " + chunks
          + " chunks, expected " + header.numGroups() + " to " + header.numBlocks());
    }
    final int headerSize = header.headerSize();
    final long offsetsSize = Integer.BYTES * (chunks + 1) + (long) GROUP_SIZE * header.numGroups();
    if (available - headerSize < offsetsSize) {
      throw ColumnFormatException.damaged(column, "its " + offsetsSize + " bytes of offsets, from offset " + headerSize
          + " on, do not fit into the " + available + " bytes there are");
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
