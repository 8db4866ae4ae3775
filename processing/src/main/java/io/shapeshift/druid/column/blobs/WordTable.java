// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import java.util.Arrays;
import java.util.BitSet;

/** Hash table of words with the number of their occurrences, and later their ids. Not thread-safe. */
final class WordTable {
  private static final int LEAST_SLOTS = 1 << 10;

  private long[] words = new long[LEAST_SLOTS];
  /** Occurrences of each word; 0 for empty slots. */
  private int[] counts = new int[LEAST_SLOTS];
  private int size;
  /** Slots of the words that get an id. */
  private BitSet kept = new BitSet();
  /** Id of the word in each slot; only after {@link #sort}. */
  private int[] ids = new int[0];

  /** Counts an occurrence of a word. */
  void add(long word) {
    final int slot = slot(word);
    if (counts[slot] == 0) {
      words[slot] = word;
      size++;
    }
    if (counts[slot] < Integer.MAX_VALUE) {
      counts[slot]++;
    }
    if (2 * size > words.length) {
      grow();
    }
  }

  /** Returns the slot of a word, or the empty slot where it would be added. */
  int slot(long word) {
    int slot = (int) Words.mix(word) & words.length - 1;
    while (counts[slot] != 0 && words[slot] != word) {
      slot = slot + 1 & words.length - 1;
    }
    return slot;
  }

  private void grow() {
    final long[] oldWords = words;
    final int[] oldCounts = counts;
    words = new long[2 * oldWords.length];
    counts = new int[2 * oldWords.length];
    for (int i = 0; i < oldWords.length; i++) {
      if (oldCounts[i] != 0) {
        final int slot = slot(oldWords[i]);
        words[slot] = oldWords[i];
        counts[slot] = oldCounts[i];
      }
    }
  }

  /** Returns the number of distinct words. */
  int size() {
    return size;
  }

  /** Returns the number of occurrences of the word in a slot. */
  int count(int slot) {
    return counts[slot];
  }

  /** Marks the word in a slot for {@link #sort}. */
  void keep(int slot) {
    kept.set(slot);
  }

  /** Returns the marked words, in unsigned order, and numbers them; no word can be added afterwards. */
  long[] sort() {
    final long[] sorted = kept.stream().mapToLong(slot -> words[slot] ^ Long.MIN_VALUE).toArray();
    Arrays.sort(sorted);
    ids = new int[words.length];
    for (int id = 0; id < sorted.length; id++) {
      sorted[id] ^= Long.MIN_VALUE;
      ids[slot(sorted[id])] = id;
    }
    return sorted;
  }

  /** Frees the memory, because what is encoded lives on; nothing can be looked up afterwards. */
  void release() {
    words = new long[0];
    counts = new int[0];
    ids = new int[0];
    kept = new BitSet();
  }

  /** Returns the id of a marked word. */
  int id(long word) {
    return ids[slot(word)];
  }
}
