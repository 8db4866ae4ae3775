// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import org.apache.druid.segment.column.ColumnIndexSupplier;

/**
 * Rows of a segment that a query reads, and whether the query may end early. Druid requests rows of the whole segment
 * from an index. An index that knows these rows computes only them, and nothing if Druid's matchers are faster.
 *
 * @param from        first row
 * @param to          end of the rows, exclusive
 * @param rowsPerFound minimum ratio of rows to rows found for which an index is worth its cost; 0 if the query reads
 *     all rows in any case, {@link #NEVER} if no computed index pays
 * @param isTyped whether all filters of the query declare the type of their values, so that the meaning of a request is
 *     unique; false if one is an expression or a {@code bound}
 * @param budget limit to all scans for the cursor
 */
public record QueriedRows(int from, int to, int rowsPerFound, boolean isTyped, ScanBudget budget) {
  /** Value of {@code rowsPerFound} for which no computed index is worth its cost. */
  public static final int NEVER = Integer.MAX_VALUE;

  /** Rows of the longest chunk. On average, half of a chunk at either end of a range is outside of the range. */
  private static final int ROWS_BESIDE = 1 << 16;

  /** All rows of a segment, for a query that reads them all. */
  public static QueriedRows all(int numRows) {
    return all(numRows, 0);
  }

  /** All rows of a segment, for filters of any type. */
  public static QueriedRows all(int numRows, int rowsPerFound) {
    return new QueriedRows(0, numRows, rowsPerFound);
  }

  /** Range of rows, for filters of any type. */
  public QueriedRows(int from, int to, int rowsPerFound) {
    this(from, to, rowsPerFound, false, new ScanBudget());
  }

  /** Copy for typed filters, or for filters of any type. */
  public QueriedRows forTyped(boolean areTyped) {
    return new QueriedRows(from, to, rowsPerFound, areTyped, budget);
  }

  /** Number of rows. */
  public int count() {
    return to - from;
  }

  /** Number of rows that a scan for these reads: the first and the last chunk are scanned completely. */
  int scanned(int numRows) {
    return (int) Math.min(numRows, (long) count() + ROWS_BESIDE);
  }

  /**
   * Supplier of indexes that computes some of them only for cursors. By itself it supplies the indexes that a stock
   * column also has, under Druid's rules. Other callers of a segment may use an index for another purpose, and depend
   * on whether one exists. Examples: a virtual column that casts the column's values, and a search query, which reads
   * no rows if all filters have indexes. So {@link #of} supplies computed indexes only to a caller that knows the
   * filters and the rows that are read.
   */
  public interface Indexes extends ColumnIndexSupplier {
    /** Whether the computed indexes depend on the rows that a query reads. */
    boolean dependOnRows();

    /**
     * Same indexes plus the computed ones, for a query that reads only some rows. Their results for other rows are
     * undefined.
     */
    ColumnIndexSupplier of(QueriedRows rows);
  }
}
