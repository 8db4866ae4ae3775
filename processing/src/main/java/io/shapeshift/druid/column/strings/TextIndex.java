// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.column.ColumnFormatException;
import java.nio.ByteBuffer;

/**
 * Index of a dictionary that finds the texts with a part: for each slot of {@linkplain Trigrams trigrams} the groups of
 * texts that have one of them. A group is a power of two of neighbouring texts, which may be fewer than those of a
 * bucket. A search reads the lists of the slots of its part, and then only the texts of the buckets with groups that
 * all lists have. Thread-safe; a {@link #reader} is for one thread.
 *
 * <pre>
 * | bytes | field                                                                            |
 * |-------|----------------------------------------------------------------------------------|
 * | 1     | logGroup: base 2 logarithm of the texts in each group except the last, 0 to 30   |
 * | 1     | logSlots: base 2 logarithm of the number of slots, 8 to 16                       |
 * | any   | {@link GroupLists}: the groups of each slot. A slot may be frequent: it has no   |
 * |       | list, because the list would exclude few groups                                  |
 * </pre>
 * The slot of a trigram is the highest logSlots bits of its bytes, as a big-endian number of 24 bits, times 0x9E3779B1,
 * modulo 2^32.
 *
 * <p>The bytes are read when the dictionary is opened, except for the lists.
 */
public final class TextIndex {
  /** Least bytes of all texts of a dictionary with an index: fewer are searched as fast without one. */
  public static final int LEAST_BYTES_OF_TEXTS = 1 << 14;
  /** Least and greatest logarithm of the number of slots. */
  static final int LEAST_LOG_SLOTS = 8;
  static final int MOST_LOG_SLOTS = 16;

  static final int FIXED_BYTES = 2;
  private static final int MOST_LOG_GROUP = 30;

  private final String column;
  private final int logGroup;
  private final int logSlots;
  private final int numTexts;
  private final GroupLists lists;
  private final int size;

  private TextIndex(String column, int logGroup, int logSlots, int numTexts, GroupLists lists, int size) {
    this.column = column;
    this.logGroup = logGroup;
    this.logSlots = logSlots;
    this.numTexts = numTexts;
    this.lists = lists;
    this.size = size;
  }

  /**
   * Reads an index.
   *
   * @param column     name of the column, for messages
   * @param bytes      exactly the bytes of the index
   * @param numTexts number of texts of the dictionary
   * @throws ColumnFormatException if the fields contradict each other, the buffer, or the number of texts
   */
  static TextIndex read(String column, ByteBuffer bytes, int numTexts) {
    final ByteBuffer in = bytes.slice();
    if (in.limit() < FIXED_BYTES) {
      throw ColumnFormatException.damaged(
          column, "there are " + in.limit() + " bytes of the text index of its dictionary, expected more");
    }
    final int logGroup = check(column, "logGroup", 0, in.get(), 0, MOST_LOG_GROUP);
    final int logSlots = check(column, "logSlots", 1, in.get(), LEAST_LOG_SLOTS, MOST_LOG_SLOTS);
    final GroupLists lists = GroupLists.read(column, in, 1 << logSlots, numGroups(numTexts, logGroup));
    return new TextIndex(column, logGroup, logSlots, numTexts, lists, in.limit());
  }

  private static int check(String column, String field, int offset, int found, int least, int most) {
    if (found < least || found > most) {
      throw ColumnFormatException.damaged(column, field + " at offset " + offset
          + " of the text index of its dictionary is " + found + ", expected " + least + " to " + most);
    }
    return found;
  }

  /** Returns the number of groups of texts. */
  static int numGroups(int numTexts, int logGroup) {
    return (int) (((long) numTexts + (1L << logGroup) - 1) >>> logGroup);
  }

  /** Creates a reader for one thread. */
  TextIndexReader reader() {
    return new TextIndexReader(this);
  }

  /** Returns the size of the index in bytes. */
  public int sizeInBytes() {
    return size;
  }

  /** Returns the number of groups of texts. */
  public int numGroups() {
    return lists.numGroups();
  }

  /** Returns the first text of a group; for the number of groups, the number of texts. */
  int firstText(int group) {
    return (int) Math.min(numTexts, (long) group << logGroup);
  }

  int logSlots() {
    return logSlots;
  }

  /** Returns the number of slots of trigrams. */
  public int numSlots() {
    return 1 << logSlots;
  }

  /** Returns the groups of each slot. */
  GroupLists lists() {
    return lists;
  }

  /** Creates the exception for an index that contradicts the texts. */
  ColumnFormatException damaged(String found) {
    return ColumnFormatException.damaged(column, "the text index of its dictionary: " + found);
  }
}
