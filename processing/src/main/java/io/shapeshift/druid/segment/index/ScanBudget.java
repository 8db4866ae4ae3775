// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.cost.CostModel;

/**
 * Limit to the time that scans for one cursor take, beside Druid's matchers. For one thread: one makes a cursor.
 *
 * <p>An {@code or} of many filters would scan the segment once for each. Druid's matchers look at a row until a filter
 * decides it, and so at no more than the rows that are still open. Both {@code and} and {@code or} tell an index how
 * many rows are open, and {@code OpenRows} turns a {@code not} of many parts into one of them. For each filter the scan
 * is compared with matching the open rows:
 *
 * <ul>
 * <li>The first {@link CostModel.Indexes#FIRST_SCANS} scans are made where a scan takes less than reading the open rows
 *     by position, at {@link CostModel.Indexes#READ_NANOS} for each. These columns have to be read by Druid as well.
 *     Scans that Druid does not compare, as it asks for them in any case, are among these.
 * <li>All other scans are made where a scan takes less than {@link CostModel.Indexes#MATCH_NANOS} for each open row.
 *     Druid's matcher of a vector takes that or more for a row of a vector that it has read, for the comparison and to
 *     unite what several matchers found.
 * </ul>
 *
 * <p>If the i-th filter has o(i) open rows, its scan takes at most o(i) times {@link CostModel.Indexes#MATCH_NANOS},
 * unless it is one of the first scans. Druid's matcher of the i-th filter takes at least that time. Filters that are
 * not scanned are matched by that matcher. An {@code or} therefore makes at most {@link CostModel.Indexes#FIRST_SCANS}
 * scans that may take longer than its matchers, however many parts it has, and whatever they find. A {@code not} that
 * {@code OpenRows} leaves as it is does not tell its parts which rows are open: it makes at most as many as it has
 * parts, which are few. Where some parts have an index and others have none, Druid's iterator of the bitmap is added,
 * about 7 ns a row. A filter that scans several times, as an expression on strings does, is counted once.
 */
final class ScanBudget {
  private int scans;

  /** Whether one more scan takes less than matching the rows that are open. */
  boolean isWorthIt(double nanos, int openRows) {
    final boolean isFirst = scans < CostModel.Indexes.FIRST_SCANS;
    return nanos <= openRows * (isFirst ? CostModel.Indexes.READ_NANOS : CostModel.Indexes.MATCH_NANOS);
  }

  /** Counts a scan. */
  void scanned() {
    scans++;
  }

  /** Counts a scan that Druid will ask for in any case, if it is one of the first; returns whether it is. */
  boolean promise() {
    if (scans >= CostModel.Indexes.FIRST_SCANS) {
      return false;
    }
    scans++;
    return true;
  }
}
