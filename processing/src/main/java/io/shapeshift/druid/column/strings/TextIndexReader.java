// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import java.util.Arrays;
import java.util.BitSet;
import javax.annotation.Nullable;

/** Reader of a {@link TextIndex}. Not thread-safe. */
final class TextIndexReader {
  /** Groups that take no longer to search than a list takes to read. */
  private static final int FEW_GROUPS = 2;

  private final GroupLists lists;
  private final Trigrams trigrams;

  TextIndexReader(TextIndex index) {
    this.lists = index.lists();
    this.trigrams = new Trigrams(index.logSlots());
  }

  /**
   * Returns the groups that may have a text with a part; null if the index excludes none.
   *
   * @throws io.shapeshift.druid.column.ColumnFormatException if lists are damaged
   */
  @Nullable
  BitSet find(TextPart part) {
    final byte[] bytes = part.utf8();
    trigrams.clear();
    trigrams.add(bytes, 0, bytes.length);
    final long[] slots = Arrays.stream(trigrams.slots(), 0, trigrams.count())
        // The shortest lists come first, because they may suffice.
        .mapToLong(slot -> lists.size(slot) << Integer.SIZE | slot)
        .filter(slot -> slot >= 0)
        .sorted()
        .toArray();
    @Nullable BitSet groups = null;
    for (long slot : slots) {
      if (groups != null && groups.cardinality() <= FEW_GROUPS) {
        break;
      }
      final BitSet more = lists.groups((int) slot);
      if (groups == null) {
        groups = more;
      } else {
        groups.and(more);
      }
    }
    return groups;
  }
}
