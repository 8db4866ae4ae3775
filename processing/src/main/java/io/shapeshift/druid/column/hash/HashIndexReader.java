// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.postings.PostingListsReader;
import io.shapeshift.druid.rows.RowSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import javax.annotation.Nullable;

/** Reader of a {@link HashIndex} that finds the rows of keys, and verifies them in the column. Not thread-safe. */
public final class HashIndexReader {
  /** Keys that are looked up at a time, which bounds the use of heap. */
  public static final int BATCH = 4096;

  private static final long LOWEST_BITS = 0x0101010101010101L;
  private static final long LOWER_BITS = 0x7F7F7F7F7F7F7F7FL;
  private static final long EVEN_BYTES = 0x00FF00FF00FF00FFL;
  private static final long LOWEST_OF_SHORTS = 0x0001000100010001L;

  private final HashIndex index;
  private final IntToLongFunction keys;
  /** Candidates: the row number in the upper half, and the index of the wanted key in the lower half. */
  private final LongArrayList candidates = new LongArrayList();
  private final RawBytes bytes;
  @Nullable
  private final PostingListsReader lists;

  HashIndexReader(HashIndex index, IntToLongFunction keys) {
    this.index = index;
    this.keys = keys;
    this.bytes = index.bytes();
    this.lists = index.lists() == null ? null : index.lists().reader();
  }

  /**
   * Adds the rows with a key.
   *
   * @param out receives the rows; has the column's number of rows
   * @throws ColumnFormatException if the index is damaged
   */
  public void find(long key, RowSet out) {
    find(LongList.of(key), out);
  }

  /**
   * Adds the rows that have any of the wanted keys. The keys are looked up in batches of {@value #BATCH}. For each
   * batch, the column is read in row order, so that a chunk that is decoded completely is decoded only once per batch.
   *
   * @param out receives the rows; has the column's number of rows
   * @throws ColumnFormatException if the index is damaged
   */
  public void find(LongList wanted, RowSet out) {
    for (int from = 0; from < wanted.size(); from += BATCH) {
      findBatch(wanted, from, Math.min(wanted.size(), from + BATCH), out);
    }
  }

  /**
   * Returns the row with a key, in a column without duplicate keys.
   *
   * @return the row, or -1 if there is none
   * @throws ColumnFormatException if the index is damaged
   */
  public int findUnique(long key) {
    candidates.clear();
    addCandidates(0, key, null);
    for (int i = 0; i < candidates.size(); i++) {
      final int row = (int) (candidates.getLong(i) >>> Integer.SIZE);
      if (keys.applyAsLong(row) == key) {
        return row;
      }
    }
    return -1;
  }

  private void findBatch(LongList wanted, int from, int to, RowSet out) {
    candidates.clear();
    for (int i = from; i < to; i++) {
      addCandidates(i, wanted.getLong(i), out);
    }
    final long[] sorted = candidates.elements();
    Arrays.sort(sorted, 0, candidates.size());
    final int[] found = new int[candidates.size()];
    int numFound = 0;
    for (int i = 0; i < found.length; i++) {
      final int row = (int) (sorted[i] >>> Integer.SIZE);
      // A repeated key, or a damaged index, has the same row twice.
      final boolean isNew = numFound == 0 || row != found[numFound - 1];
      if (isNew && keys.applyAsLong(row) == wanted.getLong((int) sorted[i])) {
        found[numFound++] = row;
      }
    }
    out.add(found, 0, numFound);
  }

  /**
   * Adds the candidate rows of a key, and the rows of its posting list if it has one.
   *
   * @param number index of the key among the wanted keys
   * @param out    receives the rows of lists; null if keys are unique, so that there are no lists
   */
  private void addCandidates(int number, long key, @Nullable RowSet out) {
    if (index.numBuckets() == 0) {
      return;
    }
    final long hash = KeyHash.of(key);
    final int bucket = KeyHash.bucket(hash, index.numBuckets());
    final int group = index.groupOffset(bucket);
    final int inGroup = bucket % HashIndexHeader.BUCKETS_PER_GROUP;
    index.check(group, HashIndexHeader.GROUP_BYTES);
    final int count = bytes.getByte(group + Integer.BYTES + inGroup);
    final int first = bytes.getInt(group) + countsBefore(group, inGroup);
    if (first < 0 || first > index.numEntries() - count) {
      throw index.damaged(bucket, "has the " + count + " entries from " + first + " on, of " + index.numEntries());
    }
    index.checkEntries(first, count);
    final long pattern = LOWEST_BITS * KeyHash.fingerprint(hash);
    for (int i = 0; i < count; i += Long.BYTES) {
      final long different = bytes.getLong(index.fingerprintsOffset() + first + i) ^ pattern;
      // The highest bit of exactly those bytes that are 0.
      long same = ~(((different & LOWER_BITS) + LOWER_BITS) | different | LOWER_BITS);
      if (count - i < Long.BYTES) {
        same &= (1L << (Byte.SIZE * (count - i))) - 1;
      }
      for (; same != 0; same &= same - 1) {
        final long target = index.target(first + i + Long.numberOfTrailingZeros(same) / Byte.SIZE);
        if (target < index.numRows()) {
          candidates.add((target << Integer.SIZE) | number);
        } else {
          addList(bucket, target - index.numRows(), key, out);
        }
      }
    }
  }

  /** Returns the number of entries in the buckets of a group before one of them. */
  private int countsBefore(int group, int inGroup) {
    final long lower = bytes.getLong(group + Integer.BYTES);
    if (inGroup < Long.BYTES) {
      return inGroup == 0 ? 0 : sum(lower << (Long.SIZE - Byte.SIZE * inGroup));
    }
    final int inUpper = inGroup - Long.BYTES;
    final long upper = bytes.getLong(group + Integer.BYTES + Long.BYTES);
    return sum(lower) + (inUpper == 0 ? 0 : sum(upper << (Long.SIZE - Byte.SIZE * inUpper)));
  }

  /** Returns the sum of eight bytes: pairs of bytes are added in four shorts, then the shorts in the highest one. */
  private static int sum(long counts) {
    final long pairs = (counts & EVEN_BYTES) + ((counts >>> Byte.SIZE) & EVEN_BYTES);
    return (int) ((pairs * LOWEST_OF_SHORTS) >>> (3 * Short.SIZE));
  }

  private void addList(int bucket, long list, long key, @Nullable RowSet out) {
    if (lists == null || out == null || list >= index.lists().size()) {
      throw index.damaged(bucket, "has an entry for row " + (index.numRows() + list) + ", of " + index.numRows());
    }
    index.checkList((int) list);
    if (index.keyOfList((int) list) == key) {
      lists.read((int) list, (int) list + 1, out);
    }
  }
}
