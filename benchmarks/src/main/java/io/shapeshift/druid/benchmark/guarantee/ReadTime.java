// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import javax.annotation.Nullable;

/**
 * Time of one kind of read of a column.
 *
 * @param jvm        what the JVM has read before
 * @param read       {@code scan}, or the share of the rows that is read by positions
 * @param nanos      nanoseconds per row that is read
 * @param druidNanos nanoseconds per row of Druid's column
 * @param firstSpeed the speed that was measured at first, where that was less than promised, so that it was measured
 *                   again; null otherwise
 */
record ReadTime(
    StoredColumn column,
    JvmKind jvm,
    String read,
    double nanos,
    double druidNanos,
    @Nullable Double firstSpeed
) {
  /** Druid's time divided by ours. */
  double speed() {
    return druidNanos / nanos;
  }

  /** Returns whether the read is slower than promised. */
  boolean isTooSlow() {
    return speed() < column.promise().leastSpeed();
  }

  /** Speed divided by the promised speed: less than 1 is too slow. */
  double margin() {
    return speed() / column.promise().leastSpeed();
  }
}
