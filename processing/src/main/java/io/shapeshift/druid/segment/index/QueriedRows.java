// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import org.apache.druid.segment.column.ColumnIndexSupplier;

/**
 * Which rows of a segment a query reads, and whether it may end early. Druid asks an index for rows of the whole
 * segment; one that knows what is read of them computes no more than that, and nothing where Druid's matchers take
 * less.
 *
 * @param from        the first row
 * @param to          end of the rows, exclusive
 * @param rowsPerFound how many rows there have to be for each that is found, for an index to be worth its cost: 0 where
 *     all rows are read in any case, and {@link #NEVER} where none is
 * @param isTyped whether all filters that may ask name the type of their values, so that an index knows what is meant:
 *     there is neither an expression among them nor a {@code bound}
 * @param budget what scans for the cursor may take in sum
 */
public record QueriedRows(int from, int to, int rowsPerFound, boolean isTyped, ScanBudget budget) {
  /** No index of those that are computed is worth its cost. */
  public static final int NEVER = Integer.MAX_VALUE;

  /** Of the longest chunk, half of which is beside a range of rows at either end. */
  private static final int ROWS_BESIDE = 1 << 16;

  /** All rows of a segment, for results that take them all. */
  public static QueriedRows all(int numRows) {
    return all(numRows, 0);
  }

  /** All rows of a segment, for any filter. */
  public static QueriedRows all(int numRows, int rowsPerFound) {
    return new QueriedRows(0, numRows, rowsPerFound);
  }

  /** Rows that are asked for by any filter. */
  public QueriedRows(int from, int to, int rowsPerFound) {
    this(from, to, rowsPerFound, false, new ScanBudget());
  }

  /** The same rows for filters that name the type of their values, or for others. */
  public QueriedRows forTyped(boolean areTyped) {
    return new QueriedRows(from, to, rowsPerFound, areTyped, budget);
  }

  /** How many rows there are. */
  public int count() {
    return to - from;
  }

  /** How many rows of the segment's are scanned to find these: the first and the last chunk whole. */
  int scanned(int numRows) {
    return (int) Math.min(numRows, (long) count() + ROWS_BESIDE);
  }

  /**
   * Indexes that Druid's own column has as well, where Druid's own rules say that they are worth it. Whoever asks a
   * segment may take an index of a column for that of something else, and rely on there being one or none: a virtual
   * column that casts what the column has; a search, which reads no rows where all filters have indexes. So only who
   * knows what is asked for, and which rows are read, gets indexes that are computed, by {@link #of}.
   */
  public interface Indexes extends ColumnIndexSupplier {
    /** Whether it makes a difference to those that are computed which rows a query reads. */
    boolean dependOnRows();

    /**
     * The same indexes and those that are computed, for a query that reads some rows only. Of others they may say
     * anything.
     */
    ColumnIndexSupplier of(QueriedRows rows);
  }
}
