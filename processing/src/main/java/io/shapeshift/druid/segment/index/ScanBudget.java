// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.cost.CostModel;

/**
 * Limit to the time of scans for one cursor, compared with Druid's matchers. For one thread, because one thread creates
 * a cursor.
 *
 * <p>An {@code or} of many filters would scan the segment once per filter. Druid's matchers test a row only until a
 * filter decides it, that is, only the rows that are still open. Both {@code and} and {@code or} pass the number of
 * open rows to an index, and {@code OpenRows} turns a {@code not} of many parts into one of them. For each filter the
 * scan is compared with matching the open rows:
 *
 * <ul>
 * <li>The first {@link CostModel.Indexes#FIRST_SCANS} scans are made if a scan is faster than reading the open rows by
 * position, at {@link CostModel.Indexes#READ_NANOS} per row. Druid's matchers would have to read these columns too.
 * Scans that Druid requests without a comparison count among these.
 * <li>Any other scan is made if it is faster than {@link CostModel.Indexes#MATCH_NANOS} per open row. Druid's vector
 * matcher needs at least that per row, after the vector is read, to compare and to combine the results of several
 * matchers.
 * </ul>
 *
 * <p>If the i-th filter has o(i) open rows, its scan takes at most o(i) times {@link CostModel.Indexes#MATCH_NANOS},
 * unless it is one of the first scans. Druid's matcher of the i-th filter takes at least that time. Filters that are
 * not scanned are matched by that matcher. An {@code or} therefore makes at most {@link CostModel.Indexes#FIRST_SCANS}
 * scans that may take longer than its matchers, however many parts it has, and whatever they find. A {@code not} that
 * {@code OpenRows} does not rewrite passes no number of open rows: it makes at most one scan per part, and has few
 * parts. If some parts have an index and others have none, Druid's iteration over the bitmap adds about 7 ns per row. A
 * filter that scans several times, such as an expression on strings, is counted once.
 */
final class ScanBudget {
  private int scans;

  /** Whether one more scan is faster than matching the open rows. */
  boolean isWorthIt(double nanos, int openRows) {
    final boolean isFirst = scans < CostModel.Indexes.FIRST_SCANS;
    return nanos <= openRows * (isFirst ? CostModel.Indexes.READ_NANOS : CostModel.Indexes.MATCH_NANOS);
  }

  /** Counts a scan. */
  void scanned() {
    scans++;
  }

  /** Counts a scan that Druid will request in any case, if it is one of the first. Returns whether it is. */
  boolean promise() {
    if (scans >= CostModel.Indexes.FIRST_SCANS) {
      return false;
    }
    scans++;
    return true;
  }
}
