// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.postings.PostingListsSerializer;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.io.IOException;

/** Rows of posting lists, on the heap, for few rows. */
final class ListedRows {
  private final LongArrayList pairs = new LongArrayList();

  /** Adds a row to a list; a row that the list has already is ignored. */
  void add(int list, int row) {
    pairs.add((long) list << Integer.SIZE | row);
  }

  /** Adds all lists to an open serializer, and returns it. */
  PostingListsSerializer addTo(PostingListsSerializer out, int numLists) throws IOException {
    final long[] sorted = pairs.toLongArray();
    LongArrays.radixSort(sorted);
    int[] rows = new int[8];
    int at = 0;
    for (int list = 0; list < numLists; list++) {
      int length = 0;
      for (; at < sorted.length && sorted[at] >> Integer.SIZE == list; at++) {
        final int row = (int) sorted[at];
        if (length == 0 || rows[length - 1] != row) {
          rows = IntArrays.grow(rows, length + 1);
          rows[length++] = row;
        }
      }
      out.add(rows, 0, length);
    }
    return out;
  }
}
