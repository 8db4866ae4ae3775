// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import io.shapeshift.druid.tool.cli.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/**
 * Times from all JVMs. A speedup is the baseline's time divided by another's in the same round of the same JVM: a
 * disturbance of the machine that lasts longer than a round affects both.
 *
 * @param jvms not empty, and all of the same job
 */
record QueryTimes(List<Measured> jvms) {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int QUARTER = 25;
  private static final int HALF = 50;
  private static final double PERCENT = 100;

  private List<Measured.Source> sources() {
    return jvms.get(0).sources();
  }

  private List<Measured.Asked> queries() {
    return jvms.get(0).queries();
  }

  private String baseline() {
    return sources().get(0).encoding();
  }

  private double[] nanos(String query, String encoding) {
    return jvms.stream()
        .flatMap(jvm -> jvm.times().stream())
        .filter(time -> time.query().equals(query) && time.encoding().equals(encoding))
        .mapToDouble(Measured.Time::nanos)
        .toArray();
  }

  /** Median and quartiles of one query's speedups; null for the baseline itself. */
  @Nullable
  private Speedup speedup(String query, String encoding) {
    if (encoding.equals(baseline())) {
      return null;
    }
    // Both lists are in the order of JVMs and rounds.
    final double[] speedups = nanos(query, baseline());
    final double[] others = nanos(query, encoding);
    for (int i = 0; i < speedups.length; i++) {
      speedups[i] /= others[i];
    }
    return new Speedup(
        percentile(speedups, HALF),
        percentile(speedups, QUARTER),
        percentile(speedups, HALF + QUARTER)
    );
  }

  /** Speedup over the baseline: the median over the rounds, and the quartiles. */
  private record Speedup(double median, double low, double high) {}

  private static double percentile(double[] values, int percent) {
    return new Percentile().withEstimationType(EstimationType.R_7).evaluate(values, percent);
  }

  /** Table with a row for each query and encoding; times are in nanoseconds. */
  Table summary() {
    final Table table = new Table(
        "query", "type", "encoding", "segments", "rows", "selectedRows", "sizeInBytes", "jvms", "rounds",
        "nanosMedian", "nanosMin", "nanosMax", "speedup", "speedupLow", "speedupHigh"
    );
    for (Measured.Asked query : queries()) {
      for (Measured.Source source : sources()) {
        final double[] nanos = nanos(query.name(), source.encoding());
        @Nullable final Speedup speedup = speedup(query.name(), source.encoding());
        table.add(
            query.name(),
            query.type(),
            source.encoding(),
            source.segments(),
            source.rows(),
            query.selectedRows(),
            source.sizeInBytes(),
            jvms.size(),
            nanos.length,
            percentile(nanos, HALF),
            StatUtils.min(nanos),
            StatUtils.max(nanos),
            speedup == null ? null : speedup.median,
            speedup == null ? null : speedup.low,
            speedup == null ? null : speedup.high
        );
      }
    }
    return table;
  }

  /** Table of every single time. */
  Table rounds() {
    final Table table = new Table("jvm", "round", "query", "encoding", "nanos");
    for (int jvm = 0; jvm < jvms.size(); jvm++) {
      for (Measured.Time time : jvms.get(jvm).times()) {
        table.add(jvm, time.round(), time.query(), time.encoding(), time.nanos());
      }
    }
    return table;
  }

  /**
   * Summary for people: milliseconds, speedups with their quartiles, and the geometric mean of the speedups at the end.
   */
  Table text() {
    final List<String> header = new ArrayList<>(List.of("query", "rows selected", baseline() + ", ms"));
    others().forEach(
        source -> header.addAll(List.of(source.encoding() + ", ms", "times as fast", "half of the rounds"))
    );
    final Table table = new Table(header.toArray(String[]::new));
    for (Measured.Asked query : queries()) {
      final List<Object> row = new ArrayList<>(
          List.of(query.name(), query.selectedRows(), millis(query.name(), baseline()))
      );
      for (Measured.Source source : others()) {
        final Speedup speedup = Objects.requireNonNull(speedup(query.name(), source.encoding()));
        row.add(millis(query.name(), source.encoding()));
        row.add(ratio(speedup.median));
        row.add(ratio(speedup.low) + " to " + ratio(speedup.high));
      }
      table.add(row.toArray());
    }
    if (others().isEmpty()) {
      return table;
    }
    final List<Object> mean = new ArrayList<>(List.of("geometric mean", "", ""));
    for (Measured.Source source : others()) {
      final double[] medians = queries().stream()
          .mapToDouble(query -> Objects.requireNonNull(speedup(query.name(), source.encoding())).median)
          .toArray();
      mean.addAll(List.of("", ratio(StatUtils.geometricMean(medians)), ""));
    }
    table.add(mean.toArray());
    return table;
  }

  private double millis(String query, String encoding) {
    return percentile(nanos(query, encoding), HALF) / NANOS_PER_MILLI;
  }

  private static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }

  private List<Measured.Source> others() {
    return sources().subList(1, sources().size());
  }

  // ---- the profile

  /** Returns whether a profiler ran. */
  boolean hasProfile() {
    return jvms.stream().anyMatch(jvm -> !jvm.profile().isEmpty());
  }

  private List<Measured.Profile> profiles(String query, String encoding) {
    return jvms.stream()
        .flatMap(jvm -> jvm.profile().stream())
        .filter(profile -> profile.query().equals(query) && profile.encoding().equals(encoding))
        .toList();
  }

  private static <K> Map<K, Long> samples(List<Measured.Profile> profiles, Function<Measured.Sampled, K> key) {
    return profiles.stream()
        .flatMap(profile -> profile.seen().stream())
        .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.summingLong(Measured.Sampled::samples)));
  }

  private static long sum(Map<?, Long> samples) {
    return samples.values().stream().mapToLong(Long::longValue).sum();
  }

  private record Place(ProfilePart part, String method) {}

  /**
   * Profile with a row for each innermost method, by query, encoding and part, the most frequent first: samples, their
   * share of the query's samples, and the same share of the query's median time in nanoseconds.
   */
  Table profile() {
    final Table table = new Table("query", "encoding", "part", "method", "samples", "share", "nanos");
    for (Measured.Asked query : queries()) {
      for (Measured.Source source : sources()) {
        final double median = percentile(nanos(query.name(), source.encoding()), HALF);
        final Map<Place, Long> samples = samples(
            profiles(query.name(), source.encoding()),
            sampled -> new Place(sampled.part(), sampled.method())
        );
        final long all = sum(samples);
        samples.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.reverseOrder())).forEach(
            seen -> table.add(
                query.name(),
                source.encoding(),
                seen.getKey().part,
                seen.getKey().method,
                seen.getValue(),
                (double) seen.getValue() / all,
                seen.getValue() * median / all
            )
        );
      }
    }
    return table;
  }

  /**
   * Profile for people: the percentage of each part in the samples of each query, and the percentage of the threads'
   * busy time that was sampled.
   */
  Table profileText() {
    final List<String> header = new ArrayList<>(List.of("query", "encoding"));
    Stream.of(ProfilePart.values()).forEach(part -> header.add(part + " %"));
    header.addAll(List.of("samples", "seen %"));
    final Table table = new Table(header.toArray(String[]::new));
    for (Measured.Asked query : queries()) {
      for (Measured.Source source : sources()) {
        final List<Measured.Profile> profiles = profiles(query.name(), source.encoding());
        final Map<ProfilePart, Long> samples = samples(profiles, Measured.Sampled::part);
        final long all = sum(samples);
        final List<Object> row = new ArrayList<>(List.of(query.name(), source.encoding()));
        for (ProfilePart part : ProfilePart.values()) {
          row.add(percent(samples.getOrDefault(part, 0L), (double) all));
        }
        row.add(all);
        row.add(percent(all, profiles.stream().mapToDouble(Measured.Profile::expected).sum()));
        table.add(row.toArray());
      }
    }
    return table;
  }

  private static long percent(long part, double whole) {
    return whole == 0 ? 0 : Math.round(PERCENT * part / whole);
  }
}
