// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.StatUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DistributionsTest {
  private static final int ROWS = 100_000;

  // ---- all of them

  static List<String> ints() {
    return Distributions.names(EncodedType.INT);
  }

  static List<String> longs() {
    return Distributions.names(EncodedType.LONG);
  }

  static List<String> floats() {
    return Distributions.names(EncodedType.FLOAT);
  }

  static List<String> doubles() {
    return Distributions.names(EncodedType.DOUBLE);
  }

  @ParameterizedTest
  @MethodSource("ints")
  void intsAreTheIdsOfADictionary(String name) {
    final RowValues.Ids column = Distributions.ints(name, ROWS);
    assertEquals(ROWS, column.rows());
    // Ids have no gaps, and none is beyond the cardinality.
    assertArrayEquals(
        IntStream.range(0, column.cardinality()).toArray(),
        Arrays.stream(column.ids()).sorted().distinct().toArray()
    );
    assertArrayEquals(column.ids(), Distributions.ints(name, ROWS).ids());
  }

  @ParameterizedTest
  @MethodSource("longs")
  void longsAreTheSameEachTime(String name) {
    final RowValues.Longs column = Distributions.longs(name, ROWS);
    assertEquals(ROWS, column.rows());
    assertArrayEquals(column.values(), Distributions.longs(name, ROWS).values());
    assertTrue(name.startsWith("wide") || LongStream.of(column.values()).allMatch(value -> value >= 0));
  }

  @ParameterizedTest
  @MethodSource("floats")
  void floatsAreTheSameEachTimeAndFinite(String name) {
    final RowValues.Floats column = Distributions.floats(name, ROWS);
    assertEquals(ROWS, column.rows());
    assertArrayEquals(column.values(), Distributions.floats(name, ROWS).values());
    for (float value : column.values()) {
      assertTrue(Float.isFinite(value));
    }
  }

  @ParameterizedTest
  @MethodSource("doubles")
  void doublesAreTheSameEachTimeAndFinite(String name) {
    final RowValues.Doubles column = Distributions.doubles(name, ROWS);
    assertEquals(ROWS, column.rows());
    assertArrayEquals(column.values(), Distributions.doubles(name, ROWS).values());
    assertTrue(DoubleStream.of(column.values()).allMatch(Double::isFinite));
  }

  // ---- their shapes

  @Test
  void constantIsOneValue() {
    assertEquals(1, Distributions.ints("constant", ROWS).cardinality());
    assertEquals(1, LongStream.of(Distributions.longs("constant", ROWS).values()).distinct().count());
    // Zero would have a form of its own.
    assertTrue(Distributions.longs("constant", ROWS).values()[0] != 0);
  }

  @Test
  void enumeratedHasFiveValuesOfSaidFrequency() {
    final RowValues.Ids column = Distributions.ints("enumerated", ROWS);
    assertEquals(5, column.cardinality());
    final double[] expected = {0.9, 0.06, 0.03, 0.009, 0.001};
    for (int id = 0; id < expected.length; id++) {
      assertShare(expected[id], share(column.ids(), id));
    }
    assertEquals(5, DoubleStream.of(Distributions.doubles("enumerated", ROWS).values()).distinct().count());
  }

  /** The k-th value has the share 1 / k^exponent, divided by the sum of those of all values. */
  @ParameterizedTest
  @CsvSource({"zipf-low-100, 100, 1", "zipf-low-100000, 100000, 1", "zipf-high-100000, 100000, 3"})
  void frequentValuesOfZipfAreAsFrequentAsTheExponentSays(String name, int values, double exponent) {
    final RowValues.Ids column = Distributions.ints(name, ROWS);
    assertTrue(column.cardinality() <= values);
    final double sum = IntStream.rangeClosed(1, values).mapToDouble(k -> 1 / Math.pow(k, exponent)).sum();
    for (int k = 1; k <= 3; k++) {
      assertShare(1 / Math.pow(k, exponent) / sum, share(column.ids(), k - 1));
    }
    final long[] longs = Distributions.longs(name, ROWS).values();
    assertEquals(1, LongStream.of(longs).min().orElseThrow());
    assertTrue(LongStream.of(longs).max().orElseThrow() <= values);
  }

  @Test
  void zipfOfLowExponentReachesAllOfFewValues() {
    assertEquals(100, Distributions.ints("zipf-low-100", ROWS).cardinality());
  }

  @Test
  void normalHasTheMeanAndDeviationOfItsName() {
    final double[] longs = LongStream.of(Distributions.longs("normal-1000", ROWS).values()).asDoubleStream().toArray();
    final double[] doubles = Distributions.doubles("normal-1000", ROWS).values();
    for (double[] values : List.of(longs, doubles)) {
      assertEquals(10_000, StatUtils.mean(values), 20);
      assertEquals(1_000, Math.sqrt(StatUtils.variance(values)), 15);
    }
    assertTrue(DoubleStream.of(doubles).distinct().count() > 0.99 * ROWS);
    // Drawn numbers are within about four deviations to each side.
    final int cardinality = Distributions.ints("normal-1000", ROWS).cardinality();
    assertTrue(cardinality > 5_000 && cardinality < 9_000, String.valueOf(cardinality));
  }

  @Test
  void sequentialCounts() {
    final int[] expected = IntStream.range(0, ROWS).toArray();
    assertArrayEquals(expected, Distributions.ints("sequential", ROWS).ids());
    assertEquals(ROWS, Distributions.ints("sequential", ROWS).cardinality());
    assertArrayEquals(
        IntStream.of(expected).asLongStream().toArray(),
        Distributions.longs("sequential", ROWS).values()
    );
    assertArrayEquals(
        IntStream.of(expected).map(row -> row % 1000).toArray(),
        Distributions.ints("sequential-1000", ROWS).ids()
    );
  }

  @ParameterizedTest
  @ValueSource(ints = {50, 95, 99})
  void sparseIsZeroInAsManyRowsAsItsNameSays(int percent) {
    final String name = "sparse-" + percent;
    final double expected = percent / 100.0;
    final RowValues.Ids ids = Distributions.ints(name, ROWS);
    assertShare(expected, share(ids.ids(), 0));
    assertTrue(ids.cardinality() > 500 && ids.cardinality() <= 1001);
    assertShare(
        expected,
        LongStream.of(Distributions.longs(name, ROWS).values()).filter(value -> value == 0).count() / (double) ROWS
    );
    assertShare(
        expected,
        DoubleStream.of(Distributions.doubles(name, ROWS).values()).filter(value -> value == 0).count() / (double) ROWS
    );
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 8, 12, 16, 20, 32, 48})
  void uniformFillsTheBitsOfItsName(int bits) {
    final long[] values = Distributions.longs("uniform-" + bits, ROWS).values();
    final double end = Math.scalb(1.0, bits);
    assertTrue(LongStream.of(values).allMatch(value -> value >= 0 && value < end));
    assertTrue(LongStream.of(values).max().orElseThrow() >= end * 0.99 - 1);
    // Mean of equally frequent values, within six times its deviation.
    final double mean = LongStream.of(values).asDoubleStream().average().orElseThrow();
    assertEquals((end - 1) / 2, mean, 6 * end / Math.sqrt(12.0 * ROWS));
  }

  @Test
  void uniformIdsOfFewBitsAreAllThere() {
    for (int bits : List.of(1, 4, 8, 12)) {
      assertEquals(1 << bits, Distributions.ints("uniform-" + bits, ROWS).cardinality());
    }
  }

  @Test
  void uniformRealsAreBetweenZeroAndOne() {
    final double[] values = Distributions.doubles("uniform", ROWS).values();
    assertTrue(DoubleStream.of(values).allMatch(value -> value >= 0 && value < 1));
    assertEquals(0.5, StatUtils.mean(values), 0.01);
    assertEquals(ROWS, DoubleStream.of(values).distinct().count());
  }

  @Test
  void timesRiseByASecondOnAverage() {
    final long[] values = Distributions.longs("times", ROWS).values();
    assertTrue(IntStream.range(1, ROWS).allMatch(row -> values[row] >= values[row - 1]));
    // Within six times the deviation of a sum of exponential waiting times.
    final double mean = (values[ROWS - 1] - values[0]) / (ROWS - 1.0);
    assertEquals(1000, mean, 6 * 1000 / Math.sqrt(ROWS));
    assertEquals(Year.of(2015), Year.from(Instant.ofEpochMilli(values[0]).atZone(ZoneOffset.UTC)));
  }

  @Test
  void multiplesHaveTheDivisorOfTheirName() {
    final long[] values = Distributions.longs("multiples-1000", ROWS).values();
    assertTrue(LongStream.of(values).allMatch(value -> value % 1000 == 0));
    assertEquals(1 << 12, LongStream.of(values).distinct().count());
  }

  @Test
  void wideNumbersHaveBothValuesOfEachBit() {
    final long[] longs = Distributions.longs("wide", ROWS).values();
    assertEquals(-1, LongStream.of(longs).reduce(0, (a, b) -> a | b));
    assertEquals(0, LongStream.of(longs).reduce(-1, (a, b) -> a & b));
    final double[] doubles = Distributions.doubles("wide", ROWS).values();
    assertEquals(-1, DoubleStream.of(doubles).mapToLong(Double::doubleToRawLongBits).reduce(0, (a, b) -> a | b));
    assertTrue(DoubleStream.of(doubles).anyMatch(value -> value > 1e300));
    final float[] floats = Distributions.floats("wide", ROWS).values();
    assertEquals(
        -1,
        IntStream.range(0, ROWS).map(row -> Float.floatToRawIntBits(floats[row])).reduce(0, (a, b) -> a | b)
    );
  }

  @Test
  void aHundredWideNumbersAreAllThere() {
    assertEquals(100, LongStream.of(Distributions.longs("wide-100", ROWS).values()).distinct().count());
    assertEquals(100, DoubleStream.of(Distributions.doubles("wide-100", ROWS).values()).distinct().count());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void decimalsAreTheNumbersNearestToTheirDigits(int digits) {
    final String text = "%." + digits + "f";
    for (double value : Distributions.doubles("decimals-" + digits, ROWS).values()) {
      assertTrue(value >= 0 && value < 10_000);
      assertEquals(value, Double.parseDouble(String.format(Locale.ROOT, text, value)));
    }
    for (float value : Distributions.floats("decimals-" + digits, ROWS).values()) {
      assertEquals(value, Float.parseFloat(String.format(Locale.ROOT, text, value)));
    }
  }

  @Test
  void aWalkMovesByUpToOneInTenths() {
    final double[] values = Distributions.doubles("walk", ROWS).values();
    for (int row = 1; row < ROWS; row++) {
      assertTrue(Math.abs(values[row] - values[row - 1]) < 1.05);
      assertEquals(values[row], Math.round(values[row] * 10) / 10.0);
    }
    assertTrue(DoubleStream.of(values).distinct().count() > 200);
  }

  @Test
  void runsAreOfFiftyRowsOnAverage() {
    final RowValues.Ids column = Distributions.ints("runs", ROWS);
    assertEquals(50, ROWS / (double) numRuns(column.ids()), 5);
    assertTrue(column.cardinality() > 800 && column.cardinality() <= 1000, String.valueOf(column.cardinality()));
  }

  @Test
  void sortedHasOneRunOfEachValue() {
    final RowValues.Ids column = Distributions.ints("sorted-10", ROWS);
    assertEquals(10, column.cardinality());
    assertEquals(10, numRuns(column.ids()));
    assertShare(0.1, share(column.ids(), 9));
  }

  // ---- names

  @Test
  void aNameThatThereIsNotIsRefusedWithThoseThatThereAre() {
    Stream.<Runnable>of(
        () -> Distributions.ints("bimodal", 1),
        () -> Distributions.longs("bimodal", 1),
        () -> Distributions.floats("bimodal", 1),
        () -> Distributions.doubles("bimodal", 1)
    ).forEach(draw -> assertThrows(IllegalArgumentException.class, draw::run));
    assertEquals(
        "There is no distribution 'uniform-48' of ints. There are " + String.join(", ", ints()),
        assertThrows(IllegalArgumentException.class, () -> Distributions.ints("uniform-48", 1)).getMessage()
    );
  }

  // ---- what is counted

  /** Asserts a share within six times its deviation. */
  private static void assertShare(double expected, double actual) {
    assertEquals(expected, actual, 6 * Math.sqrt(expected * (1 - expected) / ROWS));
  }

  private static double share(int[] ids, int id) {
    return IntStream.of(ids).filter(i -> i == id).count() / (double) ids.length;
  }

  private static int numRuns(int[] ids) {
    return 1 + (int) IntStream.range(1, ids.length).filter(row -> ids[row] != ids[row - 1]).count();
  }
}
