// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Supplier;
import io.shapeshift.druid.bits.Matches;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.rows.RowSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.druid.segment.data.ColumnarInts;

/** Rows of all ids of a column with one value per row, on the heap. Uses four bytes per row and per id. */
final class InvertedIds {
  private final int[] ends;
  private final int[] rows;

  private InvertedIds(int[] ends, int[] rows) {
    this.ends = ends;
    this.rows = rows;
  }

  /**
   * Inverts the ids by a counting sort.
   *
   * @param lists gives the number of rows and ids
   * @throws io.shapeshift.druid.column.ColumnFormatException if a row has an id outside of the dictionary
   */
  static InvertedIds of(Supplier<? extends ColumnarInts> ids, PostingLists lists) {
    final int numRows = lists.numRows();
    final int numIds = lists.size();
    final int[] ends = new int[numIds];
    final int[] rows = new int[numRows];
    final int[] block = new int[Matches.LENGTH];
    try (ColumnarInts column = ids.get()) {
      for (int row = 0, length; row < numRows; row += length) {
        length = Math.min(block.length, numRows - row);
        column.get(block, row, length);
        for (int i = 0; i < length; i++) {
          if (block[i] < 0 || block[i] >= numIds) {
            throw lists.unknownId(row + i, block[i]);
          }
          ends[block[i]]++;
        }
      }
      int start = 0;
      for (int id = 0; id < numIds; id++) {
        final int count = ends[id];
        ends[id] = start;
        start += count;
      }
      for (int row = 0, length; row < numRows; row += length) {
        length = Math.min(block.length, numRows - row);
        column.get(block, row, length);
        for (int i = 0; i < length; i++) {
          rows[ends[block[i]]++] = row + i;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new InvertedIds(ends, rows);
  }

  /** Adds the rows of an id. */
  void add(int id, RowSet out) {
    out.add(rows, id == 0 ? 0 : ends[id - 1], ends[id]);
  }
}
