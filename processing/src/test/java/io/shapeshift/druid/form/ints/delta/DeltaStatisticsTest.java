// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.delta;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeltaStatisticsTest {
  @Test
  void leavesOutTheValuesThatAreStored() {
    assertEquals(new DeltaStatistics(0, 0, true), of(7));
    assertEquals(new DeltaStatistics(-7, 0, false), of(7, 0));
    assertEquals(new DeltaStatistics(-Integer.MAX_VALUE, 32, false), of(0, Integer.MAX_VALUE, 0));
    final int[] steps = IntStream.range(0, 300).map(i -> i / 128 * 1_000_000 + 3 * i).toArray();
    assertEquals(new DeltaStatistics(3, 0, true), of(steps));
  }

  private static DeltaStatistics of(int... values) {
    return DeltaStatistics.of(values, values.length);
  }
}
