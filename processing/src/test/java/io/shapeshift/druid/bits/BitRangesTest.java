// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.testing.RandomData;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RandomData.Seeded.class)
class BitRangesTest {
  private static final int FIRST = 1 << 30;

  @Test
  void numbersOfAWordAreListedAsByABitSet(RandomData random) {
    for (int count = 0; count <= Long.SIZE; count++) {
      final BitSet bits = new BitSet();
      while (bits.cardinality() < count) {
        bits.set(random.nextInt(Long.SIZE));
      }
      final long word = count == 0 ? 0 : bits.toLongArray()[0];
      final int[] out = new int[1 + count + 3];
      assertEquals(1 + count, BitRanges.list(word, FIRST, out, 1));
      assertArrayEquals(bits.stream().map(bit -> FIRST + bit).toArray(), Arrays.copyOfRange(out, 1, 1 + count));
      assertEquals(0, out[0]);
    }
  }
}
