// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Limits;
import java.util.Arrays;

/**
 * Posting lists of consecutive dictionary ids, to be stored together: several short lists, or one list of any length. A
 * posting list is the rows that have the id.
 */
public final class PostingChunk implements Chunk {
  /** Most rows in all lists of a chunk with several lists. */
  public static final int MAX_ROWS = 1 << 13;
  /** Most lists in a chunk. */
  public static final int MAX_LISTS = 1 << 13;
  /** Most rows in a list that shares a chunk with others. */
  public static final int MAX_SHARED_ROWS = 128;

  /** Least bytes of a list in Druid's index: the overhead per value, and an empty bitmap. */
  private static final int LEAST_BITMAP = 16;
  /** Bytes that Druid's index adds to each bitmap. */
  private static final int INDEXED_BYTES = 8;
  /** Bytes of Druid's index apart from its lists. */
  public static final int INDEX_BYTES = 10;

  private final int numRows;
  private int numLists;
  /** Rows of all lists, one list after another. */
  private int[] rows;
  /** End of each list in {@link #rows}. */
  private final int[] ends;
  private int numRuns = -1;

  /**
   * Creates an empty chunk.
   *
   * @param numRows number of rows in the segment; all rows in the lists are smaller
   */
  public PostingChunk(int numRows) {
    this(numRows, MAX_ROWS, MAX_LISTS);
  }

  private PostingChunk(int numRows, int mostRows, int mostLists) {
    this.numRows = numRows;
    this.rows = new int[mostRows];
    this.ends = new int[mostLists];
  }

  /** Returns whether a list of {@code length} rows can be added; the first list always can. */
  public boolean hasRoomFor(int length) {
    return numLists == 0
        || (length <= MAX_SHARED_ROWS
            && numLists < MAX_LISTS
            && ends[0] <= MAX_SHARED_ROWS
            && numPostings() + length <= MAX_ROWS);
  }

  /**
   * Adds a list; {@link #hasRoomFor} must have returned true.
   *
   * @param list the rows in {@code [from, to)}, ascending, without duplicates
   */
  public void add(int[] list, int from, int to) {
    final int start = numPostings();
    final int end = start + to - from;
    if (end > rows.length) {
      rows = Arrays.copyOf(rows, end);
    }
    System.arraycopy(list, from, rows, start, to - from);
    ends[numLists++] = end;
    numRuns = -1;
  }

  /** Removes all lists, and frees the memory of a long one. */
  public void clear() {
    numLists = 0;
    numRuns = -1;
    if (rows.length > Limits.MAX_DIRECT_INTS) {
      rows = new int[MAX_ROWS];
    }
  }

  /** Returns the number of lists. */
  @Override
  public int size() {
    return numLists;
  }

  /** Returns the number of rows in the segment. */
  public int numRows() {
    return numRows;
  }

  /** Returns the number of rows in all lists together. */
  public int numPostings() {
    return numLists == 0 ? 0 : ends[numLists - 1];
  }

  /** Returns the rows of all lists, one list after another. */
  int[] rows() {
    return rows;
  }

  /** Returns the index in {@link #rows} of a list's first row. */
  int start(int list) {
    return list == 0 ? 0 : ends[list - 1];
  }

  /** Returns the end of a list in {@link #rows}. */
  int end(int list) {
    return ends[list];
  }

  /** Returns a chunk with one of the lists. */
  public PostingChunk only(int list) {
    final PostingChunk only = new PostingChunk(numRows, end(list) - start(list), 1);
    only.add(rows, start(list), end(list));
    return only;
  }

  /**
   * Returns whether Druid's index of these lists has fewer bytes. It stores a Roaring bitmap per list, and the overhead
   * of {@link org.apache.druid.segment.data.GenericIndexed} per value.
   */
  public boolean areBitmapsSmaller(long bytes) {
    long left = bytes - (long) LEAST_BITMAP * numLists;
    for (int list = 0; list < numLists && left > 0; list++) {
      left -= INDEXED_BYTES + RoaringBytes.size(rows, start(list), end(list)) - LEAST_BITMAP;
    }
    return left > 0;
  }

  /**
   * Returns the exact size of these lists in Druid's index, in bytes. It stores a Roaring bitmap per list, and the
   * overhead of {@link org.apache.druid.segment.data.GenericIndexed} per value.
   */
  public long stockBytes() {
    long sum = (long) INDEXED_BYTES * numLists;
    for (int list = 0; list < numLists; list++) {
      sum += RoaringBytes.size(rows, start(list), end(list));
    }
    return sum;
  }

  /**
   * Returns whether decoding the only list row by row takes longer than a scan of the column's ids, which takes about
   * .3 nanoseconds per row of the segment. A bit set needs no decoding.
   */
  boolean isDense() {
    return numLists == 1
        && numPostings() > Math.max(MAX_SHARED_ROWS, numRows / CostModel.Postings.ROWS_PER_DENSE_POSTING);
  }

  /** Returns whether each list has exactly one row. */
  boolean isSingles() {
    if (numPostings() != numLists) {
      return false;
    }
    for (int i = 0; i < numLists; i++) {
      if (ends[i] != i + 1) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of runs of adjacent rows in all lists together. */
  int numRuns() {
    if (numRuns < 0) {
      int count = 0;
      for (int list = 0; list < numLists; list++) {
        int next = -1;
        for (int i = start(list); i < ends[list]; i++) {
          count += rows[i] == next ? 0 : 1;
          next = rows[i] + 1;
        }
      }
      numRuns = count;
    }
    return numRuns;
  }

  /** Returns lists of the first rows of all runs. */
  PostingChunk runStarts() {
    final PostingChunk starts = new PostingChunk(numRows, numRuns(), numLists);
    int count = 0;
    for (int list = 0; list < numLists; list++) {
      int next = -1;
      for (int i = start(list); i < ends[list]; i++) {
        if (rows[i] != next) {
          starts.rows[count++] = rows[i];
        }
        next = rows[i] + 1;
      }
      starts.ends[list] = count;
    }
    starts.numLists = numLists;
    return starts;
  }

  /** Returns the length less one of each run. */
  int[] runLengths() {
    final int[] lengths = new int[numRuns()];
    int run = -1;
    for (int list = 0; list < numLists; list++) {
      int next = -1;
      for (int i = start(list); i < ends[list]; i++) {
        if (rows[i] == next) {
          lengths[run]++;
        } else {
          run++;
        }
        next = rows[i] + 1;
      }
    }
    return lengths;
  }

  /** Returns a chunk with one list: the rows of the segment that are not in the only list. */
  PostingChunk complement() {
    final int[] others = new int[numRows - numPostings()];
    int count = 0;
    int row = 0;
    for (int i = 0; i <= numPostings(); i++) {
      final int end = i < numPostings() ? rows[i] : numRows;
      while (row < end) {
        others[count++] = row++;
      }
      row = end + 1;
    }
    final PostingChunk complement = new PostingChunk(numRows, 0, 1);
    complement.rows = others;
    complement.ends[0] = count;
    complement.numLists = 1;
    return complement;
  }
}
