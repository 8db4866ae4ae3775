// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.column.postings.PostingListsReader;
import io.shapeshift.druid.rows.RowSet;
import java.util.Arrays;
import java.util.BitSet;
import javax.annotation.Nullable;

/** Reader of a {@link TextIndex}. Not thread-safe. */
final class TextIndexReader {
  /** Groups that take no longer to search than a list takes to read. */
  private static final int FEW_GROUPS = 2;

  private final TextIndex index;
  private final PostingListsReader lists;
  private final Trigrams trigrams;

  TextIndexReader(TextIndex index) {
    this.index = index;
    this.lists = index.lists().reader();
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
        .filter(slot -> !index.isFrequent(slot))
        // The shortest lists come first, because they may suffice.
        .mapToLong(slot -> lists.bytes(slot, slot + 1) << Integer.SIZE | slot)
        .sorted()
        .toArray();
    @Nullable BitSet groups = null;
    for (long slot : slots) {
      if (groups != null && groups.cardinality() <= FEW_GROUPS) {
        break;
      }
      final BitSet more = groups((int) slot);
      if (groups == null) {
        groups = more;
      } else {
        groups.and(more);
      }
    }
    return groups;
  }

  /** Returns the groups of a slot. */
  BitSet groups(int slot) {
    final RowSet rows = new RowSet(index.numGroups());
    lists.read(slot, slot + 1, rows);
    return BitSet.valueOf(rows.bits());
  }
}
