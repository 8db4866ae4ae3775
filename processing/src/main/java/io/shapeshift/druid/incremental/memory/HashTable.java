// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.memory;

import java.nio.ByteBuffer;
import org.apache.druid.error.DruidException;

/**
 * Open-addressing hash table in direct memory, with linear probing. It finds the row for roll-up, or a string of a
 * dictionary. An entry is a long: the hash in the upper half, and the row number or the address of the string, plus
 * one, in the lower half. Because the entry has the hash, the table is resized without reading rows, and a probe rarely
 * compares a row that does not match. The table grows by half when three quarters of its places are occupied; then half
 * of them are occupied.
 *
 * <p>One thread adds. Other threads search while the table does not grow.
 */
public final class HashTable {
  /** Entry of a free place, which ends a search. */
  public static final int NONE = 0;
  /** Maximum number of entries. */
  public static final int MOST = 90_000_000;
  private static final int MAX_PLACES = MOST / 3 * 4;

  private final DirectMemory memory;
  private final int firstPlaces;
  private ByteBuffer entries;
  private int places;
  private int used;

  /**
   * Creates an empty table, which allocates nothing before the first entry.
   *
   * @param firstPlaces number of places of the first allocation
   */
  public HashTable(DirectMemory memory, int firstPlaces) {
    this.memory = memory;
    this.firstPlaces = firstPlaces;
  }

  /** First place to probe for a hash. The table must not be empty. */
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

  /** Entry at a place; {@link #NONE} ends a search. */
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

  /** Whether the table is below its limit of entries. */
  public boolean hasSpace() {
    return used < MOST;
  }

  /** Whether the table grows before the next entry. */
  public boolean isFull() {
    return entries == null || used >= places / 4 * 3;
  }

  /**
   * Allocates space for one more entry.
   *
   * @throws DruidException if there is no memory for it; the table is then unchanged
   */
  public void reserve() {
    if (entries == null) {
      entries = memory.allocate(firstPlaces << 3);
      places = firstPlaces;
    } else if (isFull()) {
      grow();
    }
  }

  /** Adds an entry for a hash and a number other than -1. Space for it must be {@link #reserve}d. */
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
