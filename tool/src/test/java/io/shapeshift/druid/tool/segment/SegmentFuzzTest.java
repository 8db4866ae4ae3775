// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.fuzz.Fuzzing;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the files of a segment's directory have, the tool verifies it or says what is wrong. */
@ExtendWith(RandomData.Seeded.class)
class SegmentFuzzTest {
  @ParameterizedTest
  @EnumSource(SegmentTarget.class)
  void readsOrRefuses(SegmentTarget target, RandomData random) throws IOException, InterruptedException {
    Fuzzing.replay(target, random, Tier.pick(60, 5000));
    Fuzzing.fuzz(target);
  }

  /** Of a damaged container 1.7 GB were allocated, for descriptors. */
  @Test
  void noMemoryForATextThatIsNotThere() {
    final byte[] text = {0x7F, -1, -1, -1, 'a'};
    final IOException thrown =
        assertThrows(IOException.class, () -> Segment.readString(ByteBuffer.wrap(text)));
    assertEquals("a text of 2147483647 bytes is in 5 bytes", thrown.getMessage());
    assertThrows(IOException.class, () -> Segment.readString(ByteBuffer.wrap(new byte[3])));
  }
}
