// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import io.shapeshift.druid.fuzz.Fuzzing;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a file has, it is a table or is refused with a message. */
@ExtendWith(RandomData.Seeded.class)
class InputFuzzTest {
  @ParameterizedTest
  @EnumSource(InputTarget.class)
  void readsOrRefuses(InputTarget target, RandomData random) throws IOException, InterruptedException {
    Fuzzing.replay(target, random, Tier.pick(300, 20_000));
    Fuzzing.fuzz(target);
  }
}
