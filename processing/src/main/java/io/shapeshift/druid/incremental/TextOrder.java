// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrays;

/**
 * Sorts the strings of a dictionary, none of which is there twice, by a few chars at a time: by radix, and again those
 * that have these in common by the next ones. Few are compared with each other.
 */
final class TextOrder {
  /** So many strings are compared with each other. */
  private static final int FEW = 24;

  private final Texts texts;
  private final int[] places;
  private final int[] order;
  /** Of each id, the chars that are sorted by just now. */
  private final long[] blocks;
  private final IntArrayList todo = new IntArrayList();
  private final int nullId;

  /** To sort the ids below a number, of which one may be that of null. */
  TextOrder(Texts texts, Addresses addresses, int size, int nullId) {
    this.texts = texts;
    this.nullId = nullId;
    this.places = new int[size];
    this.order = new int[size];
    this.blocks = new long[size];
    int last = size;
    for (int id = size - 1; id >= 0; id--) {
      if (id != nullId) {
        places[id] = addresses.get(id);
        order[--last] = id;
      }
    }
  }

  /** The ids in the order of their strings, null first. */
  int[] sort() {
    int first = 0;
    if (nullId >= 0) {
      order[0] = nullId;
      first = 1;
    }
    put(first, order.length, 0);
    while (!todo.isEmpty()) {
      int chars = todo.popInt();
      int to = todo.popInt();
      int from = todo.popInt();
      sort(from, to, chars);
    }
    return order;
  }

  /** Puts some by, of which so many chars are the same: as a list, for strings may have much in common. */
  private void put(int from, int to, int chars) {
    todo.push(from);
    todo.push(to);
    todo.push(chars);
  }

  private void sort(int from, int to, int chars) {
    if (to - from <= FEW) {
      IntArrays.mergeSort(order, from, to, (left, right) -> texts.compare(places[left], places[right], chars));
      return;
    }
    for (int i = from; i < to; i++) {
      // Sorted as numbers with a sign.
      blocks[order[i]] = texts.block(places[order[i]], chars) ^ Long.MIN_VALUE;
    }
    LongArrays.radixSortIndirect(order, blocks, from, to, false);
    int start = from;
    for (int end = from + 1; end <= to; end++) {
      if (end == to || blocks[order[end]] != blocks[order[start]]) {
        if (end - start > 1) {
          sortTies(start, end, chars + Texts.BLOCK);
        }
        start = end;
      }
    }
  }

  /**
   * Sorts some that have the same block. Those that ended in it are beginnings of it, with fewer zeros than others, and
   * come first, the shorter before the longer.
   */
  private void sortTies(int from, int to, int chars) {
    int longer = from;
    for (int i = from; i < to; i++) {
      int id = order[i];
      if (texts.length(places[id]) <= chars) {
        order[i] = order[longer];
        order[longer++] = id;
      }
    }
    IntArrays.mergeSort(
        order,
        from,
        longer,
        (left, right) -> Integer.compare(texts.length(places[left]), texts.length(places[right]))
    );
    if (to - longer > 1) {
      put(longer, to, chars);
    }
  }
}
