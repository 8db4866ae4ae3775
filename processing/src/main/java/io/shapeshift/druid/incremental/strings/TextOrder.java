// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.strings;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.incremental.memory.Addresses;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;

/**
 * Multikey sort of the distinct strings of a dictionary. The common prefix of a range is skipped. The next chars of
 * each string are packed into the upper bits of a long, its place into the lower bits, and the longs are sorted.
 * Strings that agree in these chars are sorted again by the next ones; only short ranges are sorted by comparing
 * strings.
 */
final class TextOrder {
  private final Texts texts;
  private final int[] addresses;
  private final int[] order;
  private final int[] unordered;
  private final long[] keys;
  /**
   * Ranges that remain to be sorted: from, to, and the length of the common prefix. They are kept in a list, because
   * recursion might go deep.
   */
  private final IntArrayList todo = new IntArrayList();
  private final int nullId;

  /** Prepares to sort the ids below {@code size}, one of which may be that of null. */
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

  /** Sorts ids by their strings, null first. */
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
      if (to - from <= CostModel.Ingestion.FEW_TEXTS) {
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
    // One bit fewer than a long has, so that no key is negative.
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
   * Sorts strings that agree in their first chars. Strings that end within these chars are prefixes of others that
   * continue with chars of value 0; they come first, the shorter before the longer.
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
