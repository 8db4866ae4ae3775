// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.TimestampSpec;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.joda.time.DateTime;
import org.joda.time.Interval;

/** Warning of times that look as if they were read in the wrong unit. */
final class TimeWarning {
  private static final DateTime FIRST_USUAL = DateTimes.of("1900-01-01");
  private static final DateTime FIRST_UNUSUAL = DateTimes.of("2201-01-01");
  /** Seconds from 1970 to 2106. */
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

  /** What to say of the times of segments, if anything. */
  static Optional<String> of(TimestampSpec time, BuildSummary summary) {
    final String column = time.getTimestampColumn();
    final String format = time.getTimestampFormat().toLowerCase(Locale.ROOT);
    final List<Interval> intervals =
        summary.segments().stream().map(segment -> Intervals.of(segment.interval())).toList();
    if (format.equals("auto") && intervals.stream().allMatch(TimeWarning::looksLikeSeconds)) {
      return Optional.of("all times in column '" + column + "' are of the first weeks of 1970, as numbers are taken "
          + "for milliseconds. If they are seconds, build again with --timestamp-format posix");
    }
    final long first = intervals.stream().mapToLong(Interval::getStartMillis).min().orElseThrow();
    if (isUsual(first)) {
      return Optional.empty();
    }
    final String asRead = "the first time in column '" + column + "' was read as " + DateTimes.utc(first)
        + " by format '" + time.getTimestampFormat() + "'";
    final String others = others(first, MILLIS_PER_UNIT.get(format));
    return Optional.of(asRead + (format.equals("auto") ? ", which takes numbers for milliseconds" : "")
        + (others.isEmpty() ? ". --timestamp-format says how times are written" : ". As a number it would be "
        + "" + others));
  }

  private static boolean looksLikeSeconds(Interval interval) {
    return interval.getStartMillis() >= 0 && interval.getEndMillis() <= MOST_SECONDS;
  }

  private static boolean isUsual(long time) {
    return FIRST_USUAL.getMillis() <= time && time < FIRST_UNUSUAL.getMillis();
  }

  /** What a number would be in other units, where that is a usual time. */
  private static String others(long millis, @Nullable Double millisPerUnit) {
    if (millisPerUnit == null) {
      return "";
    }
    final List<String> others = new ArrayList<>();
    for (String format : List.of("millis", "posix", "micro", "nano")) {
      final double ratio = MILLIS_PER_UNIT.get(format) / millisPerUnit;
      final long other = Math.round(millis * ratio);
      if (ratio != 1 && isUsual(other)) {
        others.add(DateTimes.utc(other) + " with --timestamp-format " + format);
      }
    }
    return String.join(", or ", others);
  }
}
