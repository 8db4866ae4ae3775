// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import java.nio.ByteBuffer;
import org.apache.druid.error.DruidException;

/**
 * Finds the row that a new one is rolled up into: a hash table with linear probing, in direct memory. An entry is a
 * long, the hash of a row in the upper half and its number plus one in the lower, so that the table grows without a
 * look at the rows, and hardly ever a row is looked at in vain. Only the thread that adds rows knows it.
 */
final class RollUpTable {
  private static final int FIRST_ENTRIES = 1 << 10;
  private static final int MAX_ENTRIES = 1 << 27;

  private final DirectMemory memory;
  private ByteBuffer entries;
  private int mask;
  private int used;

  RollUpTable(DirectMemory memory) {
    this.memory = memory;
  }

  /** Where the search for a hash begins; only if there is an entry in the table at all. */
  int first(int hash) {
    return hash & mask;
  }

  int next(int place) {
    return place + 1 & mask;
  }

  /** The entry at a place; 0 is none, and ends a search. */
  long entry(int place) {
    return entries.getLong(place << 3);
  }

  static int hash(long entry) {
    return (int) (entry >>> Integer.SIZE);
  }

  static int row(long entry) {
    return (int) entry - 1;
  }

  boolean isEmpty() {
    return used == 0;
  }

  /** Whether one more row can be {@link #put} at all. */
  boolean hasSpace() {
    return used < MAX_ENTRIES / 3 * 2;
  }

  /**
   * Sees to it that one more row can be {@link #put}. At most two thirds of the places are taken.
   *
   * @throws DruidException if there is no memory for it; the table is as it was then
   */
  void reserve() {
    if (entries == null) {
      entries = memory.allocate(FIRST_ENTRIES << 3);
      mask = FIRST_ENTRIES - 1;
    } else if (used >= (mask + 1L) * 2 / 3) {
      grow();
    }
  }

  void put(int hash, int row) {
    insert(entries, mask, (long) hash << Integer.SIZE | row + 1);
    used++;
  }

  private void grow() {
    int capacity = mask + 1;
    if (capacity == MAX_ENTRIES) {
      throw DruidException.forPersona(DruidException.Persona.OPERATOR)
          .ofCategory(DruidException.Category.CAPACITY_EXCEEDED)
          .build("An index in memory has at most [%,d] rows with roll-up: lower maxRowsInMemory", used);
    }
    ByteBuffer larger = memory.allocate(capacity << 4);
    int largerMask = 2 * capacity - 1;
    for (int i = 0; i < capacity; i++) {
      long entry = entry(i);
      if (entry != 0) {
        insert(larger, largerMask, entry);
      }
    }
    memory.free(entries);
    entries = larger;
    mask = largerMask;
  }

  private static void insert(ByteBuffer entries, int mask, long entry) {
    int place = hash(entry) & mask;
    while (entries.getLong(place << 3) != 0) {
      place = place + 1 & mask;
    }
    entries.putLong(place << 3, entry);
  }
}
