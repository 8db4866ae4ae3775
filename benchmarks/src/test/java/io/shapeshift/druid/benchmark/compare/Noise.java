// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Times as benchmarks on a shared machine show them: iterations and forks each differ by a normal 5 to 10 % of the
 * time, and one iteration in twenty is disturbed, by up to 170 %.
 */
final class Noise {
  private static final int ITERATIONS = 5;

  private final Random random;

  Noise(long seed) {
    random = new Random(seed);
  }

  /** The forks of both sides, of a benchmark with noise of its own. */
  List<List<double[]>> pair(int forks, double ratio) {
    final double ofForks = 0.05 + 0.05 * random.nextDouble();
    final double ofIterations = 0.05 + 0.05 * random.nextDouble();
    return List.of(
        side(forks, 1e6, ofForks, ofIterations),
        side(forks, 1e6 * ratio, ofForks, ofIterations)
    );
  }

  private List<double[]> side(int forks, double nanos, double ofForks, double ofIterations) {
    return IntStream.range(0, forks).mapToObj(fork -> {
      final double inFork = nanos * Math.exp(ofForks * random.nextGaussian());
      return IntStream.range(0, ITERATIONS)
                      .mapToDouble(i -> inFork * Math.exp(ofIterations * random.nextGaussian() + disturbance()))
                      .toArray();
    }).toList();
  }

  private double disturbance() {
    return random.nextInt(20) == 0 ? random.nextDouble() : 0;
  }
}
