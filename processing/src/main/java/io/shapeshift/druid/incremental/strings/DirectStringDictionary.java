// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.strings;

import io.shapeshift.druid.incremental.memory.Addresses;
import io.shapeshift.druid.incremental.memory.DirectMemory;
import io.shapeshift.druid.incremental.memory.HashTable;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.StampedLock;
import javax.annotation.Nullable;
import org.apache.druid.error.DruidException;

/**
 * Dictionary of a dimension in direct memory, like Druid's {@code DimensionDictionary} on the heap. Strings, and null
 * if it occurs, are numbered in the order in which they are added.
 *
 * <p>One thread adds. Other threads read strings without a lock, and look up ids under a read lock, since the hash
 * table must not grow meanwhile. All threads are between {@code Readers#enter} and {@code Readers#exit}, except for
 * methods that read no direct memory.
 */
public final class DirectStringDictionary {
  static final int ABSENT = -1;
  private static final int FIRST_PLACES = 1 << 7;

  private final Texts texts;
  private final Addresses addresses;
  private final HashTable table;
  private final StampedLock growth = new StampedLock();
  private volatile int nullId = ABSENT;
  private volatile int size;

  public DirectStringDictionary(DirectMemory memory, Texts texts) {
    this.texts = texts;
    this.addresses = new Addresses(memory);
    this.table = new HashTable(memory, FIRST_PLACES);
  }

  /** Number of ids. Reads no direct memory. */
  int size() {
    return size;
  }

  /** Id of null, or {@link #ABSENT}. Reads no direct memory. */
  int nullId() {
    return nullId;
  }

  /** Id of null, which is added if it is new. Reads no direct memory. */
  int addNull() {
    if (nullId == ABSENT) {
      final int id = size;
      addresses.reserve(id);
      nullId = id;
      size = id + 1;
    }
    return nullId;
  }

  /**
   * Id of a string, which is added if it is new.
   *
   * @throws DruidException if there is no memory for the string; the dictionary is then unchanged
   */
  int add(String text) {
    final int hash = hash(text);
    final int known = search(hash, text, size);
    return known == ABSENT ? addNew(hash, text) : known;
  }

  private int addNew(int hash, String text) {
    final int id = size;
    addresses.reserve(id);
    if (table.isFull()) {
      final long stamp = growth.writeLock();
      try {
        table.reserve();
      } finally {
        growth.unlockWrite(stamp);
      }
    }
    final int address = texts.reserve(text);
    texts.write(address, id, text);
    addresses.set(id, address);
    // A reader that finds the address in the table must also find the string at that address.
    VarHandle.releaseFence();
    table.put(hash, address);
    size = id + 1;
    return id;
  }

  /** Id of a string or of null, or {@link #ABSENT}. For any thread. */
  int find(@Nullable String text) {
    if (text == null) {
      return nullId;
    }
    // Strings added from now on may be in the table already, but must not be returned.
    final int known = size;
    final long stamp = growth.readLock();
    try {
      return search(hash(text), text, known);
    } finally {
      growth.unlockRead(stamp);
    }
  }

  private int search(int hash, String text, int known) {
    if (table.isEmpty()) {
      return ABSENT;
    }
    for (int place = table.first(hash);; place = table.next(place)) {
      final long entry = table.entry(place);
      if (entry == HashTable.NONE) {
        return ABSENT;
      }
      if (HashTable.hash(entry) == hash) {
        // The counterpart of addNew(), which writes first the string, then the entry.
        VarHandle.acquireFence();
        final int address = HashTable.number(entry);
        if (texts.isSame(address, text)) {
          final int id = texts.id(address);
          return id < known ? id : ABSENT;
        }
      }
    }
  }

  /**
   * String of an id, or null.
   *
   * @throws IndexOutOfBoundsException if there is no such id
   */
  @Nullable
  String get(int id) {
    if (id < 0 || id >= size) {
      throw new IndexOutOfBoundsException("There are [" + size + "] strings, and no id [" + id + "]");
    }
    return id == nullId ? null : texts.read(addresses.get(id));
  }

  /** Compares the strings of two ids, null first. */
  int compare(int left, int right) {
    if (left == right) {
      return 0;
    }
    if (left == nullId || right == nullId) {
      return left == nullId ? -1 : 1;
    }
    return texts.compare(addresses.get(left), addresses.get(right), 0);
  }

  /** Sorts the current ids by their strings, null first. */
  int[] sort() {
    final int known = size;
    final int ofNull = nullId;
    return new TextOrder(texts, addresses, known, ofNull < known ? ofNull : ABSENT).sort();
  }

  /** Spreads the bits of the JVM's hash. Hashes of short strings differ in few bits. */
  private static int hash(String text) {
    return (int) (HashTable.mix(text.hashCode()) >>> Integer.SIZE);
  }
}
