// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.incremental.memory.HashTable;
import io.shapeshift.druid.incremental.row.Slot;
import io.shapeshift.druid.incremental.row.StoredRow;
import io.shapeshift.druid.incremental.strings.DirectStringIndexer;
import javax.annotation.Nullable;

/**
 * Dimension of strings: an array of ids of the indexer's dictionary. The slot has 4 bytes:
 *
 * <pre>
 *  0 or more    the id of a single value
 *  -1           no array
 *  -2           an empty array
 *  -3 - n       a list: n is the offset of its length from the beginning of the row, in ints; the ids follow the length
 * </pre>
 *
 * <p>The indexer treats an empty array as equal to an array of a single null, but not as equal to no array.
 */
public final class StringDimension extends Dimension {
  private static final int EMPTY = -2;
  private static final int LIST = -3;
  private static final int[] NO_IDS = {};

  private final DirectStringIndexer indexer;
  private int nullId = StoredRow.ABSENT;
  /** Whether any row has an array that is empty or longer than one. Written before the row is published. */
  private boolean hasLists;

  StringDimension(int index, DirectStringIndexer indexer) {
    super(index, Slot.INT);
    this.indexer = indexer;
  }

  @Override
  public int variableBytes(@Nullable Object value) {
    final int length = value == null ? 0 : ((int[]) value).length;
    return length > 1 ? (1 + length) * Integer.BYTES : 0;
  }

  @Override
  public long hash(@Nullable Object value) {
    if (value == null) {
      return HASH_OF_NULL;
    }
    final int[] ids = (int[]) value;
    if (ids.length == 1) {
      return HashTable.mix(ids[0]);
    }
    if (ids.length == 0) {
      return HashTable.mix(nullId());
    }
    long hash = ids.length;
    for (int id : ids) {
      hash = HashTable.mix(hash + id);
    }
    return hash;
  }

  @Override
  public boolean isSame(@Nullable Object value, StoredRow row) {
    final int slot = row.intSlot(index());
    if (value == null) {
      return slot == StoredRow.ABSENT;
    }
    final int[] ids = (int[]) value;
    if (ids.length == 1) {
      return slot == ids[0] || (slot == EMPTY && ids[0] == nullId());
    }
    if (ids.length == 0) {
      return slot == EMPTY || slot == nullId();
    }
    if (slot > LIST) {
      return false;
    }
    final int place = place(slot);
    if (row.intAt(place) != ids.length) {
      return false;
    }
    for (int i = 0; i < ids.length; i++) {
      if (row.intAt(place + (1 + i) * Integer.BYTES) != ids[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int write(@Nullable Object value, StoredRow row, int variable) {
    if (value == null) {
      row.setIntSlot(index(), StoredRow.ABSENT);
      return 0;
    }
    final int[] ids = (int[]) value;
    if (ids.length == 1) {
      row.setIntSlot(index(), ids[0]);
      return 0;
    }
    hasLists = true;
    if (ids.length == 0) {
      nullId();
      row.setIntSlot(index(), EMPTY);
      return 0;
    }
    row.setIntSlot(index(), LIST - variable / Integer.BYTES);
    row.setIntAt(variable, ids.length);
    for (int i = 0; i < ids.length; i++) {
      row.setIntAt(variable + (1 + i) * Integer.BYTES, ids[i]);
    }
    return variableBytes(value);
  }

  @Override
  @Nullable
  public Object read(StoredRow row) {
    final int slot = row.intSlot(index());
    if (slot >= 0) {
      return new int[] {slot};
    }
    if (slot == StoredRow.ABSENT) {
      return null;
    }
    if (slot == EMPTY) {
      return NO_IDS;
    }
    final int place = place(slot);
    final int[] ids = new int[row.intAt(place)];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = row.intAt(place + (1 + i) * Integer.BYTES);
    }
    return ids;
  }

  @Override
  public int compare(StoredRow left, StoredRow right) {
    final int[] leftIds = (int[]) read(left);
    final int[] rightIds = (int[]) read(right);
    if (leftIds == null || rightIds == null) {
      return Boolean.compare(leftIds != null, rightIds != null);
    }
    return indexer.compare(leftIds, rightIds);
  }

  @Override
  public DimensionOrder persistOrder() {
    return new ByRank(indexer.ranks());
  }

  @Override
  public long countedElsewhere(@Nullable Object value) {
    return value == null ? 0 : DirectStringIndexer.estimate((int[]) value);
  }

  /** Whether a slot refers to a list of ids. */
  public static boolean isList(int slot) {
    return slot <= LIST;
  }

  /** Number of ids of a row with this slot. */
  public static int size(int slot, StoredRow row) {
    return slot >= 0 ? 1 : isList(slot) ? row.intAt(place(slot)) : 0;
  }

  /** Id at a position in the list of a row with this slot. */
  public static int id(int slot, int index, StoredRow row) {
    return slot >= 0 ? slot : row.intAt(place(slot) + (1 + index) * Integer.BYTES);
  }

  private static int place(int slot) {
    return (LIST - slot) * Integer.BYTES;
  }

  /** Id of null. The first empty array adds null to the dictionary. */
  private int nullId() {
    if (nullId == StoredRow.ABSENT) {
      nullId = indexer.encode(null)[0];
    }
    return nullId;
  }

  /** Order by the ranks of ids, which equals the indexer's order by strings. */
  private final class ByRank implements DimensionOrder {
    private final int[] ranks;

    ByRank(int[] ranks) {
      this.ranks = ranks;
    }

    @Override
    public int compare(StoredRow left, StoredRow right) {
      final int leftSlot = left.intSlot(index());
      final int rightSlot = right.intSlot(index());
      if (leftSlot >= 0 && rightSlot >= 0) {
        return Integer.compare(ranks[leftSlot], ranks[rightSlot]);
      }
      if (leftSlot == StoredRow.ABSENT || rightSlot == StoredRow.ABSENT) {
        return Boolean.compare(leftSlot != StoredRow.ABSENT, rightSlot != StoredRow.ABSENT);
      }
      return compareLists((int[]) read(left), (int[]) read(right));
    }

    private int compareLists(int[] left, int[] right) {
      if (left.length + right.length == 1) {
        final int single = left.length == 1 ? left[0] : right[0];
        return single == nullId ? 0 : Integer.compare(left.length, right.length);
      }
      for (int i = 0; i < Math.min(left.length, right.length); i++) {
        if (left[i] != right[i]) {
          return Integer.compare(ranks[left[i]], ranks[right[i]]);
        }
      }
      return Integer.compare(left.length, right.length);
    }

    @Override
    public int prefixBits() {
      return Integer.SIZE - Integer.numberOfLeadingZeros(ranks.length);
    }

    /** Rank of the first id plus one. An empty array gets the key of null, or a lower one. */
    @Override
    public long prefix(StoredRow row) {
      final int slot = row.intSlot(index());
      if (slot == StoredRow.ABSENT) {
        return 0;
      }
      if (slot == EMPTY) {
        return 1;
      }
      return 1L + ranks[slot >= 0 ? slot : row.intAt(place(slot) + Integer.BYTES)];
    }

    @Override
    public boolean isPrefixExact() {
      return !hasLists;
    }
  }
}
