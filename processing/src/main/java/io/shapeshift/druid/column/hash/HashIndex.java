// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.postings.PostingLists;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntToLongFunction;
import javax.annotation.Nullable;

/**
 * Hash index of a numeric column in a segment: finds the rows with a key. Thread-safe; a {@link #reader} is for one
 * thread. The key of a number is its {@linkplain io.shapeshift.druid.form.numbers.NumberType#sortable sortable bits};
 * all NaNs have the same key.
 *
 * <p>An entry stores a row number and one byte of the hash of the row's key, the <em>fingerprint</em>. The key is not
 * stored: a look-up reads the column in each row of the bucket whose fingerprint matches. One in 256 rows with another
 * key matches by chance. Entries are in buckets of about eight, and one load compares the fingerprints of a bucket. A
 * key with many rows has one entry, which refers to a posting list. Null rows have no entry.
 *
 * <p>A damaged fingerprint would hide a row without any other symptom. Each block therefore has a checksum, which is
 * verified before the block is first used; the header's block is verified when the index is opened.
 *
 * <p>All numbers are little-endian, in segments of either byte order.
 *
 * <pre>
 * | bytes           | field                                                                                    |
 * |-----------------|------------------------------------------------------------------------------------------|
 * | 1               | version, 1                                                                               |
 * | 1 to 5          | numRows: rows of the column, including null rows (VByte)                                 |
 * | 1 to 5          | numKeys: distinct keys (VByte)                                                           |
 * | 1 to 5          | numEntries (VByte)                                                                       |
 * | 1 to 5          | numBuckets, 0 if there are no entries (VByte)                                            |
 * | 1 to 5          | numLists: keys with a posting list (VByte)                                               |
 * | 20 per 16       | directory: for each 16 buckets, the number of the first entry of the first bucket (int), |
 * |                 | and the number of entries of each bucket (byte), 0 after the last bucket                 |
 * | numEntries      | fingerprint of each entry                                                                |
 * | numEntries * w  | target of each entry, in a bit stream: a row number, or numRows plus a list number       |
 * | / 8, rounded up |                                                                                          |
 * | 8               | zero bytes, because readers touch them                                                   |
 * | 8 * numLists    | key of each list (long)                                                                  |
 * | any             | if there are lists: {@link PostingLists}, one list per such key                          |
 * | 4 per 4,096     | CRC-32C (Castagnoli polynomial, as in iSCSI) of each block of 4,096 bytes of everything  |
 * |                 | before; the last block may be shorter (int)                                              |
 * </pre>
 * w is the width of numRows + numLists - 1 in bits. The hash of a key k, modulo 2^64 and with unsigned shifts, is the
 * result of {@code k ^= k >> 33; k *= 0xFF51AFD7ED558CCD; k ^= k >> 33; k *= 0xC4CEB9FE1A85EC53; k ^= k >> 33}. Its
 * bucket is the upper 32 bits times numBuckets, divided by 2^32; its fingerprint is the lowest byte. Entries of a
 * bucket are sorted by hash, as unsigned numbers, and then by row. Lists are in the order of their entries.
 *
 * <p>Example: the index of a column of the rows 7, null, 7 and 8 is
 * {@code 01 84 82 83 81 80 00 00 00 00 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 87 dd dd 23 00 00 00 00 00 00
 * 00 00 3b 55 97 aa}: version 1, four rows, two keys, three entries, one bucket and no list; in the directory one
 * group, whose first bucket has three entries from entry 0 on; the fingerprints of 8, 7 and 7; in two bits each their
 * rows 3, 0 and 2; and the checksum of the only block.
 */
public final class HashIndex {
  private final String column;
  private final HashIndexHeader header;
  private final RawBytes bytes = new RawBytes();
  private final int directoryOffset;
  private final int fingerprintsOffset;
  private final int targetsOffset;
  private final int targetWidth;
  private final long targetMask;
  private final int keysOffset;
  private final int listsOffset;
  @Nullable
  private final PostingLists lists;
  private final BlockChecksums checksums;
  /** Bytes before the checksums. */
  private final int size;

  /**
   * Creates an index over a buffer that contains only the index; the first {@code size} bytes are before the checksums.
   */
  private HashIndex(
      String column, HashIndexHeader header, ByteBuffer buffer, int size, @Nullable PostingLists lists
  ) {
    this.column = column;
    this.header = header;
    this.bytes.wrap(buffer);
    this.size = size;
    this.checksums = new BlockChecksums(buffer, size);
    this.directoryOffset = header.headerSize();
    this.fingerprintsOffset = (int) header.fingerprintsOffset();
    this.targetsOffset = (int) header.targetsOffset();
    this.targetWidth = header.targetWidth();
    this.targetMask = (1L << targetWidth) - 1;
    this.keysOffset = (int) header.keysOffset();
    this.listsOffset = (int) header.listsOffset();
    this.lists = lists;
  }

  /**
   * Reads an index's header and advances the buffer past the index.
   *
   * @param column  name of the column, for messages
   * @param buffer  in any byte order
   * @param numRows number of rows in the column
   * @throws ColumnFormatException if the version is unknown, or the header contradicts itself, the buffer, the number
   *     of rows or its checksum
   */
  public static HashIndex read(String column, ByteBuffer buffer, int numRows) {
    final ByteBuffer in = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    final HashIndexHeader header = HashIndexHeader.read(column, in, numRows);
    in.position((int) header.listsOffset());
    final PostingLists lists =
        header.numLists() == 0 ? null : PostingLists.read(column, in, header.numLists(), numRows);
    final int size = in.position();
    final long end = size + BlockChecksums.bytes(size);
    if (end > in.limit()) {
      throw ColumnFormatException.damaged(
          column, "the " + end + " bytes of its hash index do not fit into the " + in.limit() + " there are");
    }
    buffer.position(buffer.position() + (int) end);
    final HashIndex index = new HashIndex(
        column, header, in.slice(0, (int) end).order(ByteOrder.LITTLE_ENDIAN), size, lists);
    index.check(0, header.headerSize());
    return index;
  }

  /**
   * Creates a reader for one thread.
   *
   * @param keys returns the key of a row
   */
  public HashIndexReader reader(IntToLongFunction keys) {
    return new HashIndexReader(this, keys);
  }

  /** Returns the name of the column, for messages. */
  String column() {
    return column;
  }

  /** Returns the number of rows in the column, including null rows. */
  public int numRows() {
    return header.numRows();
  }

  /** Returns the number of distinct keys. */
  public int numKeys() {
    return header.numKeys();
  }

  /** Returns the number of entries in all buckets. */
  public int numEntries() {
    return header.numEntries();
  }

  /** Returns the number of buckets. */
  public int numBuckets() {
    return header.numBuckets();
  }

  /** Returns the posting lists of keys with many rows; null if there are none. */
  @Nullable
  public PostingLists lists() {
    return lists;
  }

  /** Returns the size of the index in bytes. */
  public long sizeInBytes() {
    return size + BlockChecksums.bytes(size);
  }

  /** Returns the bytes, which all readers share. */
  RawBytes bytes() {
    return bytes;
  }

  /** Returns the offset in {@link #bytes} of a bucket's group in the directory. */
  int groupOffset(int bucket) {
    return directoryOffset + bucket / HashIndexHeader.BUCKETS_PER_GROUP * HashIndexHeader.GROUP_BYTES;
  }

  /** Returns the offset in {@link #bytes} of the fingerprints. */
  int fingerprintsOffset() {
    return fingerprintsOffset;
  }

  /**
   * Verifies bytes before their first use.
   *
   * @throws ColumnFormatException if they are damaged
   */
  void check(int offset, int length) {
    final int end = checksums.findDamage(offset, length);
    if (end > 0) {
      throw ColumnFormatException.damaged(
          column,
          "the bytes of its hash index from offset " + ((end - 1) & -BlockChecksums.BLOCK_SIZE) + " to " + end
              + " are not those of their checksum"
      );
    }
  }

  /** Verifies the entries of a bucket and their targets. */
  void checkEntries(int first, int count) {
    if (count > 0) {
      check(fingerprintsOffset + first, count);
      final long bit = (long) first * targetWidth;
      final long endBit = (long) (first + count) * targetWidth;
      check(targetsOffset + (int) (bit >>> 3), (int) (((endBit + 7) >>> 3) - (bit >>> 3)));
    }
  }

  /** Verifies the bytes that are read to find a list and its key. */
  void checkList(int list) {
    check(keysOffset + Long.BYTES * list, Long.BYTES);
    check(listsOffset, lists.tableBytes());
    final PostingLists.ChunkOfLists chunk = lists.chunk(list);
    check(listsOffset + chunk.offset(), chunk.bytes());
  }

  /** Returns the target of an entry: a row number, or the number of rows plus a list number. */
  long target(int entry) {
    // A 64-bit product: the stream of a large column has more than 2^31 bits.
    final long bit = (long) entry * targetWidth;
    return (bytes.getLong(targetsOffset + (int) (bit >>> 3)) >>> (bit & 7)) & targetMask;
  }

  /** Returns the key of a list. */
  long keyOfList(int list) {
    return bytes.getLong(keysOffset + Long.BYTES * list);
  }

  /** Creates the exception for a bucket with invalid entries. */
  ColumnFormatException damaged(int bucket, String found) {
    return ColumnFormatException.damaged(
        column,
        "bucket " + bucket + " at offset " + groupOffset(bucket) + " of its hash index " + found
    );
  }
}
