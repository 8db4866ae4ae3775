// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.AddedNames;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.druid.segment.data.VByte;

/**
 * Header of a column's posting lists. All bytes are little-endian, in segments of either byte order.
 *
 * <pre>
 * | bytes  | field                                                                       |
 * |--------|-----------------------------------------------------------------------------|
 * | 1      | version, 1                                                                  |
 * | 1      | kind: 0 without lists, if rows are found by a scan of the ids; 1 with lists;|
 * |        | 2 with lists, some of them in encodings of other jars                       |
 * | 1 to 5 | numRows: rows of the segment (VByte)                                        |
 * | 1 to 5 | numLists: dictionary ids of the column (VByte)                              |
 * | 1 to 5 | numChunks, if there are lists (VByte)                                       |
 * | 1 to 5 | chunkBytes: bytes of all chunks, if there are lists (VByte)                 |
 * |        | names of encodings of other jars, in kind 2: see {@link AddedNames}         |
 * </pre>
 * If there are lists, the chunk table follows: the first id of each chunk, unless each chunk has one list, and then the
 * start of each chunk, relative to the first chunk. Both are bit-packed in the width of numLists - 1 and of chunkBytes,
 * the first number in the lowest bits of the first byte, each padded to whole bytes. The chunks follow, without gaps,
 * and {@value #SLACK} zero bytes, because readers touch them.
 *
 * @param hasLists   whether there are lists
 * @param numRows    number of rows in the segment
 * @param numLists   number of dictionary ids of the column
 * @param numChunks  number of chunks, each with at least one list
 * @param chunkBytes bytes of all chunks
 * @param added      names of encodings of other jars
 */
record PostingListsHeader(
    boolean hasLists,
    int numRows,
    int numLists,
    int numChunks,
    int chunkBytes,
    AddedNames added
) {
  /** Version of the format. */
  static final byte VERSION = 1;
  /** Zero bytes after the last chunk. */
  static final int SLACK = 8;

  int headerSize() {
    final int size = 2 + VByte.computeIntSize(numRows) + VByte.computeIntSize(numLists);
    return hasLists
           ? size + VByte.computeIntSize(numChunks) + VByte.computeIntSize(chunkBytes) + added.sizeInBytes()
           : size;
  }

  /** Returns whether each chunk has one list, so that chunk and list numbers are the same. */
  boolean isListPerChunk() {
    return numChunks == numLists;
  }

  int firstListWidth() {
    return isListPerChunk() ? 0 : InterleavedPacking.width(Math.max(0, numLists - 1));
  }

  int offsetWidth() {
    return InterleavedPacking.width(chunkBytes);
  }

  long firstListBytes() {
    return bytes(firstListWidth());
  }

  long offsetBytes() {
    return bytes(offsetWidth());
  }

  private long bytes(int width) {
    return ((long) numChunks * width + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Returns the size of the index in bytes. */
  long size() {
    return hasLists ? headerSize() + firstListBytes() + offsetBytes() + chunkBytes + SLACK : headerSize();
  }

  ByteBuffer toBytes() {
    final ByteBuffer out = ByteBuffer.allocate(headerSize());
    out.put(VERSION).put(kind());
    VByte.writeInt(out, numRows);
    VByte.writeInt(out, numLists);
    if (hasLists) {
      VByte.writeInt(out, numChunks);
      VByte.writeInt(out, chunkBytes);
      added.writeTo(out);
    }
    return out.flip();
  }

  private byte kind() {
    if (!hasLists) {
      return 0;
    }
    return (byte) (added.isEmpty() ? 1 : 2);
  }

  /** Creates the header of an index without lists. */
  static PostingListsHeader withoutLists(int numRows, int numLists) {
    return new PostingListsHeader(false, numRows, numLists, 0, 0, new AddedNames());
  }

  /**
   * Reads the header of an index at index 0 of the buffer.
   *
   * @throws ColumnFormatException if the version is unknown, or the fields contradict each other or the buffer
   */
  static PostingListsHeader read(String column, ByteBuffer in) {
    try {
      final ByteBuffer fields = in.duplicate().position(0);
      final PostingListsHeader header = readFields(column, fields);
      if (fields.position() != header.headerSize()) {
        throw ColumnFormatException.damaged(column, "the head of its index takes " + fields.position()
            + " bytes, expected " + header.headerSize());
      }
      if (header.size() > in.limit()) {
        throw ColumnFormatException.damaged(
            column, "the " + header.size() + " bytes of its index do not fit into the " + in.limit() + " there are");
      }
      return header;
    } catch (BufferUnderflowException e) {
      throw ColumnFormatException.damaged(
          column, "there are " + in.limit() + " bytes of its index, fewer than those of its head", e);
    }
  }

  private static PostingListsHeader readFields(String column, ByteBuffer fields) {
    final byte version = fields.get();
    if (version != VERSION) {
      throw ColumnFormatException.newer(
          column,
          "the version at offset 0 of its index is " + version + ", this druid-shapeshift knows " + VERSION
      );
    }
    final int kind = check(column, "kind", 1, fields.get(), 0, 2);
    final int numRows = readInt(column, "numRows", fields, 0, Integer.MAX_VALUE);
    final int numLists = readInt(column, "numLists", fields, 0, Integer.MAX_VALUE);
    if (kind == 0) {
      return withoutLists(numRows, numLists);
    }
    final int numChunks = readInt(column, "numChunks", fields, Math.min(numLists, 1), numLists);
    final int chunkBytes = readInt(column, "chunkBytes", fields, numChunks, Integer.MAX_VALUE);
    return new PostingListsHeader(
        true, numRows, numLists, numChunks, chunkBytes, kind == 1 ? new AddedNames() : readNames(column, fields));
  }

  private static AddedNames readNames(String column, ByteBuffer fields) {
    try {
      return AddedNames.read(fields);
    } catch (MalformedChunkException e) {
      throw ColumnFormatException.damaged(column, "in the head of its index, " + e.getMessage(), e);
    }
  }

  private static int readInt(String column, String field, ByteBuffer fields, int least, int most) {
    final int offset = fields.position();
    return check(column, field, offset, VByte.readInt(fields), least, most);
  }

  private static int check(String column, String field, int offset, int found, int least, int most) {
    if (found < least || found > most) {
      throw ColumnFormatException.damaged(column, field + " at offset " + offset + " of its index is " + found
          + ", expected " + least + " to " + most);
    }
    return found;
  }
}
