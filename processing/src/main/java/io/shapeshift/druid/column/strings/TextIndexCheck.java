// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.column.postings.Inversion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import javax.annotation.Nullable;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Check of a {@link TextIndex} against the texts. */
public final class TextIndexCheck {
  private final StringDictionaryReader texts;
  private final TextIndex index;
  private final GroupLists lists;
  private final Trigrams trigrams;
  private int group;

  private TextIndexCheck(StringDictionaryReader texts, TextIndex index) {
    this.texts = texts;
    this.index = index;
    this.lists = index.lists();
    this.trigrams = new Trigrams(index.logSlots());
  }

  /**
   * Checks that each slot that is not frequent has exactly the groups with one of its trigrams. It does nothing if the
   * dictionary has no index.
   *
   * @param medium temporarily keeps the slots of all groups
   * @throws io.shapeshift.druid.column.ColumnFormatException if the index contradicts the texts, or cannot be read
   */
  public static void check(StringDictionary dictionary, SegmentWriteOutMedium medium) throws IOException {
    @Nullable final TextIndex index = dictionary.textIndex();
    if (index != null) {
      new TextIndexCheck(dictionary.texts(), index).run(medium);
    }
  }

  private void run(SegmentWriteOutMedium medium) throws IOException {
    final Inversion slotsOfGroups = new Inversion(medium, index.numGroups());
    for (int slot = 0; slot < index.numSlots(); slot++) {
      final BitSet groups = lists.groups(slot);
      slotsOfGroups.addDistinct(groups.stream().toArray(), groups.cardinality());
    }
    slotsOfGroups.forEachId(this::checkGroup);
  }

  private void checkGroup(int[] slots, int from, int to) {
    trigrams.clear();
    for (int text = index.firstText(group); text < index.firstText(group + 1); text++) {
      final ByteBuffer utf8 = texts.get(text);
      trigrams.add(utf8.array(), utf8.arrayOffset() + utf8.position(), utf8.arrayOffset() + utf8.limit());
    }
    final int[] expected = Arrays.stream(trigrams.slots(), 0, trigrams.count())
        .filter(slot -> lists.size(slot) != GroupLists.FREQUENT)
        .sorted()
        .toArray();
    final int wrong = Arrays.mismatch(expected, 0, expected.length, slots, from, to);
    if (wrong >= 0) {
      final boolean isMissing =
          from + wrong == to || (wrong < expected.length && expected[wrong] < slots[from + wrong]);
      throw index.damaged("group " + group + " of " + index.numGroups() + (isMissing
          ? " is not in the list of slot " + expected[wrong] + ", whose trigrams it has"
          : " is in the list of slot " + slots[from + wrong] + ", whose trigrams it does not have"));
    }
    group++;
  }
}
