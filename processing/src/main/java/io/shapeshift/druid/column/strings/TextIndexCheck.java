// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.column.postings.Inversion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Check of a {@link TextIndex} against the texts. It inverts the trigrams of the texts, as {@link TextIndexWriter}
 * does: its memory and the bytes that it spills depend on the texts, however many groups a damaged index lists.
 */
public final class TextIndexCheck {
  private final StringDictionaryReader texts;
  private final TextIndex index;
  private final GroupLists lists;
  private int slot;

  private TextIndexCheck(StringDictionaryReader texts, TextIndex index) {
    this.texts = texts;
    this.index = index;
    this.lists = index.lists();
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
    final Inversion slots = new Inversion(medium, index.numSlots());
    final Trigrams trigrams = new Trigrams(index.logSlots());
    for (int group = 0; group < index.numGroups(); group++) {
      trigrams.clear();
      for (int text = index.firstText(group); text < index.firstText(group + 1); text++) {
        final ByteBuffer utf8 = texts.get(text);
        trigrams.add(utf8.array(), utf8.arrayOffset() + utf8.position(), utf8.arrayOffset() + utf8.limit());
      }
      slots.addDistinct(trigrams.slots(), trigrams.count());
    }
    slots.forEachId(this::checkSlot);
  }

  private void checkSlot(int[] groups, int from, int to) {
    if (lists.size(slot) != GroupLists.FREQUENT) {
      final int[] listed = lists.groups(slot).stream().toArray();
      final int wrong = Arrays.mismatch(groups, from, to, listed, 0, listed.length);
      if (wrong >= 0) {
        final boolean isMissing =
            wrong == listed.length || (from + wrong < to && groups[from + wrong] < listed[wrong]);
        throw index.damaged("group " + (isMissing ? groups[from + wrong] : listed[wrong]) + " of " + index.numGroups()
            + (isMissing ? " is not" : " is") + " in the list of slot " + slot + ", whose trigrams it "
            + (isMissing ? "has" : "does not have"));
      }
    }
    slot++;
  }
}
