// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.query.BitmapResultFactory;
import org.apache.druid.segment.index.SimpleBitmapColumnIndex;

/**
 * An index that computes one bitmap of all rows that match when it is asked for it, and nothing before.
 *
 * <p>Druid asks for the rows of the whole segment, also where a filter before left few of them: then its matcher, which
 * reads those by position, is faster. That takes about {@value #NANOS_PER_MATCH} ns a row.
 */
final class ComputedIndex extends SimpleBitmapColumnIndex {
  private static final double NANOS_PER_MATCH = 8;
  /** A scan of so many rows takes as long as uniting two bitmaps, by which Druid orders filters. */
  private static final int ROWS_PER_BITMAP = 1 << 16;

  private final int cost;
  private final Worth worth;
  private final Rows rows;

  /**
   * Makes an index that Druid always uses.
   *
   * @param cost how many bitmaps Druid's own index would unite
   * @param rows computes the bitmap
   */
  ComputedIndex(int cost, Rows rows) {
    this(cost, (applied, total) -> true, rows);
  }

  /**
   * Makes an index that Druid does without where few rows are left.
   *
   * @param cost  how many bitmaps Druid's own index would unite
   * @param worth says whether computing the bitmap takes less than testing the rows that are left
   * @param rows  computes the bitmap
   */
  ComputedIndex(int cost, Worth worth, Rows rows) {
    this.cost = cost;
    this.worth = worth;
    this.rows = rows;
  }

  /** Whether finding rows in so many nanoseconds takes less than matching those that are left. */
  static boolean isCheaper(double nanos, int applied) {
    return nanos <= applied * NANOS_PER_MATCH;
  }

  /** The cost of reading all rows of a segment once, in bitmaps that Druid would unite. */
  static int costOfScan(int numRows) {
    return numRows / ROWS_PER_BITMAP + 1;
  }

  @Override
  public int estimatedComputeCost() {
    return cost;
  }

  @Override
  public <T> T computeBitmapResult(BitmapResultFactory<T> results, boolean includeUnknown) {
    return results.wrapDimensionValue(rows.compute(includeUnknown));
  }

  @Nullable
  @Override
  public <T> T computeBitmapResult(
      BitmapResultFactory<T> results,
      int applyRowCount,
      int totalRowCount,
      boolean includeUnknown
  ) {
    return worth.test(applyRowCount, totalRowCount) ? computeBitmapResult(results, includeUnknown) : null;
  }

  /** Computes the rows that match, with those of which nobody knows whether they do if {@code includeUnknown}. */
  interface Rows {
    ImmutableBitmap compute(boolean includeUnknown);
  }

  /** Whether an index is worth its cost when {@code applied} of {@code total} rows are still to be filtered. */
  interface Worth {
    boolean test(int applied, int total);
  }
}
