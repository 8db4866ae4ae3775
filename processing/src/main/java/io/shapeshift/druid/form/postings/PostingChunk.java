// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Limits;
import java.util.Arrays;

/**
 * Posting lists of consecutive dictionary ids, each the rows that have the id, that are to be stored together: several
 * short ones, or one of any length.
 */
public final class PostingChunk implements Chunk {
  /** Rows of all lists of a chunk of several. */
  public static final int MAX_ROWS = 1 << 13;
  /** Lists of a chunk. */
  public static final int MAX_LISTS = 1 << 13;
  /** Rows of the longest list that shares a chunk with others. */
  public static final int MAX_SHARED_ROWS = 128;

  /** The least that Druid's index takes for a list: what it adds to each value, and a bitmap without rows. */
  private static final int LEAST_BITMAP = 16;
  /** What Druid's index adds to the bytes of each bitmap. */
  private static final int INDEXED_BYTES = 8;
  /** What Druid's index takes besides its lists. */
  public static final int INDEX_BYTES = 10;

  private final int numRows;
  private int numLists;
  /** The rows of all lists, one list behind the other. */
  private int[] rows;
  /** Where the rows of each list end. */
  private final int[] ends;
  private int numRuns = -1;

  /**
   * Makes an empty chunk.
   *
   * @param numRows rows of the segment: all rows are below
   */
  public PostingChunk(int numRows) {
    this(numRows, MAX_ROWS, MAX_LISTS);
  }

  private PostingChunk(int numRows, int mostRows, int mostLists) {
    this.numRows = numRows;
    this.rows = new int[mostRows];
    this.ends = new int[mostLists];
  }

  /** Whether a list of {@code length} rows can be added; the first always can. */
  public boolean hasRoomFor(int length) {
    return numLists == 0
        || (length <= MAX_SHARED_ROWS
            && numLists < MAX_LISTS
            && ends[0] <= MAX_SHARED_ROWS
            && numPostings() + length <= MAX_ROWS);
  }

  /**
   * Adds a list for which there is room.
   *
   * @param list rows in {@code [from, to)}, ascending, each once
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

  /** Forgets all lists, and the room that a long one took. */
  public void clear() {
    numLists = 0;
    numRuns = -1;
    if (rows.length > Limits.MAX_DIRECT_INTS) {
      rows = new int[MAX_ROWS];
    }
  }

  /** How many lists there are. */
  @Override
  public int size() {
    return numLists;
  }

  /** Rows of the segment. */
  public int numRows() {
    return numRows;
  }

  /** How many rows all lists have together. */
  public int numPostings() {
    return numLists == 0 ? 0 : ends[numLists - 1];
  }

  /** The rows of all lists, one list behind the other. */
  int[] rows() {
    return rows;
  }

  /** Where in {@link #rows} those of a list start. */
  int start(int list) {
    return list == 0 ? 0 : ends[list - 1];
  }

  /** Where in {@link #rows} those of a list end. */
  int end(int list) {
    return ends[list];
  }

  /** One of the lists, as the only one. */
  public PostingChunk only(int list) {
    final PostingChunk only = new PostingChunk(numRows, end(list) - start(list), 1);
    only.add(rows, start(list), end(list));
    return only;
  }

  /**
   * Whether Druid's index of these lists takes fewer bytes: a Roaring bitmap of each, and what
   * {@link org.apache.druid.segment.data.GenericIndexed} adds to each value.
   */
  public boolean areBitmapsSmaller(long bytes) {
    long left = bytes - (long) LEAST_BITMAP * numLists;
    for (int list = 0; list < numLists && left > 0; list++) {
      left -= INDEXED_BYTES + RoaringBytes.size(rows, start(list), end(list)) - LEAST_BITMAP;
    }
    return left > 0;
  }

  /**
   * What these lists take of Druid's index, to the byte: a Roaring bitmap of each, and what
   * {@link org.apache.druid.segment.data.GenericIndexed} adds to each value.
   */
  public long stockBytes() {
    long sum = (long) INDEXED_BYTES * numLists;
    for (int list = 0; list < numLists; list++) {
      sum += RoaringBytes.size(rows, start(list), end(list));
    }
    return sum;
  }

  /**
   * Whether decoding the rows of the only list one by one takes longer than a scan of the column's
   * ids would, about .3 nanoseconds for each row of the segment. A bit set needs no decoding.
   */
  boolean isDense() {
    return numLists == 1
        && numPostings() > Math.max(MAX_SHARED_ROWS, numRows / CostModel.Postings.ROWS_PER_DENSE_POSTING);
  }

  /** Whether each list has exactly one row. */
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

  /** How many runs of adjacent rows all lists have together. */
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

  /** The starts of all runs, as lists of rows. */
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

  /** The lengths of all runs, less one. */
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

  /** The rows of the segment that the only list does not have, as the only list. */
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
