// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * One of the results that JMH writes with {@code -rf json}, as far as a comparison needs it.
 *
 * @param benchmark             name of the method with that of its class
 * @param mode                  such as avgt
 * @param threads               that ran it at once
 * @param jvmArgs               of the forks
 * @param warmupIterations      how many
 * @param warmupTime            of one, such as 500 ms
 * @param measurementIterations how many
 * @param measurementTime       of one
 * @param params                null without parameters
 * @param primaryMetric         the time
 * @param secondaryMetrics      what profilers tell
 */
record JmhResult(
    String benchmark,
    String mode,
    int threads,
    List<String> jvmArgs,
    int warmupIterations,
    String warmupTime,
    int measurementIterations,
    String measurementTime,
    @Nullable Map<String, String> params,
    Metric primaryMetric,
    Map<String, Metric> secondaryMetrics
) {
  /** Whether as many iterations of the same length, by as many threads, were to measure it. */
  boolean isMeasuredLike(JmhResult other) {
    return threads == other.threads
        && warmupIterations == other.warmupIterations
        && warmupTime.equals(other.warmupTime)
        && measurementIterations == other.measurementIterations
        && measurementTime.equals(other.measurementTime);
  }

  /**
   * Something measured.
   *
   * @param score     the mean
   * @param scoreUnit such as ns/op
   * @param rawData   iterations of each fork; null in modes that take samples
   */
  record Metric(double score, String scoreUnit, @Nullable List<List<Double>> rawData) {}
}
