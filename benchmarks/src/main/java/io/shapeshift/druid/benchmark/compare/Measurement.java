// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import java.util.List;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * What one side measured of one benchmark.
 *
 * @param settings    what JMH ran it with
 * @param forks       the nanoseconds of each fork's iterations
 * @param sizeInBytes of what was measured; null if that is not told
 */
record Measurement(JmhResult settings, List<double[]> forks, @Nullable Long sizeInBytes) {
  private static final String SIZE = "sizeInBytes";
  private static final String UNIT = "ns/op";

  /**
   * Takes one of JMH's results.
   *
   * @throws IllegalArgumentException with a message that says what is wrong, if it holds no times
   */
  static Measurement of(JmhResult result) {
    if (!UNIT.equals(result.primaryMetric().scoreUnit())) {
      throw new IllegalArgumentException("it is in " + result.primaryMetric().scoreUnit() + ", not in " + UNIT);
    }
    final List<List<Double>> raw = result.primaryMetric().rawData();
    if (raw == null || raw.isEmpty() || raw.stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException("it has no iterations");
    }
    final List<double[]> forks = raw.stream()
                                    .map(fork -> fork.stream().mapToDouble(Double::doubleValue).toArray())
                                    .toList();
    for (double[] fork : forks) {
      for (double nanos : fork) {
        if (!(nanos > 0 && nanos < Double.POSITIVE_INFINITY)) {
          throw new IllegalArgumentException("an iteration took " + nanos + " ns");
        }
      }
    }
    final JmhResult.Metric size = result.secondaryMetrics().get(SIZE);
    return new Measurement(result, forks, size == null ? null : Math.round(size.score()));
  }

  /** The forks of both. */
  Measurement and(Measurement other) {
    return new Measurement(
        settings,
        Stream.concat(forks.stream(), other.forks.stream()).toList(),
        sizeInBytes == null ? other.sizeInBytes : sizeInBytes
    );
  }
}
