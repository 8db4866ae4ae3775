// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.shapeshift.druid.testing.RandomData;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rows are sorted by their keys, and rows of equal keys keep their order. */
@ExtendWith(RandomData.Seeded.class)
class RadixSortTest {
  @Test
  void sortsAsTheLibraryDoes(RandomData random) {
    for (int round = 0; round < 200; round++) {
      final int bits = random.between(0, 64);
      final long common = random.nextLong();
      final int shift = random.nextInt(64);
      final long[] keys = new long[random.oneOf(List.of(0, 1, 2, 100, 5_000))];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = common ^ (bits == 0 ? 0 : (random.nextLong() >>> (64 - bits)) << shift);
      }
      final long[] before = keys.clone();
      final int[] expected = IntStream.range(0, keys.length)
          .boxed()
          .sorted(Comparator.comparing((Integer row) -> before[row], Long::compareUnsigned))
          .mapToInt(row -> row)
          .toArray();
      final int[] order = RadixSort.sort(keys);
      assertArrayEquals(expected, order);
      assertArrayEquals(IntStream.of(order).mapToLong(row -> before[row]).toArray(), keys);
    }
  }
}
