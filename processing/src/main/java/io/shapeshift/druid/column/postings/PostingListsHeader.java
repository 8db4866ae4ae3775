// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.TransposedPacking;
import io.shapeshift.druid.column.ColumnFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of the posting lists of a column. All of the lists' bytes are little-endian in segments of either order.
 *
 * <pre>
 * | offset | type | field                                                                            |
 * |--------|------|----------------------------------------------------------------------------------|
 * | 0      | byte | version, 1                                                                       |
 * | 1      | byte | kind: 0 if there are no lists, as the column's ids answer for them; 1 if there are|
 * | 2      | int  | numRows: rows of the segment                                                     |
 * | 6      | int  | numLists: dictionary ids of the column                                           |
 * | 10     | int  | numChunks, if there are lists                                                    |
 * | 14     | int  | chunkBytes: bytes of all chunks, if there are lists                              |
 * </pre>
 * Where there are lists, the first id of each chunk follows, absent if each chunk has one list; and then where each
 * chunk starts, counted from the first one. Both are packed, as wide as numLists - 1 and chunkBytes ask for, the first
 * number in the lowest bits of the first byte, each filled up to whole bytes. Then the chunks, without gaps, and
 * {@value #SLACK} zero bytes, which readers touch.
 *
 * @param hasLists   whether there are lists
 * @param numRows    rows of the segment
 * @param numLists   dictionary ids of the column
 * @param numChunks  chunks, each of at least one list
 * @param chunkBytes bytes of all chunks
 */
record PostingListsHeader(boolean hasLists, int numRows, int numLists, int numChunks, int chunkBytes) {
  /** The version of the format. */
  static final byte VERSION = 1;
  /** Zero bytes behind the last chunk. */
  static final int SLACK = 8;

  private static final int SIZE_WITHOUT_LISTS = 10;
  private static final int SIZE = 18;

  int headerSize() {
    return hasLists ? SIZE : SIZE_WITHOUT_LISTS;
  }

  /** Whether the number of a list is that of its chunk. */
  boolean isListPerChunk() {
    return numChunks == numLists;
  }

  int firstListWidth() {
    return isListPerChunk() ? 0 : TransposedPacking.width(Math.max(0, numLists - 1));
  }

  int offsetWidth() {
    return TransposedPacking.width(chunkBytes);
  }

  long firstListBytes() {
    return BitStream.numBytes(numChunks, firstListWidth());
  }

  long offsetBytes() {
    return BitStream.numBytes(numChunks, offsetWidth());
  }

  /** Bytes of everything. */
  long size() {
    return hasLists ? headerSize() + firstListBytes() + offsetBytes() + chunkBytes + SLACK : headerSize();
  }

  ByteBuffer toBytes() {
    final ByteBuffer out = ByteBuffer.allocate(headerSize()).order(ByteOrder.LITTLE_ENDIAN);
    out.put(VERSION).put((byte) (hasLists ? 1 : 0)).putInt(numRows).putInt(numLists);
    if (hasLists) {
      out.putInt(numChunks).putInt(chunkBytes);
    }
    return out.flip();
  }

  /**
   * Reads the head of the lists that start at index 0 of the buffer.
   *
   * @throws ColumnFormatException if the version is not known, or the fields contradict each other or the buffer
   */
  static PostingListsHeader read(String column, ByteBuffer in) {
    final int available = in.limit();
    if (available < SIZE_WITHOUT_LISTS || (in.get(1) == 1 && available < SIZE)) {
      throw ColumnFormatException.damaged(
          column, "there are " + available + " bytes of its index, fewer than those of a header");
    }
    final byte version = in.get(0);
    if (version != VERSION) {
      throw new ColumnFormatException(
          column,
          "the version at offset 0 of its index is " + version + ", this druid-shapeshift knows " + VERSION,
          "Use the release of druid-shapeshift that wrote the segment, or a newer one, on every Druid service"
      );
    }
    final byte kind = in.get(1);
    check(column, "kind", 1, kind, 0, 1);
    final int numRows = in.getInt(2);
    final int numLists = in.getInt(6);
    check(column, "numRows", 2, numRows, 0, Integer.MAX_VALUE);
    check(column, "numLists", 6, numLists, 0, Integer.MAX_VALUE);
    if (kind == 0) {
      return new PostingListsHeader(false, numRows, numLists, 0, 0);
    }
    final int numChunks = in.getInt(10);
    final int chunkBytes = in.getInt(14);
    check(column, "numChunks", 10, numChunks, numLists == 0 ? 0 : 1, numLists);
    check(column, "chunkBytes", 14, chunkBytes, numChunks, Integer.MAX_VALUE);
    final PostingListsHeader header = new PostingListsHeader(true, numRows, numLists, numChunks, chunkBytes);
    if (header.size() > available) {
      throw ColumnFormatException.damaged(
          column, "the " + header.size() + " bytes of its index do not fit into the " + available + " there are");
    }
    return header;
  }

  private static void check(String column, String field, int offset, int found, int least, int most) {
    if (found < least || found > most) {
      throw ColumnFormatException.damaged(column, field + " at offset " + offset + " of its index is " + found
          + ", expected " + least + " to " + most);
    }
  }
}
