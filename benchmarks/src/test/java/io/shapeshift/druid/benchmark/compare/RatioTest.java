// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RatioTest {
  private static final double NO_THRESHOLD = 0;

  @Test
  void intervalIsThatOfStudentAndWelch() {
    // Logarithms 0, 1, 2 and 3, 4, 5: means 1 and 4, variances 1 and 1, 4 degrees of freedom, whose t is 2.776445.
    final Sample before = Sample.of(forks(1, Math.E, Math.exp(2)));
    final Sample after = Sample.of(forks(Math.exp(3), Math.exp(4), Math.exp(5)));
    final Ratio ratio = Ratio.of(before, after, NO_THRESHOLD);
    assertEquals(3, Math.log(ratio.value()), 1e-9);
    final double reach = 2.776445 * Math.sqrt(2.0 / 3);
    assertEquals(3 - reach, Math.log(ratio.low()), 1e-5);
    assertEquals(3 + reach, Math.log(ratio.high()), 1e-5);
    // t = 3 / sqrt(2 / 3) = 3.674 with 4 degrees of freedom.
    assertEquals(0.010656, ratio.slowerByChance(), 1e-5);
    assertEquals(1 - 0.010656, ratio.fasterByChance(), 1e-5);
  }

  @Test
  void eachForkCountsOnceHoweverManyIterationsItHas() {
    final Sample few = Sample.of(List.of(new double[]{10, 11, 12}, new double[]{20, 21, 22}));
    final Sample many = Sample.of(List.of(
        new double[]{10, 11, 12, 10, 11, 12, 10, 11, 12},
        new double[]{20, 21, 22, 20, 21, 22, 20, 21, 22}
    ));
    assertEquals(few, many);
    assertEquals(2, few.units());
    assertEquals(Math.sqrt(11 * 21), few.nanos(), 1e-9);
  }

  @Test
  void oneForkHasItsIterationsOnly() {
    final List<double[]> fork = List.of(new double[]{10, 11, 12, 13, 100});
    final Sample sample = Sample.of(fork);
    assertEquals(12, sample.nanos(), 1e-9);
    assertEquals(5, sample.units());
    assertEquals(sample, Sample.of(fork), "the same seed at each call");
    assertNotEquals(0, sample.variance());
  }

  @Test
  void ofOneIterationThereIsNoInterval() {
    final Ratio ratio = Ratio.of(Sample.of(forks(1, 2)), Sample.of(forks(10)), NO_THRESHOLD);
    assertNull(ratio.low());
    assertNull(ratio.high());
    assertEquals(1, ratio.slowerByChance());
  }

  @Test
  void withoutNoiseTheRatioIsExact() {
    final Ratio ratio = Ratio.of(Sample.of(forks(10, 10)), Sample.of(forks(11, 11)), 0.05);
    assertEquals(1.1, ratio.low(), 1e-9);
    assertEquals(1.1, ratio.high(), 1e-9);
    assertEquals(0, ratio.slowerByChance());
    assertEquals(1, ratio.fasterByChance());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 10})
  void intervalHoldsTheTruthAsOftenAsItSays(int forks) {
    final Noise noise = new Noise(forks);
    final int pairs = 2000;
    int held = 0;
    for (int i = 0; i < pairs; i++) {
      final List<List<double[]>> sides = noise.pair(forks, 1.2);
      final Ratio ratio = Ratio.of(Sample.of(sides.get(0)), Sample.of(sides.get(1)), NO_THRESHOLD);
      held += ratio.low() <= 1.2 && 1.2 <= ratio.high() ? 1 : 0;
    }
    final double share = (double) held / pairs;
    assertTrue(share > 0.94, share + " of intervals hold the true ratio");
  }

  private static List<double[]> forks(double... nanos) {
    return Arrays.stream(nanos).mapToObj(time -> new double[]{time}).toList();
  }
}
