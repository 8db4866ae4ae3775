// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.RandomData;
import it.unimi.dsi.fastutil.longs.LongList;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is wanted can be told one by one where it is a list. */
@ExtendWith(RandomData.Seeded.class)
class WantedNumbersTest {
  private static void assertSortables(WantedNumbers wanted, long... sortables) {
    assertEquals(LongList.of(sortables), wanted.sortables());
    assertEquals(sortables.length, wanted.count());
    assertTrue(Arrays.stream(sortables).allMatch(wanted::contains), () -> Arrays.toString(sortables));
  }

  @Test
  void numbersAscendAndAreThereOnce() {
    assertSortables(WantedNumbers.of(NumberType.LONG));
    assertSortables(WantedNumbers.of(NumberType.LONG, 7, -3, 7), -3, 7);
    assertSortables(WantedNumbers.of(NumberType.LONG, 3, 1, 2), 1, 2, 3);
    assertSortables(WantedNumbers.between(NumberType.LONG, 5, 8), 5, 6, 7, 8);
    final long last = Long.MAX_VALUE;
    assertSortables(WantedNumbers.between(NumberType.LONG, last - 1, last), last - 1, last);
    final long zero = NumberType.DOUBLE.sortableOf(0);
    assertSortables(WantedNumbers.of(NumberType.DOUBLE, zero, NumberType.DOUBLE.sortableOf(-0.0)), zero - 1, zero);
  }

  /** A few of many random numbers follow each other: these are looked up as the others are. */
  @Test
  void aListMayHaveNeighbours(RandomData random) {
    final long[] sortables = LongStream
        .concat(LongStream.range(0, 500).map(i -> random.nextInt(100_000)), LongStream.of(40, 41))
        .sorted()
        .distinct()
        .toArray();
    final WantedNumbers wanted = WantedNumbers.of(NumberType.LONG, sortables);
    assertTrue(wanted.isList());
    assertSortables(wanted, sortables);
    final LongList all = LongList.of(sortables);
    for (long sortable = -5; sortable < 100_005; sortable++) {
      assertEquals(all.contains(sortable), wanted.contains(sortable), "sortable " + sortable);
    }
    assertFalse(WantedNumbers.of(NumberType.LONG, LongStream.range(0, 500).toArray()).isList());
  }

  @Test
  void whatCannotBeCounted() {
    assertEquals(Long.MAX_VALUE, WantedNumbers.matching(sortable -> true).count());
    assertEquals(Long.MAX_VALUE, WantedNumbers.between(NumberType.LONG, Long.MIN_VALUE, Long.MAX_VALUE).count());
    assertEquals(Long.MAX_VALUE, WantedNumbers.between(NumberType.LONG, -2, Long.MAX_VALUE).count());
    // Many bits are not a number.
    assertTrue(WantedNumbers.of(NumberType.DOUBLE, NumberType.DOUBLE.nanSortable()).count() > 1L << 51);
  }
}
