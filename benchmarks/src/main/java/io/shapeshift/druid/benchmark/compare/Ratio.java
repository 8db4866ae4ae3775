// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import javax.annotation.Nullable;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * How many times as long the new takes as the old.
 *
 * <p>The interval is Student's t around the ratio's logarithm, with Welch's degrees of freedom. A bootstrap of forks
 * has too few to draw from: where noise was simulated, the quantiles of one held the true ratio in 88 % of the cases
 * with two forks and in 93 % with three, where this interval does in 98 % and 96 %.
 *
 * @param value          new / old
 * @param low            lower end of its 95 % confidence interval; null if a side has one measurement only
 * @param high           upper end
 * @param slowerByChance probability of such a ratio or a higher one if the new took (1 + threshold) times as long
 * @param fasterByChance probability of such a ratio or a lower one if the old took (1 + threshold) times as long
 */
record Ratio(
    double value,
    @Nullable Double low,
    @Nullable Double high,
    double slowerByChance,
    double fasterByChance
) {
  /** Share of intervals that do not hold the true ratio. */
  private static final double ALPHA = 0.05;

  static Ratio of(Sample before, Sample after, double threshold) {
    final double value = after.nanos() / before.nanos();
    if (before.units() == 1 || after.units() == 1) {
      return new Ratio(value, null, null, 1, 1);
    }
    final double logarithm = Math.log(value);
    final double margin = Math.log1p(threshold);
    final double variance = before.variance() + after.variance();
    if (variance == 0) {
      return new Ratio(value, value, value, logarithm > margin ? 0 : 1, logarithm < -margin ? 0 : 1);
    }
    final double error = Math.sqrt(variance);
    final TDistribution student = new TDistribution(
        null,
        variance * variance / (squareOfVariance(before) + squareOfVariance(after))
    );
    final double reach = student.inverseCumulativeProbability(1 - ALPHA / 2) * error;
    return new Ratio(
        value,
        Math.exp(logarithm - reach),
        Math.exp(logarithm + reach),
        student.cumulativeProbability((margin - logarithm) / error),
        student.cumulativeProbability((margin + logarithm) / error)
    );
  }

  private static double squareOfVariance(Sample sample) {
    return sample.variance() * sample.variance() / (sample.units() - 1);
  }
}
