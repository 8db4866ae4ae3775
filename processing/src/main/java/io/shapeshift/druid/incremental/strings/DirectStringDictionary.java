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
 * The different strings of a dimension, and null if it has been among them, numbered in the order in which they came:
 * what Druid's {@code DimensionDictionary} is, in direct memory.
 *
 * <p>One thread adds. Any number of others read strings meanwhile without a lock, and find the id of a string with one,
 * for which the table must not grow. All are between {@code Readers#enter} and {@code Readers#exit}, except where
 * nothing is said to be read.
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

  /** How many there are. Reads no direct memory. */
  int size() {
    return size;
  }

  /** The id of null, or {@link #ABSENT}. Reads no direct memory. */
  int nullId() {
    return nullId;
  }

  /** The id of null, which is there from now on. Reads no direct memory. */
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
   * The id of a string, which is there from now on.
   *
   * @throws DruidException if there is no memory for it; the dictionary is as it was then
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
    // Who finds the address in the table finds the string there.
    VarHandle.releaseFence();
    table.put(hash, address);
    size = id + 1;
    return id;
  }

  /** The id of a string or of null, or {@link #ABSENT}; for any thread. */
  int find(@Nullable String text) {
    if (text == null) {
      return nullId;
    }
    // What is added from now on may be in the table already, but is not yet to be read.
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
        // As addNew() has written it: first the string, then the entry.
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
   * The string of an id, or null.
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

  /** All ids by their strings, null first; of those that are there now. */
  int[] sort() {
    final int known = size;
    final int ofNull = nullId;
    return new TextOrder(texts, addresses, known, ofNull < known ? ofNull : ABSENT).sort();
  }

  /** Spreads what the JVM has as hash, of which short strings have few different bits. */
  private static int hash(String text) {
    return (int) (HashTable.mix(text.hashCode()) >>> Integer.SIZE);
  }
}
