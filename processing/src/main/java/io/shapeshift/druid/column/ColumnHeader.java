// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.form.AddedNames;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.stock.ColumnOverhead;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Header of a shape-shifting column, in the column's byte order.
 *
 * <pre>
 * | offset | type | field                                                                               |
 * |--------|------|-------------------------------------------------------------------------------------|
 * | 0      | byte | version, 1                                                                          |
 * | 1      | byte | logValuesPerBlock: all blocks except the last have 2^logValuesPerBlock values; plus |
 * |        |      | 128 if names of encodings follow the composition                                    |
 * | 2      | byte | numForms: entries of the composition                                                |
 * | 3      | int  | numValues                                                                           |
 * | 7      |      | composition: see {@link Composition}                                                |
 * |        |      | names of encodings of other jars, if the column uses any: see {@link AddedNames}    |
 * </pre>
 * The offsets follow: the start of each chunk, relative to the first chunk, and the end of the last chunk. The groups
 * follow, which map blocks to chunks: for each group of {@value #BLOCKS_PER_GROUP} blocks a short, whose bit i is set
 * if a chunk starts with the group's block i. A chunk has one or more blocks of the same group. The chunks follow,
 * without gaps. The composition contains their number.
 *
 * <p>With one form in the composition, the column without its chunks is not larger than the header and block offsets of
 * a stock column with the same blocks. {@link io.shapeshift.druid.stock.SizeBudget} relies on this, and counts names.
 *
 * @param numValues         number of values in the column, 0 or more
 * @param logValuesPerBlock base 2 logarithm of the number of values in each block except the last
 * @param composition       chunks and bytes of each form
 * @param added             names of encodings of other jars
 */
public record ColumnHeader(
    int numValues,
    int logValuesPerBlock,
    Composition composition,
    AddedNames added
) {
  /** Version of the header. */
  public static final byte VERSION = 1;
  /** Added to logValuesPerBlock if names of encodings follow the composition. */
  private static final int WITH_NAMES = 1 << 7;

  /** Bytes before the composition. */
  public static final int FIXED_SIZE = 7;
  /** Base 2 logarithm of the number of blocks in each group except the last. */
  static final int LOG_BLOCKS_PER_GROUP = 4;
  static final int BLOCKS_PER_GROUP = 1 << LOG_BLOCKS_PER_GROUP;
  /** Bytes of a group's entry. */
  static final int GROUP_SIZE = Short.BYTES;
  /** Size of a column without its chunks. */
  public static final ColumnOverhead OVERHEAD = new ColumnOverhead(
      FIXED_SIZE + Integer.BYTES, Composition.ENTRY_SIZE, Integer.BYTES, BLOCKS_PER_GROUP, GROUP_SIZE);
  /** Smallest logValuesPerBlock; keeps the offsets of the longest column below 2 GiB. */
  private static final int MIN_LOG_VALUES_PER_BLOCK = 4;

  /** Returns the number of chunks, at most the number of blocks. */
  public int numChunks() {
    return (int) composition.chunks();
  }

  /** Returns the number of blocks. */
  public int numBlocks() {
    return (int) ((numValues + (1L << logValuesPerBlock) - 1) >> logValuesPerBlock);
  }

  /** Returns the number of groups. */
  int numGroups() {
    return (int) (((long) numBlocks() + BLOCKS_PER_GROUP - 1) >> LOG_BLOCKS_PER_GROUP);
  }

  /** Returns the number of bytes before the offsets. */
  public int headerSize() {
    return FIXED_SIZE + composition.sizeInBytes() + added.sizeInBytes();
  }

  /** Returns the size of the offsets and the groups in bytes. */
  public int offsetsSize() {
    return Integer.BYTES * (numChunks() + 1) + GROUP_SIZE * numGroups();
  }

  /** Returns the header's bytes, ready to be read. */
  ByteBuffer toBytes(ByteOrder order) {
    final ByteBuffer out = ByteBuffer.allocate(headerSize()).order(order);
    out.put(VERSION);
    out.put((byte) (added.isEmpty() ? logValuesPerBlock : logValuesPerBlock | WITH_NAMES));
    out.put((byte) composition.entries().size());
    out.putInt(numValues);
    composition.writeTo(out);
    added.writeTo(out);
    return out.flip();
  }

  /**
   * Reads the header of a column at index 0 of the buffer.
   *
   * @param maxLogValuesPerBlock base 2 logarithm of the most values in a chunk
   * @throws ColumnFormatException if the version is unknown, or the fields contradict each other or the buffer
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
    final boolean hasNames = (in.get(1) & WITH_NAMES) != 0;
    final int logValuesPerBlock = in.get(1) & WITH_NAMES - 1;
    final int numForms = in.get(2);
    final int numValues = in.getInt(3);
    check(column, "logValuesPerBlock", 1, logValuesPerBlock, MIN_LOG_VALUES_PER_BLOCK, maxLogValuesPerBlock);
    check(column, "numForms", 2, numForms, 0, (available - FIXED_SIZE) / Composition.ENTRY_SIZE);
    check(column, "numValues", 3, numValues, 0, Integer.MAX_VALUE);
    final AddedNames added = hasNames
                             ? readNames(column, in, FIXED_SIZE + numForms * Composition.ENTRY_SIZE)
                             : new AddedNames();
    final ColumnHeader header =
        new ColumnHeader(numValues, logValuesPerBlock, Composition.read(column, in, FIXED_SIZE, numForms), added);
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

  private static AddedNames readNames(String column, ByteBuffer in, int offset) {
    try {
      return AddedNames.read(in.duplicate().position(offset));
    } catch (MalformedChunkException e) {
      throw ColumnFormatException.damaged(column, e.getMessage(), e);
    }
  }

  private static void check(String column, String field, int offset, int found, int least, int most) {
    if (found < least || found > most) {
      throw ColumnFormatException.damaged(column, field + " at offset " + offset + " is " + found + ", expected "
          + (least == most ? String.valueOf(least) : least + " to " + most));
    }
  }
}
