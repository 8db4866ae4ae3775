// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.form.strings.TextPart;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import javax.annotation.Nullable;

/** Reader of a {@link TextIndex}. Not thread-safe. */
final class TextIndexReader {
  /** Bits of a list that take as long to read as a group takes to search. */
  private static final long BITS_PER_GROUP = 256;
  /** Part of the time of the search that reading lists in vain may take: one in so many. */
  private static final int MOST_WASTED = 8;

  private final GroupLists lists;
  private final Trigrams trigrams;

  TextIndexReader(TextIndex index) {
    this.lists = index.lists();
    this.trigrams = new Trigrams(index.logSlots());
  }

  /**
   * Returns the part with the shortest list; the longest of several.
   *
   * @param parts at least one
   * @throws io.shapeshift.druid.column.ColumnFormatException if lists are damaged
   */
  TextPart rarest(List<TextPart> parts) {
    return parts.size() == 1
           ? parts.get(0)
           : Collections.min(parts, Comparator.comparingLong(this::shortestList).thenComparing(TextPart.LONGEST_FIRST));
  }

  private long shortestList(TextPart part) {
    final long[] slots = slots(List.of(part));
    return slots.length == 0 ? Long.MAX_VALUE : slots[0] >>> Integer.SIZE;
  }

  /** Returns the slots with lists, the shortest list first, and above each slot the size of its list in bits. */
  private long[] slots(List<TextPart> parts) {
    trigrams.clear();
    for (TextPart part : parts) {
      final byte[] bytes = part.utf8();
      trigrams.add(bytes, 0, bytes.length);
    }
    return Arrays.stream(trigrams.slots(), 0, trigrams.count())
        .mapToLong(slot -> lists.size(slot) << Integer.SIZE | slot)
        .filter(slot -> slot >= 0)
        .sorted()
        .toArray();
  }

  /**
   * Returns the groups that may have a text with all of some parts; null if the index excludes none.
   *
   * @throws io.shapeshift.druid.column.ColumnFormatException if lists are damaged
   */
  @Nullable
  BitSet find(List<TextPart> parts) {
    // The shortest lists come first, because they may suffice.
    final long[] slots = slots(parts);
    if (slots.length == 0) {
      return null;
    }
    final BitSet groups = lists.groups((int) slots[0]);
    int left = groups.cardinality();
    // Bits read beyond those that the groups excluded by them have paid for.
    long wasted = 0;
    for (int i = 1; i < slots.length; i++) {
      final long bits = slots[i] >>> Integer.SIZE;
      if (wasted + bits > left * BITS_PER_GROUP / MOST_WASTED) {
        break;
      }
      groups.and(lists.groups((int) slots[i]));
      final int before = left;
      left = groups.cardinality();
      wasted = Math.max(0, wasted + bits - (before - left) * BITS_PER_GROUP);
    }
    return groups;
  }
}
