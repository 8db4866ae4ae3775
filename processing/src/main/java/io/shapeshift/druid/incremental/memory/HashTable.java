// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.memory;

import java.nio.ByteBuffer;
import org.apache.druid.error.DruidException;

/**
 * Finds what has a hash, a row that a new one is rolled up into or a string that is known: a hash table with linear
 * probing, in direct memory. An entry is a long, the hash in the upper half and in the lower the number of a row, or
 * the address of a string, plus one; so the table grows without a look at what it is about, and hardly ever that is
 * looked at in vain. It grows by half when three quarters of its places are taken, and so has half of them taken at the
 * least then.
 *
 * <p>For the thread that adds, and for others while nothing makes it grow.
 */
public final class HashTable {
  /** A search found nothing. */
  public static final int NONE = 0;
  /** What a table has at the most. */
  public static final int MOST = 90_000_000;
  private static final int MAX_PLACES = MOST / 3 * 4;

  private final DirectMemory memory;
  private final int firstPlaces;
  private ByteBuffer entries;
  private int places;
  private int used;

  /**
   * A table that takes nothing until something is to be put into it.
   *
   * @param firstPlaces places that it has then
   */
  public HashTable(DirectMemory memory, int firstPlaces) {
    this.memory = memory;
    this.firstPlaces = firstPlaces;
  }

  /** Where the search for a hash begins; only if there is an entry in the table at all. */
  public int first(int hash) {
    return first(hash, places);
  }

  private static int first(int hash, int places) {
    // The hash as a fraction of one, without a division.
    return (int) ((Integer.toUnsignedLong(hash) * places) >>> Integer.SIZE);
  }

  public int next(int place) {
    return next(place, places);
  }

  private static int next(int place, int places) {
    return place + 1 == places ? 0 : place + 1;
  }

  /** The entry at a place; {@link #NONE} ends a search. */
  public long entry(int place) {
    return entries.getLong(place << 3);
  }

  /** Spreads the bits of a value over a long, so that the upper half of the long is a hash. */
  public static long mix(long value) {
    final long mixed = (value ^ value >>> 32) * 0x9E3779B97F4A7C15L;
    return mixed ^ mixed >>> 29;
  }

  public static int hash(long entry) {
    return (int) (entry >>> Integer.SIZE);
  }

  public static int number(long entry) {
    return (int) entry - 1;
  }

  public boolean isEmpty() {
    return used == 0;
  }

  /** Whether one more can be {@link #put} at all. */
  public boolean hasSpace() {
    return used < MOST;
  }

  /** Whether the table grows when one more is to be {@link #put}. */
  public boolean isFull() {
    return entries == null || used >= places / 4 * 3;
  }

  /**
   * Sees to it that one more can be {@link #put}.
   *
   * @throws DruidException if there is no memory for it; the table is as it was then
   */
  public void reserve() {
    if (entries == null) {
      entries = memory.allocate(firstPlaces << 3);
      places = firstPlaces;
    } else if (isFull()) {
      grow();
    }
  }

  /** Puts what has a hash into the table, by any number but -1. */
  public void put(int hash, int number) {
    insert(entries, places, (long) hash << Integer.SIZE | Integer.toUnsignedLong(number + 1));
    used++;
  }

  private void grow() {
    if (places == MAX_PLACES) {
      throw DruidException.forPersona(DruidException.Persona.OPERATOR)
          .ofCategory(DruidException.Category.CAPACITY_EXCEEDED)
          .build(
              "An index in memory has at most [%,d] rows with roll-up, or strings of a dimension: lower"
                  + " maxRowsInMemory",
              used
          );
    }
    final int morePlaces = Math.min(MAX_PLACES, places + places / 2);
    final ByteBuffer larger = memory.allocate(morePlaces << 3);
    for (int i = 0; i < places; i++) {
      final long entry = entry(i);
      if (entry != NONE) {
        insert(larger, morePlaces, entry);
      }
    }
    memory.free(entries);
    entries = larger;
    places = morePlaces;
  }

  private static void insert(ByteBuffer entries, int places, long entry) {
    int place = first(hash(entry), places);
    while (entries.getLong(place << 3) != NONE) {
      place = next(place, places);
    }
    entries.putLong(place << 3, entry);
  }
}
