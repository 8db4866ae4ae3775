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
 * An index that computes one bitmap of all rows that match when it is asked for it, and nothing before.
 *
 * <p>Druid asks for the rows of the whole segment, also where a filter before left few of them: then its matcher, which
 * reads those by position, is faster. That takes about {@value CostModel.Indexes#READ_NANOS} ns a row.
 */
final class ComputedIndex extends SimpleBitmapColumnIndex {
  private static final Logger LOG = new Logger(ComputedIndex.class);

  private final int cost;
  private final Worth worth;
  private final Rows rows;
  /** Whether there is no index where the rows cannot be computed. */
  private final boolean mayFail;

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
    this(cost, worth, rows, false);
  }

  private ComputedIndex(int cost, Worth worth, Rows rows, boolean mayFail) {
    this.cost = cost;
    this.worth = worth;
    this.rows = rows;
    this.mayFail = mayFail;
  }

  /**
   * Makes an index of a test that is asked of values which the query may not read, or which no row has. Where it fails,
   * as a function that somebody wrote may, Druid does without the index, and asks it of the rows that are left. Its
   * exception reaches the query only if it fails there. Druid's own column has no index of the test, so that a filter
   * written before it may keep it from values that it fails on. It therefore costs as much as a filter without an
   * index: Druid orders filters by costs, and those of the same cost as they are written.
   */
  static ComputedIndex ofTest(Worth worth, Rows rows) {
    return new ComputedIndex(Integer.MAX_VALUE, worth, rows, true);
  }

  /** Whether finding rows takes less time than matching those that are left. */
  static boolean isCheaper(double nanos, int applied) {
    return nanos <= applied * CostModel.Indexes.READ_NANOS;
  }

  /**
   * Whether a predicate runs what somebody wrote, an expression or a script: these mostly take long, may fail on values
   * of rows that the query does not read, and may count how often they are asked. So they are asked of rows, as without
   * an index.
   */
  static boolean isCode(DruidPredicateFactory predicate) {
    return predicate instanceof ExpressionDruidPredicateFactory
        || predicate instanceof JavaScriptDimFilter.JavaScriptPredicateFactory;
  }

  /** The cost of reading all rows of a segment once, in bitmaps that Druid would unite. */
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
      // Here there is no way back to the rows.
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
      return worth.test(applyRowCount, totalRowCount)
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

  /** Computes the rows that match, with those of which nobody knows whether they do if {@code includeUnknown}. */
  interface Rows {
    ImmutableBitmap compute(boolean includeUnknown);
  }

  /** Whether an index is worth its cost when {@code applied} of {@code total} rows are still to be filtered. */
  interface Worth {
    boolean test(int applied, int total);
  }
}
