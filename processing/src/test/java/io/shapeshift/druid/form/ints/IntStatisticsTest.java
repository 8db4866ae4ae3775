// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.testing.RandomData;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(RandomData.Seeded.class)
class IntStatisticsTest {
  @Test
  void looksAtTheFirstValuesOnly() {
    final IntStatistics statistics = IntStatistics.of(new int[] {4, 2, 3, 0, 99}, 3);
    assertEquals(3, statistics.numValues());
    assertEquals(2, statistics.min());
    assertEquals(4, statistics.max());
    assertEquals(2, statistics.numChanges());
    assertEquals(2, statistics.rowWidth());
    assertEquals(3, statistics.numDistinctForBytes());
  }

  @Test
  void tellsConstantAndZero() {
    assertTrue(of(0, 0).isZero());
    assertTrue(of(0, 0).isConstant());
    assertTrue(of(7, 7).isConstant());
    assertFalse(of(7, 7).isZero());
    assertFalse(of(7, 8).isConstant());
    assertFalse(of(0, 8).isZero());
  }

  @ParameterizedTest
  @CsvSource({"5, 5, 0", "5, 6, 1", "5, 7, 2", "5, 8, 2", "5, 9, 3", "0, 2147483647, 31", "1, 2147483647, 31"})
  void widthIsThatOfTheLargestDifference(int min, int max, int expected) {
    assertEquals(expected, of(max, min).width());
    assertEquals(expected, of(max, min).rowWidth());
  }

  /** Rows are as wide as {@link io.shapeshift.druid.bits.InterleavedPacking} has lanes. */
  @Test
  void rowsAreJudgedOneByOne() {
    final int[] odd = IntStream.range(0, 100).map(i -> i / 16 * 1000 + i % 16 % 5).toArray();
    assertEquals(3, of(odd).rowWidth());
    assertEquals(13, of(odd).width());
    odd[99] += 200;
    assertEquals(8, of(odd).rowWidth());
    assertEquals(9, of(RandomData.sequence(16_384, 70)).rowWidth());
    assertEquals(5, of(RandomData.sequence(1024, 0)).rowWidth());
  }

  @Test
  void countsDistinctValuesAsFarAsTheyMatter(RandomData random) {
    assertEquals(1, of(7, 7).numDistinctForBytes());
    assertEquals(256, of(RandomData.sequence(256, 0)).numDistinctForBytes());
    assertTrue(of(RandomData.sequence(60_000, 0)).numDistinctForBytes() > 256);

    // 100 values of 10 bits: with codes of 5 bits, 500 bits remain for entries, and with codes of 6 bits 400.
    final int[] many = Stream.of(RandomData.sequence(40, 0), RandomData.constant(60, 1000))
        .flatMapToInt(Arrays::stream).toArray();
    assertEquals(Integer.MAX_VALUE, of(many).numDistinct());
    many[0] = 5;
    assertEquals(40, of(many).numDistinct());
    assertEquals(Integer.MAX_VALUE, of(0, 1, 0, 1, 1).numDistinct(), "no code takes less than a bit");
    assertEquals(Integer.MAX_VALUE, of(random.uniform(Limits.MAX_DIRECT_INTS + 1, 1)).numDistinct());
  }

  @Test
  void partsVaryIfTheyNeedFewerBitsOrChangeMoreOrLessOften(RandomData random) {
    assertFalse(of(random.uniform(1024, 1)).varies(1024));
    assertFalse(of(RandomData.constant(1024, 7)).varies(256));
    final int[] even = IntStream.range(0, 1024).map(i -> i % 256).toArray();
    assertFalse(of(even).varies(256));
    assertTrue(of(RandomData.sequence(1024, 0)).varies(256), "8 bits each, of 10");
    final int[] changes = IntStream.range(0, 1024).map(i -> i < 512 ? i % 4 : i % 256 / 64).toArray();
    assertFalse(of(changes).varies(1024));
    assertTrue(of(changes).varies(256), "255 changes, and 3");
  }

  @Test
  void shareAboveIsThatOfASample(RandomData random) {
    assertEquals(0, of(5, 6, 7).shareAbove(7));
    assertEquals(1, of(5, 6, 7).shareAbove(4));
    assertEquals(1.0 / 3, of(5, 6, 7).shareAbove(6));
    assertEquals(0.5, of(random.uniform(16_384, 10)).shareAbove(511), 0.2);
    assertEquals(0.5, of(RandomData.sequence(16_384, 0)).shareAbove(8191), 0.01);
  }

  @Test
  void findingsAreMadeOnceForEachForm() {
    final IntStatistics statistics = of(1, 2);
    final IntForm one = IntForms.byId((byte) 0);
    final IntForm other = IntForms.byId((byte) 1);
    final String first = statistics.findings().once(one, String.class, () -> "first");
    assertSame(first, statistics.findings().once(one, String.class, () -> "second"));
    assertEquals("second", statistics.findings().once(other, String.class, () -> "second"));
  }

  private static IntStatistics of(int... values) {
    return IntStatistics.of(values, values.length);
  }
}
