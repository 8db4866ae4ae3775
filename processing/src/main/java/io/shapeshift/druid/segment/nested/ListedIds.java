// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsReader;
import io.shapeshift.druid.rows.RowSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.util.Arrays;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.data.ColumnarInts;
import org.roaringbitmap.IntIterator;

/** Ids of the few rows that are in the posting lists of a field. */
final class ListedIds {
  private static final BitmapFactory BITMAPS = new RoaringBitmapFactory();

  private final int[] rows;
  private final int[] ids;
  private final int numRows;

  private ListedIds(int[] rows, int[] ids, int numRows) {
    this.rows = rows;
    this.ids = ids;
    this.numRows = numRows;
  }

  /**
   * Reads the lists of all ids.
   *
   * @param name name of the column and the field, for messages
   * @throws ColumnFormatException if a row is in two lists
   */
  static ListedIds of(String name, PostingLists lists) {
    final LongArrayList pairs = new LongArrayList();
    final PostingListsReader reader = lists.reader();
    for (int id = 0; id < lists.size(); id++) {
      final RowSet rows = new RowSet(lists.numRows());
      reader.read(id, id + 1, rows);
      for (IntIterator of = rows.toBitmap(BITMAPS).iterator(); of.hasNext(); ) {
        pairs.add((long) of.next() << Integer.SIZE | id);
      }
    }
    final long[] sorted = pairs.toLongArray();
    LongArrays.radixSort(sorted);
    final int[] rows = new int[sorted.length];
    final int[] ids = new int[sorted.length];
    for (int i = 0; i < sorted.length; i++) {
      rows[i] = (int) (sorted[i] >> Integer.SIZE);
      ids[i] = (int) sorted[i];
      if (i > 0 && rows[i] == rows[i - 1]) {
        throw ColumnFormatException.damaged(
            name, "row " + rows[i] + " is in the posting lists of ids " + ids[i - 1] + " and " + ids[i]);
      }
    }
    return new ListedIds(rows, ids, lists.numRows());
  }

  /** Returns the rows, ascending. */
  int[] rows() {
    return rows;
  }

  /** Returns a reader of a column in which all other rows have id 0, for one thread. */
  ColumnarInts reader() {
    return new Reader();
  }

  /** Returns a reader of the listed rows, for one thread. */
  Cursor cursor() {
    return new Cursor();
  }

  /** Reader of the listed rows. */
  final class Cursor {
    /** Place of the first listed row that is not before the row read last. */
    private int at;
    /** The listed row before that place, and the one at it. */
    private int before = -1;
    private int next = rows.length == 0 ? Integer.MAX_VALUE : rows[0];

    /** Returns the id of a row if it is listed, else the other id. */
    int get(int row, int other) {
      if (row > before && row < next) {
        return other;
      }
      seek(row);
      return row == next ? ids[at] : other;
    }

    /** Sets the ids of the listed rows among {@code length} rows from {@code start}. */
    void set(int[] out, int offset, int start, int length) {
      seek(start);
      for (int i = at; i < rows.length && rows[i] < start + length; i++) {
        out[offset + rows[i] - start] = ids[i];
      }
    }

    /** Moves to the first listed row that is not before a row. Most callers ask for rows in order. */
    private void seek(int row) {
      if (at > 0 && rows[at - 1] >= row) {
        at = lowerBound(0, at, row);
      } else if (at < rows.length && rows[at] < row) {
        int step = 1;
        while (at + step < rows.length && rows[at + step] < row) {
          step <<= 1;
        }
        at = lowerBound(at + (step >> 1), Math.min(at + step, rows.length), row);
      }
      before = at == 0 ? -1 : rows[at - 1];
      next = at == rows.length ? Integer.MAX_VALUE : rows[at];
    }

    private int lowerBound(int from, int to, int row) {
      final int found = Arrays.binarySearch(rows, from, to, row);
      return found < 0 ? -found - 1 : found;
    }
  }

  private final class Reader implements ColumnarInts {
    private final Cursor cursor = new Cursor();

    @Override
    public int size() {
      return numRows;
    }

    @Override
    public int get(int row) {
      return cursor.get(row, 0);
    }

    @Override
    public void get(int[] out, int start, int length) {
      get(out, 0, start, length);
    }

    @Override
    public void get(int[] out, int offset, int start, int length) {
      Arrays.fill(out, offset, offset + length, 0);
      cursor.set(out, offset, start, length);
    }

    @Override
    public void close() {}

    @Override
    public void inspectRuntimeShape(RuntimeShapeInspector inspector) {}
  }
}
