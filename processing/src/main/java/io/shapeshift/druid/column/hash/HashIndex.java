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
 * The hash index of a column of numbers in a segment: finds the rows that have a key. Serves any number of threads;
 * {@link #reader} is for one. The key of a number is its
 * {@linkplain io.shapeshift.druid.form.numbers.NumberType#sortable sortable bits}, one key for all bits that are not a
 * number.
 *
 * <p>An entry tells of one row, by a byte of its key's hash, the <em>fingerprint</em>, and the number of the row. The
 * key itself is not there: whoever looks a key up reads the column in each row whose fingerprint is that of the key,
 * and of the rows of other keys that is one in 256. Entries are in buckets of about eight, and one load compares the
 * fingerprints of a bucket. A key of many rows has one entry, which tells of a posting list. Rows that are null have no
 * entry.
 *
 * <p>A damaged fingerprint would hide a row, and nothing else would tell. So there are checksums of blocks, each of
 * which is compared before anything in its block is used for the first time, and that of the header when an index is
 * read.
 *
 * <p>All numbers are little-endian, in segments of either byte order.
 *
 * <pre>
 * | bytes           | field                                                                                      |
 * |-----------------|--------------------------------------------------------------------------------------------|
 * | 1               | version, 1                                                                                 |
 * | 1 to 5          | numRows: rows of the column, those that are null included (VByte)                          |
 * | 1 to 5          | numKeys: different keys (VByte)                                                            |
 * | 1 to 5          | numEntries (VByte)                                                                         |
 * | 1 to 5          | numBuckets, 0 if there are no entries (VByte)                                              |
 * | 1 to 5          | numLists: keys that have a list (VByte)                                                    |
 * | 20 per 16       | directory: for each 16 buckets the number of the first entry of the first of them (int),   |
 * |                 | and for each bucket how many entries it has (byte); 0 for buckets that the last 16 lack     |
 * | numEntries      | fingerprint of each entry                                                                  |
 * | numEntries * w  | target of each entry, in a bit stream: the number of a row, or numRows plus that of a list |
 * |  / 8, rounded up|                                                                                            |
 * | 8               | zero bytes, which readers touch                                                            |
 * | 8 * numLists    | key of each list (long)                                                                    |
 * | any             | if there are lists: {@link PostingLists}, the list of each such key                        |
 * | 4 per 4,096     | the CRC-32C (of the polynomial of Castagnoli, as in iSCSI) of each block of 4,096 bytes of |
 * |                 | all that is before, the last one of what is left (int)                                     |
 * </pre>
 * w is as many bits as numRows + numLists - 1 has. The hash of a key k, all modulo 2^64 and with unsigned shifts, is
 * what k becomes by {@code k ^= k >> 33; k *= 0xFF51AFD7ED558CCD; k ^= k >> 33; k *= 0xC4CEB9FE1A85EC53; k ^= k >> 33}.
 * Its bucket is the upper 32 bits times numBuckets, divided by 2^32; its fingerprint is the lowest byte. Entries of a
 * bucket are in the order of hashes, as unsigned numbers, and those of one key in that of rows. The lists are in the
 * order of the entries that tell of them.
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
  /** Bytes of all but the checksums. */
  private final int size;

  /** Makes an index of a buffer that has it and no more; {@code size} of its bytes are before the checksums. */
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
   * Takes an index from the buffer, whose position moves behind it.
   *
   * @param column  name of the column, for messages
   * @param buffer  in any byte order
   * @param numRows rows of the column
   * @throws ColumnFormatException if the version is not known, or the header contradicts itself, the buffer, the number
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
   * Finds keys, for one thread.
   *
   * @param keys the key of each row
   */
  public HashIndexReader reader(IntToLongFunction keys) {
    return new HashIndexReader(this, keys);
  }

  /** Name of the column, for messages. */
  String column() {
    return column;
  }

  /** Rows of the column, those that are null included. */
  public int numRows() {
    return header.numRows();
  }

  /** Different keys. */
  public int numKeys() {
    return header.numKeys();
  }

  /** Entries of all buckets. */
  public int numEntries() {
    return header.numEntries();
  }

  /** Buckets of entries. */
  public int numBuckets() {
    return header.numBuckets();
  }

  /** The lists of keys that have one; null if no key has. */
  @Nullable
  public PostingLists lists() {
    return lists;
  }

  /** Bytes of all. */
  public long sizeInBytes() {
    return size + BlockChecksums.bytes(size);
  }

  /** What all readers share. */
  RawBytes bytes() {
    return bytes;
  }

  /** Where in {@link #bytes} the directory has the group of a bucket. */
  int groupOffset(int bucket) {
    return directoryOffset + bucket / HashIndexHeader.BUCKETS_PER_GROUP * HashIndexHeader.GROUP_BYTES;
  }

  /** Where in {@link #bytes} the fingerprints are. */
  int fingerprintsOffset() {
    return fingerprintsOffset;
  }

  /**
   * Checks bytes that are about to be used, unless they were before.
   *
   * @throws ColumnFormatException if they are not those that were written
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

  /** Checks the entries of a bucket, and so what {@link #target} says of them. */
  void checkEntries(int first, int count) {
    if (count > 0) {
      check(fingerprintsOffset + first, count);
      final long bit = (long) first * targetWidth;
      final long endBit = (long) (first + count) * targetWidth;
      check(targetsOffset + (int) (bit >>> 3), (int) (((endBit + 7) >>> 3) - (bit >>> 3)));
    }
  }

  /** Checks all that is read to find a list and its key. */
  void checkList(int list) {
    check(keysOffset + Long.BYTES * list, Long.BYTES);
    check(listsOffset, lists.tableBytes());
    final PostingLists.ChunkOfLists chunk = lists.chunk(list);
    check(listsOffset + chunk.offset(), chunk.bytes());
  }

  /** The row that an entry tells of, or the number of rows plus that of a list. */
  long target(int entry) {
    // In 64 bits: the stream of a large column has more than 2^31 bits.
    final long bit = (long) entry * targetWidth;
    return (bytes.getLong(targetsOffset + (int) (bit >>> 3)) >>> (bit & 7)) & targetMask;
  }

  /** The key of a list. */
  long keyOfList(int list) {
    return bytes.getLong(keysOffset + Long.BYTES * list);
  }

  /** The error of a bucket whose entries cannot be. */
  ColumnFormatException damaged(int bucket, String found) {
    return ColumnFormatException.damaged(
        column,
        "bucket " + bucket + " at offset " + groupOffset(bucket) + " of its hash index " + found
    );
  }
}
