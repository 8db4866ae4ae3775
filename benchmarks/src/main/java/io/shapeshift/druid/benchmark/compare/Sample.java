// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * How long an operation took, and how far chance alone moves that.
 *
 * <p>Iterations of one fork share its memory layout and its compiled code, and resemble each other more than those of
 * another fork do. So of several forks each counts once, with its median. Of one fork there are iterations only, which
 * know nothing of how much forks differ.
 *
 * @param nanos    the geometric mean of the forks' medians
 * @param variance of the logarithm of that
 * @param units    how many measurements it is of that do not depend on each other: forks, or iterations of the only one
 */
record Sample(double nanos, double variance, int units) {
  private static final int RESAMPLES = 1000;

  /**
   * Looks at what was measured; the same answer at each call.
   *
   * @param forks the iterations of each
   */
  static Sample of(List<double[]> forks) {
    final double[] logarithms = forks.stream().mapToDouble(Sample::logOfMedian).toArray();
    final double nanos = Math.exp(StatUtils.mean(logarithms));
    return forks.size() == 1
           ? ofIterations(nanos, forks.get(0))
           : new Sample(nanos, StatUtils.variance(logarithms) / forks.size(), forks.size());
  }

  /** A bootstrap: one iteration that something disturbed moves a median little, and should widen no interval. */
  private static Sample ofIterations(double nanos, double[] iterations) {
    final int n = iterations.length;
    if (n == 1) {
      return new Sample(nanos, Double.NaN, 1);
    }
    final Random random = new Random(1);
    final double[] logarithms = new double[RESAMPLES];
    Arrays.setAll(
        logarithms,
        i -> logOfMedian(random.ints(n, 0, n).mapToDouble(index -> iterations[index]).toArray())
    );
    // Draws from n values instead of from what those were drawn from vary too little by this factor.
    return new Sample(nanos, StatUtils.variance(logarithms) * n / (n - 1), n);
  }

  private static double logOfMedian(double[] values) {
    return Math.log(new Median().evaluate(values));
  }
}
