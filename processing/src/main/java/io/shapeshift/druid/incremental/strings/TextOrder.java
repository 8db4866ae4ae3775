// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.strings;

import io.shapeshift.druid.incremental.memory.Addresses;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;

/**
 * Sorts the strings of a dictionary, none of which is there twice. What all have in common is skipped, and the chars
 * behind it are packed into a long for each string, with its place in the lower bits; the longs are sorted. Those that
 * have these chars in common, too, are sorted again by the next ones, and few are compared with each other.
 */
final class TextOrder {
  /** So many strings are compared with each other: the library sorts these where they are, and copies more. */
  private static final int FEW = 15;

  private final Texts texts;
  private final int[] addresses;
  private final int[] order;
  private final int[] unordered;
  private final long[] keys;
  /** What is to be sorted yet: from, to, and how many chars are the same. A list, as that may go on for long. */
  private final IntArrayList todo = new IntArrayList();
  private final int nullId;

  /** To sort the ids below a number, of which one may be that of null. */
  TextOrder(Texts texts, Addresses addresses, int size, int nullId) {
    this.texts = texts;
    this.nullId = nullId;
    this.addresses = new int[size];
    this.order = new int[size];
    this.unordered = new int[size];
    this.keys = new long[size];
    int last = size;
    for (int id = size - 1; id >= 0; id--) {
      if (id != nullId) {
        this.addresses[id] = addresses.get(id);
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
      final int same = todo.popInt();
      final int to = todo.popInt();
      final int from = todo.popInt();
      if (to - from <= FEW) {
        IntArrays.mergeSort(order, from, to, (a, b) -> texts.compare(addresses[a], addresses[b], same));
      } else {
        sort(from, to, same);
      }
    }
    return order;
  }

  private void put(int from, int to, int same) {
    todo.push(from);
    todo.push(to);
    todo.push(same);
  }

  private void sort(int from, int to, int known) {
    int same = Integer.MAX_VALUE;
    boolean isWide = false;
    for (int i = from; i < to; i++) {
      same = texts.common(addresses[order[from]], addresses[order[i]], known, same);
      isWide |= texts.isWide(addresses[order[i]]);
    }
    final int count = to - from;
    final int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    final int charBits = isWide ? Character.SIZE : Byte.SIZE;
    // The sign is left out.
    final int chars = (Long.SIZE - 1 - placeBits) / charBits;
    System.arraycopy(order, from, unordered, 0, count);
    for (int i = 0; i < count; i++) {
      keys[i] = texts.block(addresses[unordered[i]], same, chars, charBits) << placeBits | i;
    }
    Arrays.sort(keys, 0, count);
    for (int i = 0; i < count; i++) {
      order[from + i] = unordered[(int) keys[i] & (1 << placeBits) - 1];
    }
    int start = 0;
    for (int end = 1; end <= count; end++) {
      if (end == count || keys[end] >>> placeBits != keys[start] >>> placeBits) {
        if (end - start > 1) {
          sortTies(from + start, from + end, same + chars);
        }
        start = end;
      }
    }
  }

  /**
   * Sorts some that have the same chars up to a place. Those that ended before it are beginnings of what others have
   * there, with fewer zeros, and come first, the shorter before the longer.
   */
  private void sortTies(int from, int to, int same) {
    int longer = from;
    for (int i = from; i < to; i++) {
      final int id = order[i];
      if (texts.length(addresses[id]) <= same) {
        order[i] = order[longer];
        order[longer++] = id;
      }
    }
    IntArrays.mergeSort(
        order,
        from,
        longer,
        (a, b) -> Integer.compare(texts.length(addresses[a]), texts.length(addresses[b]))
    );
    if (to - longer > 1) {
      put(longer, to, same);
    }
  }
}
