// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import java.nio.ByteBuffer;
import org.apache.druid.error.DruidException;

/**
 * Finds what has a hash, a row that a new one is rolled up into or a string that is known: a hash table with linear
 * probing, in direct memory. An entry is a long, the hash in the upper half and the number of what has it plus one in
 * the lower, so that the table grows without a look at what it is about, and hardly ever that is looked at in vain.
 *
 * <p>For the thread that adds, and for others while nothing makes it grow.
 */
final class HashTable {
  /** A search found nothing. */
  static final int NONE = 0;
  /** What a table has at the most. */
  static final int MOST = (1 << 27) / 3 * 2;
  private static final int MAX_ENTRIES = 1 << 27;

  private final DirectMemory memory;
  private final int firstEntries;
  private ByteBuffer entries;
  private int mask;
  private int used;

  /**
   * A table that takes nothing until something is to be put into it.
   *
   * @param firstEntries places that it has then, a power of two
   */
  HashTable(DirectMemory memory, int firstEntries) {
    this.memory = memory;
    this.firstEntries = firstEntries;
  }

  /** Where the search for a hash begins; only if there is an entry in the table at all. */
  int first(int hash) {
    return hash & mask;
  }

  int next(int place) {
    return place + 1 & mask;
  }

  /** The entry at a place; {@link #NONE} ends a search. */
  long entry(int place) {
    return entries.getLong(place << 3);
  }

  static int hash(long entry) {
    return (int) (entry >>> Integer.SIZE);
  }

  static int number(long entry) {
    return (int) entry - 1;
  }

  boolean isEmpty() {
    return used == 0;
  }

  /** Whether one more can be {@link #put} at all. */
  boolean hasSpace() {
    return used < MOST;
  }

  /** Whether the table grows when one more is to be {@link #put}. At most two thirds of the places are taken. */
  boolean isFull() {
    return entries == null || used >= (mask + 1L) * 2 / 3;
  }

  /**
   * Sees to it that one more can be {@link #put}.
   *
   * @throws DruidException if there is no memory for it; the table is as it was then
   */
  void reserve() {
    if (entries == null) {
      entries = memory.allocate(firstEntries << 3);
      mask = firstEntries - 1;
    } else if (isFull()) {
      grow();
    }
  }

  void put(int hash, int number) {
    insert(entries, mask, (long) hash << Integer.SIZE | number + 1);
    used++;
  }

  private void grow() {
    int capacity = mask + 1;
    if (capacity == MAX_ENTRIES) {
      throw DruidException.forPersona(DruidException.Persona.OPERATOR)
          .ofCategory(DruidException.Category.CAPACITY_EXCEEDED)
          .build(
              "An index in memory has at most [%,d] rows with roll-up, or strings of a dimension: lower"
                  + " maxRowsInMemory",
              used
          );
    }
    ByteBuffer larger = memory.allocate(capacity << 4);
    int largerMask = 2 * capacity - 1;
    for (int i = 0; i < capacity; i++) {
      long entry = entry(i);
      if (entry != NONE) {
        insert(larger, largerMask, entry);
      }
    }
    memory.free(entries);
    entries = larger;
    mask = largerMask;
  }

  private static void insert(ByteBuffer entries, int mask, long entry) {
    int place = hash(entry) & mask;
    while (entries.getLong(place << 3) != NONE) {
      place = place + 1 & mask;
    }
    entries.putLong(place << 3, entry);
  }
}
