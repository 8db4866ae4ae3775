// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import io.shapeshift.druid.tool.cli.ToolException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Old and new results beside each other.
 *
 * @param old       the old
 * @param now       the new
 * @param threshold share by which something must be slower at least
 * @param pairs     what both measured, the worst first
 * @param onlyOld   what only the old measured
 * @param onlyNew   what only the new measured
 */
record Comparison(
    Results old,
    Results now,
    double threshold,
    List<Pair> pairs,
    List<BenchmarkKey> onlyOld,
    List<BenchmarkKey> onlyNew
) {
  /** Share of chance among what is said to be slower, and among what is said to be faster. */
  private static final double FALSE_DISCOVERIES = 0.05;
  private static final String ENCODING = "encoding";

  /**
   * A group of pairs.
   *
   * @param name  of what they have in common
   * @param pairs how many
   * @param ratio geometric mean of the pairs' ratios
   */
  record Group(String name, int pairs, double ratio) {}

  /** Compares. */
  static Comparison of(Results old, Results now, double threshold) {
    final List<BenchmarkKey> both = old.measurements().keySet().stream().filter(now.measurements()::containsKey)
                                       .toList();
    if (both.isEmpty()) {
      throw new ToolException(
          old.path() + ", " + now.path(),
          "nothing was measured by both: the old has " + old.measurements().keySet().iterator().next()
              + ", the new " + now.measurements().keySet().iterator().next(),
          "Run the same benchmarks with the same parameters"
      );
    }
    final List<Sample> before = samples(both, old);
    final List<Sample> after = samples(both, now);
    final List<Ratio> ratios = new ArrayList<>();
    for (int i = 0; i < both.size(); i++) {
      ratios.add(Ratio.of(before.get(i), after.get(i), threshold));
    }
    final double slower = limit(ratios, Ratio::slowerByChance);
    final double faster = limit(ratios, Ratio::fasterByChance);
    final List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < both.size(); i++) {
      final BenchmarkKey key = both.get(i);
      final Ratio ratio = ratios.get(i);
      final Verdict verdict;
      if (ratio.low() != null && ratio.low() > 1 + threshold) {
        verdict = ratio.slowerByChance() <= slower ? Verdict.SLOWER : Verdict.PERHAPS_SLOWER;
      } else if (ratio.high() != null && ratio.high() < 1 / (1 + threshold)) {
        verdict = ratio.fasterByChance() <= faster ? Verdict.FASTER : Verdict.PERHAPS_FASTER;
      } else {
        verdict = Verdict.WITHIN_NOISE;
      }
      pairs.add(new Pair(
          key, old.measurements().get(key), now.measurements().get(key), before.get(i), after.get(i), ratio, verdict
      ));
    }
    pairs.sort(Comparator.comparing(Pair::verdict).thenComparing(pair -> -pair.ratio().value()));
    return new Comparison(old, now, threshold, pairs, without(old, now), without(now, old));
  }

  private static List<Sample> samples(List<BenchmarkKey> keys, Results results) {
    return keys.stream().map(key -> Sample.of(results.measurements().get(key).forks())).toList();
  }

  private static List<BenchmarkKey> without(Results results, Results others) {
    return results.measurements().keySet().stream().filter(key -> !others.measurements().containsKey(key)).toList();
  }

  /** The highest probability that still counts, after Benjamini and Hochberg. */
  private static double limit(List<Ratio> ratios, ToDoubleFunction<Ratio> chance) {
    final double[] sorted = ratios.stream().mapToDouble(chance).sorted().toArray();
    for (int i = sorted.length - 1; i >= 0; i--) {
      if (sorted[i] <= FALSE_DISCOVERIES * (i + 1) / sorted.length) {
        return sorted[i];
      }
    }
    return -1;
  }

  /** How many pairs there are of a verdict. */
  long count(Verdict verdict) {
    return pairs.stream().filter(pair -> pair.verdict() == verdict).count();
  }

  /** Means by class of the benchmark. */
  List<Group> byBenchmark() {
    return groups(pairs, pair -> pair.key().className());
  }

  /** Means by encoding, of what has one. */
  List<Group> byEncoding() {
    return groups(
        pairs.stream().filter(pair -> pair.key().params().containsKey(ENCODING)).toList(),
        pair -> pair.key().params().get(ENCODING)
    );
  }

  private static List<Group> groups(List<Pair> pairs, Function<Pair, String> name) {
    final Map<String, List<Double>> logarithms = pairs.stream().collect(Collectors.groupingBy(
        name, TreeMap::new, Collectors.mapping(pair -> Math.log(pair.ratio().value()), Collectors.toList())
    ));
    return logarithms.entrySet().stream().map(entry -> new Group(
        entry.getKey(),
        entry.getValue().size(),
        Math.exp(entry.getValue().stream().mapToDouble(Double::doubleValue).average().orElseThrow())
    )).toList();
  }

  /** Whether the JVMs are known to differ. */
  boolean hasOtherJvms() {
    return old.run() != null && now.run() != null && !old.run().jvm().equals(now.run().jvm());
  }

  /** What a reader must know before believing any of it. */
  List<String> warnings() {
    final List<String> warnings = new ArrayList<>();
    for (Results side : List.of(old, now)) {
      if (side.run() == null) {
        warnings.add(side.path() + " has no run.json: nothing is known of its commit, machine and JVM");
      }
    }
    if (old.run() != null && now.run() != null) {
      if (!old.run().machine().equals(now.run().machine())) {
        warnings.add("The machines differ: what takes longer may do so for that alone");
      }
      if (hasOtherJvms()) {
        warnings.add("The JVMs or their options differ: what takes longer may do so for that alone");
      }
    }
    final long otherSettings = pairs.stream().filter(Pair::hasOtherSettings).count();
    if (otherSettings > 0) {
      warnings.add(otherSettings + " of " + pairs.size() + " pairs were measured with another number, or another "
          + "length, of iterations: what is warmed up longer is faster for that alone");
    }
    final long oneFork = pairs.stream().filter(Pair::hasOneFork).count();
    if (oneFork > 0) {
      warnings.add(oneFork + " of " + pairs.size() + " pairs have one fork on a side. How much forks differ is unknown "
          + "then: the noise is underestimated, and more is named than there is. Run several forks, or add --rerun");
    }
    return warnings;
  }
}
