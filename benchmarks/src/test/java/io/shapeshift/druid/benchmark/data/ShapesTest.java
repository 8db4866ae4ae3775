// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapesTest {
  private static final int ROWS = 100_000;

  private static long[] longs(String name) {
    return ((RowValues.Longs) Shapes.of(EncodedType.LONG, name, ROWS)).values();
  }

  private static double[] doubles(String name) {
    return ((RowValues.Doubles) Shapes.of(EncodedType.DOUBLE, name, ROWS)).values();
  }

  private static int numRuns(long[] values) {
    return 1 + (int) IntStream.range(1, values.length).filter(row -> values[row] != values[row - 1]).count();
  }

  /** Asserts a share of the rows within six times its deviation. */
  private static void assertShare(double expected, long rows) {
    assertEquals(expected, rows / (double) ROWS, 6 * Math.sqrt(expected * (1 - expected) / ROWS));
  }

  // ---- all of them

  @ParameterizedTest
  @EnumSource(value = EncodedType.class, names = {"INT", "LONG", "FLOAT", "DOUBLE"})
  void allAreTheSameEachTime(EncodedType type) {
    for (String name : Shapes.names(type)) {
      final RowValues first = Shapes.of(type, name, 2000);
      final RowValues second = Shapes.of(type, name, 2000);
      assertEquals(2000, first.rows());
      switch (type) {
        case INT -> assertArrayEquals(((RowValues.Ids) first).ids(), ((RowValues.Ids) second).ids(), name);
        case LONG -> assertArrayEquals(((RowValues.Longs) first).values(), ((RowValues.Longs) second).values(), name);
        case FLOAT ->
            assertArrayEquals(((RowValues.Floats) first).values(), ((RowValues.Floats) second).values(), name);
        default ->
            assertArrayEquals(((RowValues.Doubles) first).values(), ((RowValues.Doubles) second).values(), name);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = EncodedType.class, names = {"INT", "LONG", "FLOAT", "DOUBLE"})
  void noneIsCalledLikeADistribution(EncodedType type) {
    final Set<String> names = new HashSet<>(Shapes.names(type));
    assertEquals(Shapes.names(type).size(), names.size());
    names.retainAll(Distributions.names(type));
    assertEquals(Set.of(), names);
  }

  @Test
  void intsAreTheIdsOfADictionary() {
    for (String name : Shapes.names(EncodedType.INT)) {
      final RowValues.Ids column = (RowValues.Ids) Shapes.of(EncodedType.INT, name, 2000);
      assertArrayEquals(
          IntStream.range(0, column.cardinality()).toArray(),
          Arrays.stream(column.ids()).sorted().distinct().toArray(),
          name
      );
    }
  }

  @Test
  void aNameThatThereIsNotIsRefused() {
    final String message =
        assertThrows(IllegalArgumentException.class, () -> Shapes.of(EncodedType.INT, "minutes", 1)).getMessage();
    assertTrue(message.startsWith("There is no shape 'minutes' of ints. There are runs-2-of-2, "), message);
  }

  // ---- what they are like

  @ParameterizedTest
  @CsvSource({"2, 2", "2, 1000", "3, 18", "4, 1000", "8, 18", "20, 2", "200, 18"})
  void runsHaveTheLengthAndValuesOfTheirName(int length, int values) {
    final long[] column = longs("runs-" + length + "-of-" + values);
    assertShare(1.0 / length, numRuns(column));
    assertEquals(values, LongStream.of(column).distinct().count());
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5, 7, 9, 11, 50, 300, 3000})
  void fewAreAsManyAndFarApart(int values) {
    final long[] distinct = LongStream.of(longs("few-" + values)).sorted().distinct().toArray();
    assertEquals(values, distinct.length);
    assertTrue(distinct[distinct.length - 1] - distinct[0] > 1L << 37);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 15, 30})
  void asManyRowsAsItsNameSaysAreFar(int percent) {
    assertShare(percent / 100.0, LongStream.of(longs("far-" + percent)).filter(value -> value >= 16).count());
  }

  @Test
  void aMeterHasEighteenReadings() {
    final long[] column = longs("meter");
    assertEquals(18, LongStream.of(column).distinct().count());
    // In a tenth of the rows, every other reading ends two runs, some of which have equal readings.
    final int runs = numRuns(column);
    assertTrue(runs > ROWS / 10 && runs < ROWS / 4, String.valueOf(runs));
  }

  @Test
  void ninetyNineOfAHundredRowsArePeriodic() {
    final long[] column = longs("periodic-noise");
    final long same = IntStream.range(96, ROWS).filter(row -> column[row] == column[row - 96]).count();
    assertTrue(same > 0.97 * ROWS && same < 0.99 * ROWS, String.valueOf(same));
  }

  @Test
  void nearlySortedIsSortedButForNeighbours() {
    final long[] column = longs("nearly-sorted");
    final long inPlace = IntStream.range(0, ROWS).filter(row -> column[row] == row * 3L).count();
    assertTrue(inPlace > 0.88 * ROWS && inPlace < 0.93 * ROWS, String.valueOf(inPlace));
    assertArrayEquals(
        LongStream.range(0, ROWS).map(row -> row * 3).toArray(),
        LongStream.of(column).sorted().toArray()
    );
  }

  @Test
  void oneExceptionIsOne() {
    assertEquals(1, LongStream.of(longs("one-exception")).filter(value -> value != 7).count());
  }

  @Test
  void aCounterRisesUntilItIsReset() {
    final long[] column = longs("counter");
    assertShare(1 / 5000.0, IntStream.range(1, ROWS).filter(row -> column[row] < column[row - 1]).count());
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 56, 63})
  void bitsAreAsManyAsItsNameSays(int bits) {
    assertEquals((1L << bits) - 1, LongStream.of(longs("bits-" + bits)).reduce(0, (a, b) -> a | b));
  }

  @Test
  void minutesAreRegularButForGaps() {
    final long[] column = longs("minutes");
    final Set<Long> steps = new HashSet<>();
    IntStream.range(1, ROWS).forEach(row -> steps.add(column[row] - column[row - 1]));
    assertEquals(Set.of(60_000L, 86_400_000L), steps);
  }

  @Test
  void decimalsHaveTheirDigits() {
    for (int digits : List.of(3, 5, 6)) {
      final double unit = Math.pow(10, digits);
      final double[] column = doubles("decimals-" + digits);
      assertTrue(DoubleStream.of(column).allMatch(value -> value == Math.rint(value * unit) / unit));
    }
    assertShare(0.01, DoubleStream.of(doubles("decimals-nan")).filter(Double::isNaN).count());
    assertTrue(DoubleStream.of(doubles("singles")).allMatch(value -> value == (float) value));
  }

  @Test
  void realsOfCommonShapesAreHundredths() {
    final long[] whole = longs("steps");
    assertArrayEquals(LongStream.of(whole).mapToDouble(value -> value / 100.0).toArray(), doubles("steps"));
  }
}
