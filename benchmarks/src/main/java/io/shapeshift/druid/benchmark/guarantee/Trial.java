// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import io.shapeshift.druid.tool.speed.ColumnRead;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * Measures all reads of a column under some targets. Reads that are slower than promised are measured again, and fail
 * only if the median of the repetitions is too slow as well.
 */
final class Trial {
  /** All reads: every row in order, shares of the rows by positions, and rows one by one. */
  static final List<String> READS =
      Stream.of(List.of(ColumnRead.SCAN), SpeedTest.SHARES, ColumnRead.ROW_BY_ROW).flatMap(List::stream).toList();

  private static final int REPETITIONS = 3;

  /** Measures times. */
  interface Stopwatch {
    /**
     * Nanoseconds per row that is read, by name of the read, by name of the encoding.
     *
     * @param encodings of the column, to be measured in turns
     */
    Map<String, Map<String, Double>> nanos(Set<String> encodings, List<String> reads);
  }

  private final JvmKind jvm;
  private final Stopwatch stopwatch;

  Trial(JvmKind jvm, Stopwatch stopwatch) {
    this.jvm = jvm;
    this.stopwatch = stopwatch;
  }

  /**
   * Measures all reads.
   *
   * @param columns the same column under some targets
   */
  List<ReadTime> run(List<StoredColumn> columns) {
    final Map<String, Map<String, Double>> nanos = stopwatch.nanos(encodings(columns), READS);
    final List<ReadTime> times = columns.stream()
        .flatMap(column -> READS.stream().map(read -> time(column, nanos, read, null)))
        .toList();
    return times.stream().anyMatch(ReadTime::isTooSlow) ? again(times) : times;
  }

  private static Set<String> encodings(List<StoredColumn> columns) {
    final Set<String> encodings = new LinkedHashSet<>();
    columns.forEach(column -> {
      encodings.add(column.promise().baseline());
      encodings.add(column.promise().encoding());
    });
    return encodings;
  }

  private ReadTime time(
      StoredColumn column,
      Map<String, Map<String, Double>> nanos,
      String read,
      @Nullable Double firstSpeed
  ) {
    final Map<String, Double> byEncoding = nanos.get(read);
    return new ReadTime(
        column,
        jvm,
        read,
        byEncoding.get(column.promise().encoding()),
        byEncoding.get(column.promise().baseline()),
        firstSpeed
    );
  }

  /** Replaces the times that are too slow by those of the repetition with the median speed. */
  private List<ReadTime> again(List<ReadTime> first) {
    final List<ReadTime> slow = first.stream().filter(ReadTime::isTooSlow).toList();
    final Set<String> encodings = encodings(slow.stream().map(ReadTime::column).distinct().toList());
    final List<String> reads = slow.stream().map(ReadTime::read).distinct().toList();
    final List<Map<String, Map<String, Double>>> repetitions = new ArrayList<>();
    for (int i = 0; i < REPETITIONS; i++) {
      repetitions.add(stopwatch.nanos(encodings, reads));
    }
    return first.stream().map(time -> !time.isTooSlow() ? time : repetitions.stream()
        .map(nanos -> time(time.column(), nanos, time.read(), time.speed()))
        .sorted(Comparator.comparing(ReadTime::speed))
        .skip(REPETITIONS / 2)
        .findFirst()
        .orElseThrow()).toList();
  }
}
