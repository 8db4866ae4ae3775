// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.fuzz;

import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever bytes there are, they are read or refused; {@link Fuzzing} says how to look for others. */
@ExtendWith(RandomData.Seeded.class)
class FuzzTargetsTest {
  private static final int DAMAGED = Tier.pick(400, 100_000);

  static Stream<FuzzTarget> targets() {
    return Stream.concat(Stream.of(ColumnTarget.values()), Stream.of(IndexSpecTarget.values()));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void readsOrRefuses(FuzzTarget target, RandomData random) throws IOException, InterruptedException {
    Fuzzing.replay(target, random, DAMAGED);
    Fuzzing.fuzz(target);
  }
}
