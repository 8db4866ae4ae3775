// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.numbers.FilterFailure;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.math.expr.ExpressionDruidPredicateFactory;
import org.apache.druid.query.BitmapResultFactory;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.JavaScriptDimFilter;
import org.apache.druid.segment.index.SimpleBitmapColumnIndex;

/**
 * Index that computes one bitmap of all matching rows on request, and nothing earlier.
 *
 * <p>Druid requests the rows of the whole segment even if an earlier filter left few of them. Druid's matcher is then
 * faster: it reads the open rows by position, in about {@value CostModel.Indexes#READ_NANOS} ns per row.
 */
final class ComputedIndex extends SimpleBitmapColumnIndex {
  private static final Logger LOG = new Logger(ComputedIndex.class);

  private final int cost;
  private final Worth worth;
  private final Rows rows;
  /** Whether there is no index if computing the rows throws an exception. */
  private final boolean mayFail;

  /**
   * Creates an index that Druid always uses.
   *
   * @param cost number of bitmaps that Druid's index would unite
   * @param rows computes the bitmap
   */
  ComputedIndex(int cost, Rows rows) {
    this(cost, (applied, total) -> true, rows);
  }

  /**
   * Creates an index. Druid does not use it if only few rows are left to match.
   *
   * @param cost  number of bitmaps that Druid's index would unite
   * @param worth tests whether computing the bitmap is faster than matching the rows that are left
   * @param rows  computes the bitmap
   */
  ComputedIndex(int cost, Worth worth, Rows rows) {
    this(cost, worth, rows, false);
  }

  private ComputedIndex(int cost, Worth worth, Rows rows, boolean mayFail) {
    this.cost = cost;
    this.worth = worth;
    this.rows = rows;
    this.mayFail = mayFail;
  }

  /**
   * Creates an index of a user's test. The test may run on values that the query does not read, or that no row has, and
   * may throw an exception on them. In that case there is no index, and Druid's matcher tests the rows that are left.
   * So the query fails only if the test fails on one of those rows. The index declares the cost of a filter without an
   * index. Druid orders filters by cost, and filters of equal cost as they are written. So an earlier filter can still
   * protect the test from values on which it fails, as in stock.
   */
  static ComputedIndex ofTest(Worth worth, Rows rows) {
    return new ComputedIndex(Integer.MAX_VALUE, worth, rows, true);
  }

  /** Whether computing the rows is faster than matching the rows that are left. */
  static boolean isCheaper(double nanos, int applied) {
    return nanos <= applied * CostModel.Indexes.READ_NANOS;
  }

  /**
   * Whether a predicate runs user code: an expression or a script. User code is mostly slow, may fail on values of rows
   * that the query does not read, and may count its calls. So it runs on rows, as in stock.
   */
  static boolean isCode(DruidPredicateFactory predicate) {
    return predicate instanceof ExpressionDruidPredicateFactory
        || predicate instanceof JavaScriptDimFilter.JavaScriptPredicateFactory;
  }

  /** Cost of reading all rows of a segment once, in bitmaps that Druid would unite. */
  static int costOfScan(int numRows) {
    return numRows / CostModel.Indexes.ROWS_PER_BITMAP + 1;
  }

  @Override
  public int estimatedComputeCost() {
    return cost;
  }

  @Override
  public <T> T computeBitmapResult(BitmapResultFactory<T> results, boolean includeUnknown) {
    try {
      return results.wrapDimensionValue(rows.compute(includeUnknown));
    } catch (FilterFailure e) {
      // At this point Druid can no longer fall back to matching rows.
      throw e.rethrow();
    }
  }

  @Nullable
  @Override
  public <T> T computeBitmapResult(
      BitmapResultFactory<T> results,
      int applyRowCount,
      int totalRowCount,
      boolean includeUnknown
  ) {
    try {
      return worth.test(applyRowCount, totalRowCount, includeUnknown)
             ? results.wrapDimensionValue(rows.compute(includeUnknown))
             : null;
    } catch (FilterFailure e) {
      if (!mayFail) {
        throw e.rethrow();
      }
      LOG.debug(e, "A filter failed on a value of a column: rows are tested one by one");
      return null;
    }
  }

  /** Computes the matching rows, and the rows with an unknown result if {@code includeUnknown}. */
  interface Rows {
    ImmutableBitmap compute(boolean includeUnknown);
  }

  /** Tests whether an index is worth its cost if {@code applied} of {@code total} rows still have to be filtered. */
  interface Worth {
    boolean test(int applied, int total);

    /** Same test for an index that also finds the rows with an unknown result if {@code includeUnknown}. */
    default boolean test(int applied, int total, boolean includeUnknown) {
      return test(applied, total);
    }
  }
}
