// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

/**
 * Limit to the time that scans for one cursor take, beside Druid's matchers. For one thread: one makes a cursor.
 *
 * <p>An {@code or} of many filters would scan the segment once for each. Druid's matchers look at a row until a filter
 * decides it, and so at no more than the rows that are still open. Both {@code and} and {@code or} tell an index how
 * many rows are open, and {@code OpenRows} turns a {@code not} of many parts into one of them. For each filter the scan
 * is compared with matching the open rows:
 *
 * <ul>
 * <li>The first {@value #FIRST} scans are made where a scan takes less than reading the open rows by position, at
 *     {@value #NANOS_PER_READ} ns for each. These columns have to be read by Druid as well. Scans that Druid does not
 *     compare, as it asks for them in any case, are among these.
 * <li>All other scans are made where a scan takes less than {@value #NANOS_PER_MATCH} ns for each open row. Druid's
 *     matcher of a vector takes that or more for a row of a vector that it has read, for the comparison and to unite
 *     what several matchers found.
 * </ul>
 *
 * <p>If the i-th filter has o(i) open rows, its scan takes at most {@value #NANOS_PER_MATCH} o(i) ns, unless it is
 * one of the first {@value #FIRST}. Druid's matcher of the i-th filter takes at least that time. Filters that are
 * not scanned are matched by that matcher. An {@code or} therefore makes at most {@value #FIRST} scans that may take
 * longer than its matchers, however many parts it has, and whatever they find. A {@code not} that {@code OpenRows}
 * leaves as it is does not tell its parts which rows are open: it makes at most as many as it has parts, which are
 * few. Where some parts have an index and others have none, Druid's iterator of the bitmap is added, about 7 ns a
 * row. A filter that scans several times, as an expression on strings does, is counted once.
 */
final class ScanBudget {
  /** Scans of one cursor that are compared with reading a column. */
  static final int FIRST = 4;
  /** Time to read a row by position and to match it. */
  static final double NANOS_PER_READ = 8;
  /** Time to match a row of a vector that is read. */
  static final double NANOS_PER_MATCH = 4;

  private int scans;

  /** Whether one more scan takes less than matching the rows that are open. */
  boolean isWorthIt(double nanos, int openRows) {
    return nanos <= openRows * (scans < FIRST ? NANOS_PER_READ : NANOS_PER_MATCH);
  }

  /** Counts a scan. */
  void scanned() {
    scans++;
  }

  /** Counts a scan that Druid will ask for in any case, if it is one of the first; returns whether it is. */
  boolean promise() {
    if (scans >= FIRST) {
      return false;
    }
    scans++;
    return true;
  }
}
