// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.druid.data.input.impl.TimestampSpec;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.joda.time.DateTime;
import org.joda.time.Interval;

/** Warning about times that look as if they were read in the wrong unit. */
final class TimeWarning {
  private static final DateTime FIRST_USUAL = DateTimes.of("1900-01-01");
  private static final DateTime FIRST_UNUSUAL = DateTimes.of("2201-01-01");
  private static final DateTime FIRST_OFFERED = DateTimes.of("1971-01-01");
  /** Number of seconds from 1970 to 2106. */
  private static final long MOST_SECONDS = 1L << Integer.SIZE;
  private static final Map<String, Double> MILLIS_PER_UNIT = new LinkedHashMap<>();

  static {
    MILLIS_PER_UNIT.put("auto", 1.0);
    MILLIS_PER_UNIT.put("millis", 1.0);
    MILLIS_PER_UNIT.put("posix", 1e3);
    MILLIS_PER_UNIT.put("ruby", 1e3);
    MILLIS_PER_UNIT.put("micro", 1e-3);
    MILLIS_PER_UNIT.put("nano", 1e-6);
  }

  private TimeWarning() {}

  /**
   * Warning about the times of segments, if they look wrong.
   *
   * @param hasIsoTimes whether a time was not a number although the format accepts numbers
   */
  static Optional<String> of(TimestampSpec time, boolean hasIsoTimes, BuildSummary summary) {
    final String column = time.getTimestampColumn();
    final String format = time.getTimestampFormat().toLowerCase(Locale.ROOT);
    final boolean areNumbers = MILLIS_PER_UNIT.containsKey(format) && !hasIsoTimes;
    final List<Interval> intervals =
        summary.segments().stream().map(segment -> Intervals.of(segment.interval())).toList();
    if (areNumbers && format.equals("auto") && intervals.stream().allMatch(TimeWarning::looksLikeSeconds)) {
      return Optional.of("all times in column '" + column + "' are of the first weeks of 1970, as numbers are taken "
          + "for milliseconds. If they are seconds, build again with --timestamp-format posix");
    }
    final long first = intervals.stream().mapToLong(Interval::getStartMillis).min().orElseThrow();
    if (isUsual(first)) {
      return Optional.empty();
    }
    final String asRead = "the first time in column '" + column + "' was read as " + DateTimes.utc(first)
        + " by format '" + time.getTimestampFormat() + "'";
    return Optional.of(
        asRead + (areNumbers && format.equals("auto") ? ", which takes numbers for milliseconds" : "")
            + (areNumbers ? inOtherUnit(first, format) : Optional.<String>empty())
                .map(other -> ". It would be " + other)
                .orElse(". If that is wrong, give --timestamp-format")
    );
  }

  private static boolean looksLikeSeconds(Interval interval) {
    return interval.getStartMillis() >= 0 && interval.getEndMillis() <= MOST_SECONDS;
  }

  private static boolean isUsual(long time) {
    return FIRST_USUAL.getMillis() <= time && time < FIRST_UNUSUAL.getMillis();
  }

  /**
   * Interpretation of a number in the only unit in which it is a time between 1971 and 2200, if there is exactly one.
   */
  private static Optional<String> inOtherUnit(long millis, String format) {
    for (String other : List.of("millis", "posix", "micro", "nano")) {
      final long time = Math.round(millis * MILLIS_PER_UNIT.get(other) / MILLIS_PER_UNIT.get(format));
      if (FIRST_OFFERED.getMillis() <= time && time < FIRST_UNUSUAL.getMillis()) {
        return Optional.of(DateTimes.utc(time) + " with --timestamp-format " + other);
      }
    }
    return Optional.empty();
  }
}
