// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import com.google.common.base.Ascii;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Columns of shapes that no form was made for, to test what is promised of all columns: mixtures, changes half-way, and
 * what is nearly of a regular shape. A name and a number of rows always make the same values.
 *
 * <table>
 *   <caption>Shapes of all types</caption>
 *   <tr><th>name</th><th>values</th></tr>
 *   <tr><td>{@code runs-L-of-N}</td><td>runs of L rows on average, of geometric lengths, of N equally frequent
 *   values</td></tr>
 *   <tr><td>{@code meter}</td><td>a meter's 18 readings, that each repeat for 100 rows on average, with another reading
 *   in every tenth row</td></tr>
 *   <tr><td>{@code periodic-noise}</td><td>the same 96 values again and again, with noise in 1 % of the rows</td></tr>
 *   <tr><td>{@code nearly-sorted}</td><td>0, 3, 6, ..., but that neighbours up to 16 rows apart have changed places in
 *   a tenth of the rows</td></tr>
 *   <tr><td>{@code bursts}</td><td>zero for 300 rows on average, then up to 10,000 at random for 30 rows</td></tr>
 *   <tr><td>{@code two-regimes}</td><td>sixteen values at random in the first half, then ever larger ones</td></tr>
 *   <tr><td>{@code blocks}</td><td>blocks of 4,096 rows, in turns of 16 random bits and of one value</td></tr>
 *   <tr><td>{@code blocks-small}</td><td>blocks of 300 rows, in turns of runs, of a sequence and of random
 *   bits</td></tr>
 *   <tr><td>{@code phrases}</td><td>3 to 12 values in a row as in one of 500 phrases, whose values and which
 *   themselves are as frequent as 1/k</td></tr>
 *   <tr><td>{@code steps}</td><td>a sensor: plateaus of 40 rows on average, each a little above or below the
 *   last</td></tr>
 *   <tr><td>{@code far-N}</td><td>16 values at random, and in N % of the rows numbers of 40 bits</td></tr>
 *   <tr><td>{@code few-N}</td><td>N equally frequent numbers, of 40 bits each</td></tr>
 *   <tr><td>{@code skewed-N}</td><td>N numbers of 40 bits, with frequencies as 1/k</td></tr>
 *   <tr><td>{@code counter}</td><td>a counter that rises by up to 9 per row, misses up to 100,000 at times, and begins
 *   again at zero every 5,000 rows on average</td></tr>
 *   <tr><td>{@code one-exception}</td><td>one value, but for one row</td></tr>
 *   <tr><td>{@code stretches}</td><td>one value for three quarters of 8,192 rows, then 12 random bits, again and
 *   again</td></tr>
 * </table>
 * <table>
 *   <caption>Shapes of longs</caption>
 *   <tr><th>name</th><th>values</th></tr>
 *   <tr><td>{@code bits-N}</td><td>numbers of N bits, equally frequent</td></tr>
 *   <tr><td>{@code signed-20}</td><td>numbers of 20 bits, as many below zero as above</td></tr>
 *   <tr><td>{@code minutes}</td><td>times that rise by a minute from row to row, with a day left out at times</td></tr>
 *   <tr><td>{@code minutes-jitter}</td><td>times that rise by a minute, each up to 50 milliseconds late</td></tr>
 *   <tr><td>{@code multiples-N}</td><td>N times a whole number of 16 bits, equally frequent</td></tr>
 *   <tr><td>{@code multiples-far}</td><td>multiples of 1,000, and in 1 % of the rows numbers of 40 bits</td></tr>
 * </table>
 * <table>
 *   <caption>Shapes of floats and doubles</caption>
 *   <tr><th>name</th><th>values</th></tr>
 *   <tr><td>{@code decimals-N}</td><td>0 to 100 with N digits after the point, equally frequent</td></tr>
 *   <tr><td>{@code decimals-mixed}</td><td>0 to 100 with 1 to 4 digits after the point</td></tr>
 *   <tr><td>{@code decimals-nan}</td><td>two digits after the point, and NaN in 1 % of the rows</td></tr>
 *   <tr><td>{@code decimals-reals}</td><td>two digits after the point, and real numbers in 2 % of the rows</td></tr>
 *   <tr><td>{@code singles}</td><td>numbers between 0 and 1 that are floats, as doubles too</td></tr>
 *   <tr><td>{@code normal}</td><td>normally distributed around zero</td></tr>
 *   <tr><td>{@code products}</td><td>a price with two digits times 1 to 50 times a discount in per cent, as a program
 *   computes it</td></tr>
 *   <tr><td>{@code real-runs-L-of-N}</td><td>runs of L rows on average, of N real numbers between 0 and 1</td></tr>
 *   <tr><td>{@code real-few-N}</td><td>N equally frequent real numbers between 0 and 1</td></tr>
 *   <tr><td>{@code real-walk}</td><td>a real number that moves by up to 1 from row to row</td></tr>
 * </table>
 *
 * <p>Of the shapes of all types, ints are the ranks of the values, as the ids of a sorted dictionary are; floats and
 * doubles are hundredths of them.
 */
public final class Shapes {
  private static final int METER_VALUES = 18;
  private static final int PERIOD = 96;
  private static final int FAR_BITS = 40;
  private static final int PHRASES = 500;
  private static final int PHRASE_VALUES = 5000;
  private static final long FIRST_TIME = 1_442_016_000_000L;
  private static final long MINUTE = 60_000;
  private static final double HUNDREDTHS = 100;

  private static final Map<String, Whole> COMMON = new LinkedHashMap<>();
  private static final Map<String, Whole> LONGS = new LinkedHashMap<>();
  private static final Map<String, Real> REALS = new LinkedHashMap<>();

  static {
    for (int length : List.of(2, 4, 20)) {
      for (int values : List.of(2, 1000)) {
        addRuns(length, values);
      }
    }
    for (int length : List.of(3, 8, 200)) {
      addRuns(length, 18);
    }
    addRuns(200, 1000);
    COMMON.put("meter", (random, rows) -> meter(random));
    COMMON.put("periodic-noise", (random, rows) -> periodic(random));
    COMMON.put("nearly-sorted", Shapes::nearlySorted);
    COMMON.put("bursts", (random, rows) -> bursts(random));
    COMMON.put("two-regimes", (random, rows) -> row ->
        row < rows / 2 ? random.nextInt(16) : 1000 + row * 7L + random.nextInt(7));
    COMMON.put("blocks", (random, rows) -> row -> row / 4096 % 2 == 0 ? random.nextInt(1 << 16) : 77);
    COMMON.put("blocks-small", (random, rows) -> row -> switch (row / 300 % 3) {
      case 0 -> row / 30 * 31 % 1000;
      case 1 -> row;
      default -> random.nextInt(1 << 20);
    });
    COMMON.put("phrases", (random, rows) -> phrases(random));
    COMMON.put("steps", (random, rows) -> steps(random));
    for (int percent : List.of(5, 15, 30)) {
      COMMON.put("far-" + percent, (random, rows) -> row -> mixed(random, percent, random.nextInt(16)));
    }
    for (int values : List.of(3, 5, 7, 9, 11, 50, 300, 3000)) {
      COMMON.put("few-" + values, (random, rows) -> {
        final long[] numbers = numbers(random, values, FAR_BITS);
        return row -> numbers[random.nextInt(values)];
      });
    }
    COMMON.put("skewed-3000", (random, rows) -> {
      final long[] numbers = numbers(random, 3000, FAR_BITS);
      return row -> numbers[zipf(random, numbers.length)];
    });
    COMMON.put("counter", (random, rows) -> counter(random));
    COMMON.put("one-exception", (random, rows) -> row -> row == rows * 2L / 3 ? 123_456 : 7);
    COMMON.put("stretches", (random, rows) -> row -> row % 8192 < 6144 ? row / 8192 : random.nextInt(1 << 12));

    LONGS.putAll(COMMON);
    for (int bits : List.of(40, 56, 63)) {
      LONGS.put("bits-" + bits, (random, rows) -> row -> bits(random, bits));
    }
    LONGS.put("signed-20", (random, rows) -> row -> random.nextInt(1 << 20) - (1 << 19));
    LONGS.put("minutes", (random, rows) -> minutes(random));
    LONGS.put("minutes-jitter", (random, rows) -> row -> FIRST_TIME + row * MINUTE + random.nextInt(50));
    for (int factor : List.of(12, 86_400_000)) {
      LONGS.put("multiples-" + factor, (random, rows) -> row -> (long) factor * random.nextInt(1 << 16));
    }
    LONGS.put("multiples-far", (random, rows) -> row -> mixed(random, 1, 1000L * random.nextInt(1000)));

    for (int digits : List.of(3, 5, 6)) {
      REALS.put("decimals-" + digits, (random, rows) -> row -> decimal(random, digits));
    }
    REALS.put("decimals-mixed", (random, rows) -> row -> decimal(random, 1 + random.nextInt(4)));
    REALS.put("decimals-nan", (random, rows) -> row -> random.nextInt(100) == 0 ? Double.NaN : decimal(random, 2));
    REALS.put("decimals-reals", (random, rows) -> row ->
        random.nextInt(100) < 2 ? random.nextDouble() : decimal(random, 2));
    REALS.put("singles", (random, rows) -> row -> random.nextFloat());
    REALS.put("normal", (random, rows) -> row -> random.nextGaussian());
    REALS.put("products", (random, rows) -> row ->
        decimal(random, 2) * (1 + random.nextInt(50)) * (1 - random.nextInt(10) / HUNDREDTHS));
    for (int length : List.of(3, 20)) {
      REALS.put("real-runs-" + length + "-of-1000", (random, rows) -> {
        final double[] numbers = random.doubles(1000).toArray();
        final IntToLongFunction runs = runs(random, length, LongStream.range(0, numbers.length).toArray());
        return row -> numbers[(int) runs.applyAsLong(row)];
      });
    }
    for (int values : List.of(18, 300, 3000)) {
      REALS.put("real-few-" + values, (random, rows) -> {
        final double[] numbers = random.doubles(values).toArray();
        return row -> numbers[random.nextInt(values)];
      });
    }
    REALS.put("real-walk", (random, rows) -> realWalk(random));
  }

  private Shapes() {}

  /** Draws whole numbers, row by row. */
  private interface Whole {
    IntToLongFunction values(Random random, int rows);
  }

  /** Draws numbers, row by row. */
  private interface Real {
    IntToDoubleFunction values(Random random, int rows);
  }

  // ---- the shapes

  private static void addRuns(int length, int values) {
    COMMON.put("runs-" + length + "-of-" + values, (random, rows) ->
        runs(random, length, LongStream.range(0, values).map(value -> 100 + value * 3).toArray()));
  }

  /** Runs; no two neighbouring runs have the same value. */
  private static IntToLongFunction runs(Random random, int length, long[] values) {
    return new IntToLongFunction() {
      private int index = random.nextInt(values.length);

      @Override
      public long applyAsLong(int row) {
        if (random.nextInt(length) == 0) {
          index = (index + 1 + random.nextInt(values.length - 1)) % values.length;
        }
        return values[index];
      }
    };
  }

  private static IntToLongFunction meter(Random random) {
    final long[] readings = numbers(random, METER_VALUES, 12);
    final IntToLongFunction runs = runs(random, 100, readings);
    return row -> {
      final long reading = runs.applyAsLong(row);
      return random.nextInt(10) == 0 ? readings[random.nextInt(readings.length)] : reading;
    };
  }

  private static IntToLongFunction periodic(Random random) {
    final long[] period = numbers(random, PERIOD, 14);
    return row -> random.nextInt(100) == 0 ? random.nextInt(1 << 14) : period[row % PERIOD];
  }

  private static IntToLongFunction nearlySorted(Random random, int rows) {
    final long[] values = LongStream.range(0, rows).map(row -> row * 3).toArray();
    for (int row = 16; row < rows; row++) {
      if (random.nextInt(20) == 0) {
        final int other = row - 1 - random.nextInt(16);
        final long value = values[row];
        values[row] = values[other];
        values[other] = value;
      }
    }
    return row -> values[row];
  }

  private static IntToLongFunction bursts(Random random) {
    return new IntToLongFunction() {
      private int left;

      @Override
      public long applyAsLong(int row) {
        if (left == 0 && random.nextInt(300) == 0) {
          left = 30;
        }
        if (left == 0) {
          return 0;
        }
        left--;
        return random.nextInt(10_000);
      }
    };
  }

  private static IntToLongFunction phrases(Random random) {
    final int[][] phrases = IntStream.range(0, PHRASES)
        .mapToObj(i -> IntStream.range(0, 3 + random.nextInt(10)).map(at -> zipf(random, PHRASE_VALUES)).toArray())
        .toArray(int[][]::new);
    return new IntToLongFunction() {
      private int[] phrase = phrases[0];
      private int next;

      @Override
      public long applyAsLong(int row) {
        if (next == phrase.length) {
          phrase = phrases[zipf(random, PHRASES)];
          next = 0;
        }
        return phrase[next++];
      }
    };
  }

  private static IntToLongFunction steps(Random random) {
    return new IntToLongFunction() {
      private long level = 20_000;

      @Override
      public long applyAsLong(int row) {
        if (random.nextInt(40) == 0) {
          level += random.nextInt(41) - 20;
        }
        return level;
      }
    };
  }

  private static IntToLongFunction counter(Random random) {
    return new IntToLongFunction() {
      private long count;

      @Override
      public long applyAsLong(int row) {
        count = random.nextInt(5000) == 0 ? 0 : count + random.nextInt(10);
        count += random.nextInt(500) == 0 ? random.nextInt(100_000) : 0;
        return count;
      }
    };
  }

  private static IntToLongFunction minutes(Random random) {
    return new IntToLongFunction() {
      private long time = FIRST_TIME;

      @Override
      public long applyAsLong(int row) {
        time += random.nextInt(3000) == 0 ? 24 * 60 * MINUTE : MINUTE;
        return time;
      }
    };
  }

  private static IntToDoubleFunction realWalk(Random random) {
    return new IntToDoubleFunction() {
      private double value;

      @Override
      public double applyAsDouble(int row) {
        value += 2 * random.nextDouble() - 1;
        return value;
      }
    };
  }

  // ---- numbers at random

  /** Usually the given number, and in a percentage of the rows one of 40 bits. */
  private static long mixed(Random random, int percent, long usual) {
    return random.nextInt(100) < percent ? bits(random, FAR_BITS) : usual;
  }

  private static long bits(Random random, int bits) {
    return random.nextLong() >>> (Long.SIZE - bits);
  }

  /** Distinct numbers of a bit width. */
  private static long[] numbers(Random random, int count, int bits) {
    return LongStream.generate(() -> bits(random, bits)).distinct().limit(count).toArray();
  }

  /** Random number from 0 up to an exclusive end, k about as often as 1/k: its logarithm is uniform. */
  private static int zipf(Random random, int end) {
    return (int) Math.pow(end + 1, random.nextDouble()) - 1;
  }

  private static double decimal(Random random, int digits) {
    final int unit = (int) Math.pow(10, digits);
    return (double) random.nextInt(100 * unit) / unit;
  }

  // ---- columns of them

  /** Names of the shapes of a type. */
  public static List<String> names(EncodedType type) {
    return switch (type) {
      case INT -> List.copyOf(COMMON.keySet());
      case LONG -> List.copyOf(LONGS.keySet());
      case FLOAT, DOUBLE -> Stream.concat(COMMON.keySet().stream(), REALS.keySet().stream()).toList();
      default -> throw new IllegalArgumentException(type + " is not row by row");
    };
  }

  /**
   * Values of a type.
   *
   * @throws IllegalArgumentException if there is no such shape of the type
   */
  public static RowValues of(EncodedType type, String name, int rows) {
    if (!names(type).contains(name)) {
      throw new IllegalArgumentException("There is no shape '" + name + "' of " + Ascii.toLowerCase(type.name())
          + "s. There are " + String.join(", ", names(type)));
    }
    return switch (type) {
      case INT -> ids(longs(name, rows));
      case LONG -> new RowValues.Longs(longs(name, rows));
      case FLOAT -> {
        final double[] doubles = doubles(name, rows);
        final float[] floats = new float[rows];
        IntStream.range(0, rows).forEach(row -> floats[row] = (float) doubles[row]);
        yield new RowValues.Floats(floats);
      }
      case DOUBLE -> new RowValues.Doubles(doubles(name, rows));
      default -> throw new IllegalArgumentException(type + " is not row by row");
    };
  }

  private static long[] longs(String name, int rows) {
    final long[] values = new long[rows];
    Arrays.setAll(values, LONGS.get(name).values(new Random(name.hashCode()), rows));
    return values;
  }

  private static double[] doubles(String name, int rows) {
    final double[] values = new double[rows];
    if (REALS.containsKey(name)) {
      Arrays.setAll(values, REALS.get(name).values(new Random(name.hashCode()), rows));
    } else {
      final long[] longs = longs(name, rows);
      Arrays.setAll(values, row -> longs[row] / HUNDREDTHS);
    }
    return values;
  }

  private static RowValues.Ids ids(long[] values) {
    final long[] dictionary = Arrays.stream(values).sorted().distinct().toArray();
    final int[] ids = Arrays.stream(values).mapToInt(value -> Arrays.binarySearch(dictionary, value)).toArray();
    return new RowValues.Ids(ids, dictionary.length);
  }
}
