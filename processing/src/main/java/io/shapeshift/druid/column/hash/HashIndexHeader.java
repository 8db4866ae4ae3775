// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import io.shapeshift.druid.column.ColumnFormatException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.druid.segment.data.VByte;

/**
 * Header of a {@link HashIndex}, whose Javadoc specifies the bytes.
 *
 * @param numRows    number of rows in the column, including null rows
 * @param numKeys    number of distinct keys
 * @param numEntries number of entries in all buckets
 * @param numBuckets number of buckets, 0 if there are no entries
 * @param numLists   number of keys with a posting list
 */
record HashIndexHeader(int numRows, int numKeys, int numEntries, int numBuckets, int numLists) {
  /** Version of the format. */
  static final byte VERSION = 1;
  /** Zero bytes after the entries, because eight bytes are loaded at a time. */
  static final int SLACK = 8;
  /** Buckets in a group; the buckets of a group share a start in the directory. */
  static final int BUCKETS_PER_GROUP = 16;
  /** Bytes of a group in the directory: its start, and a count for each bucket. */
  static final int GROUP_BYTES = Integer.BYTES + BUCKETS_PER_GROUP;
  /** Most entries in a bucket, limited by the size of its count. */
  static final int MAX_BUCKET = 0xFF;
  /** Most buckets that the directory can address. */
  static final int MAX_BUCKETS = Integer.MAX_VALUE / GROUP_BYTES * BUCKETS_PER_GROUP;

  int headerSize() {
    return 1
        + VByte.computeIntSize(numRows)
        + VByte.computeIntSize(numKeys)
        + VByte.computeIntSize(numEntries)
        + VByte.computeIntSize(numBuckets)
        + VByte.computeIntSize(numLists);
  }

  long directoryBytes() {
    return ((long) numBuckets + BUCKETS_PER_GROUP - 1) / BUCKETS_PER_GROUP * GROUP_BYTES;
  }

  /** Returns the width of a target in bits: a row number, or a list number plus the number of rows. */
  int targetWidth() {
    return Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, (long) numRows + numLists - 1));
  }

  long targetBytes() {
    return ((long) numEntries * targetWidth() + Byte.SIZE - 1) / Byte.SIZE;
  }

  long keyBytes() {
    return (long) Long.BYTES * numLists;
  }

  long fingerprintsOffset() {
    return headerSize() + directoryBytes();
  }

  long targetsOffset() {
    return fingerprintsOffset() + numEntries;
  }

  long keysOffset() {
    return targetsOffset() + targetBytes() + SLACK;
  }

  /** Returns the offset of the posting lists, or of the checksums if there are no lists. */
  long listsOffset() {
    return keysOffset() + keyBytes();
  }

  ByteBuffer toBytes() {
    final ByteBuffer out = ByteBuffer.allocate(headerSize());
    out.put(VERSION);
    VByte.writeInt(out, numRows);
    VByte.writeInt(out, numKeys);
    VByte.writeInt(out, numEntries);
    VByte.writeInt(out, numBuckets);
    VByte.writeInt(out, numLists);
    return out.flip();
  }

  /**
   * Reads the header of an index at index 0 of the buffer.
   *
   * @param numRows number of rows in the column
   * @throws ColumnFormatException if the version is unknown, or the fields contradict each other, the buffer or the
   *     number of rows
   */
  static HashIndexHeader read(String column, ByteBuffer in, int numRows) {
    try {
      final ByteBuffer fields = in.duplicate().position(0);
      final byte version = fields.get();
      if (version != VERSION) {
        throw ColumnFormatException.newer(
            column,
            "the version at offset 0 of its hash index is " + version + ", this druid-shapeshift knows " + VERSION
        );
      }
      check(column, "numRows", fields, numRows, numRows);
      final int numKeys = check(column, "numKeys", fields, 0, numRows);
      final int numEntries = check(column, "numEntries", fields, numKeys, numKeys == 0 ? 0 : numRows);
      final int numBuckets = check(column, "numBuckets", fields, Math.min(numEntries, 1), MAX_BUCKETS);
      final int numLists = check(column, "numLists", fields, 0, numKeys);
      final HashIndexHeader header = new HashIndexHeader(numRows, numKeys, numEntries, numBuckets, numLists);
      if (fields.position() != header.headerSize()) {
        throw ColumnFormatException.damaged(column, "the head of its hash index takes " + fields.position()
            + " bytes, expected " + header.headerSize());
      }
      if (header.listsOffset() > in.limit()) {
        throw ColumnFormatException.damaged(column, "the " + header.listsOffset()
            + " bytes of its hash index do not fit into the " + in.limit() + " there are");
      }
      return header;
    } catch (BufferUnderflowException e) {
      throw ColumnFormatException.damaged(
          column, "there are " + in.limit() + " bytes of its hash index, fewer than those of its head", e);
    }
  }

  private static int check(String column, String field, ByteBuffer fields, int least, int most) {
    final int offset = fields.position();
    final int found = VByte.readInt(fields);
    if (found < least || found > most) {
      throw ColumnFormatException.damaged(column, field + " at offset " + offset + " of its hash index is " + found
          + ", expected " + least + " to " + most);
    }
    return found;
  }
}
