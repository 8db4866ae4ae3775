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
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.generator.GeneratorColumnSchema;

/**
 * Values of known distributions, drawn by Druid's own generators where it has one for them. A name and a number of rows
 * always make the same values.
 *
 * <table>
 *   <caption>Distributions</caption>
 *   <tr><th>name</th><th>values</th></tr>
 *   <tr><td>{@code constant}</td><td>the same in all rows</td></tr>
 *   <tr><td>{@code enumerated}</td><td>five, in 90, 6, 3, 0.9 and 0.1 % of the rows</td></tr>
 *   <tr><td>{@code zipf-low-N}</td><td>k from 1 to N, with frequencies as 1/k (exponent 1)</td></tr>
 *   <tr><td>{@code zipf-high-N}</td><td>k from 1 to N, with frequencies as 1/k³ (exponent 3)</td></tr>
 *   <tr><td>{@code normal-N}</td><td>around 10 N with a standard deviation of N; whole numbers in ints and
 *   longs</td></tr>
 *   <tr><td>{@code sequential}</td><td>0, 1, 2, ...</td></tr>
 *   <tr><td>{@code sequential-N}</td><td>0 to N - 1, again and again</td></tr>
 *   <tr><td>{@code sparse-N}</td><td>N % zero, which is what null is stored as; the others 1 to 1000, equally
 *   frequent</td></tr>
 *   <tr><td>{@code uniform-N}</td><td>whole numbers of N bits, equally frequent</td></tr>
 *   <tr><td>{@code uniform}</td><td>numbers spread evenly between 0 and 1 (floats and doubles)</td></tr>
 *   <tr><td>{@code times}</td><td>rising milliseconds since 1970, of events at random, one per second on average
 *   (longs)</td></tr>
 *   <tr><td>{@code multiples-1000}</td><td>1000 times a whole number of 12 bits, equally frequent (longs)</td></tr>
 *   <tr><td>{@code wide}</td><td>all bits at random: of longs, any; of floats and doubles, any that make a finite
 *   number</td></tr>
 *   <tr><td>{@code wide-N}</td><td>N of these, equally frequent (longs, floats and doubles)</td></tr>
 *   <tr><td>{@code decimals-N}</td><td>0 to 10,000 with N digits after the point, equally frequent (floats and
 *   doubles)</td></tr>
 *   <tr><td>{@code walk}</td><td>a measure with one digit after the point, that moves by up to 1 from row to row
 *   (floats and doubles)</td></tr>
 *   <tr><td>{@code runs}</td><td>runs of 50 rows on average, of 1000 equally frequent values</td></tr>
 *   <tr><td>{@code sorted-N}</td><td>N values, each in one run of as many rows, as in the column that a segment is
 *   sorted by</td></tr>
 * </table>
 *
 * <p>Ints are the ranks of what was drawn, as the ids of a sorted dictionary are: their cardinality is that of the
 * values that came up, and they take fewer bits than the name says where not all did. So {@code zipf}'s ids are the
 * smaller the more frequent they are.
 */
public final class Distributions {
  private static final int RUN_LENGTH = 50;
  private static final int SPARSE_VALUES = 1000;
  private static final double ZIPF_LOW = 1;
  private static final double ZIPF_HIGH = 3;
  private static final long FIRST_TIME = 1_442_016_000_000L;
  private static final double MEAN_MILLIS = 1000;
  private static final int MULTIPLE = 1000;
  private static final int MULTIPLE_BITS = 12;
  private static final int DECIMALS_END = 10_000;
  private static final int WALK_START = 200;
  private static final int WALK_STEP = 10;
  private static final double WALK_UNIT = 10;

  /** Distributions of all types. */
  private static final Map<String, Distribution> COMMON = new LinkedHashMap<>();
  private static final Map<String, Distribution> LONGS = new LinkedHashMap<>();
  private static final Map<String, Distribution> REALS = new LinkedHashMap<>();

  static {
    COMMON.put("constant", (type, rows, seed) -> sequential(type, 7, 8).makeGenerator(seed));
    COMMON.put("enumerated", (type, rows, seed) -> enumerated(type).makeGenerator(seed));
    for (int values : List.of(100, 100_000)) {
      COMMON.put("zipf-low-" + values, zipf(values, ZIPF_LOW));
    }
    COMMON.put("zipf-high-" + 100_000, zipf(100_000, ZIPF_HIGH));
    COMMON.put("normal-1000", Distributions::normal1000);
    COMMON.put("sequential", (type, rows, seed) -> sequential(type, 0, rows).makeGenerator(seed));
    COMMON.put("sequential-1000", (type, rows, seed) -> sequential(type, 0, 1000).makeGenerator(seed));
    for (int percent : List.of(50, 95, 99)) {
      COMMON.put("sparse-" + percent, (type, rows, seed) ->
          uniform(type, percent / 100.0, 1, SPARSE_VALUES).makeGenerator(seed));
    }
    for (int bits : List.of(1, 4, 8, 12, 16, 20)) {
      COMMON.put("uniform-" + bits, (type, rows, seed) ->
          uniform(type, null, 0, (1 << bits) - 1).makeGenerator(seed));
    }
    COMMON.put("runs", Distributions::runs);
    COMMON.put("sorted-10", (type, rows, seed) -> sorted(10, rows));

    LONGS.putAll(COMMON);
    for (int bits : List.of(32, 48)) {
      LONGS.put("uniform-" + bits, (type, rows, seed) -> real(type, Math.scalb(1.0, bits)).makeGenerator(seed));
    }
    LONGS.put("times", (type, rows, seed) -> times(new Random(seed)));
    LONGS.put("multiples-1000", (type, rows, seed) -> multiples(new Random(seed)));
    LONGS.put("wide", (type, rows, seed) -> wide(type, new Random(seed)));
    LONGS.put("wide-100", (type, rows, seed) -> wide(type, 100, new Random(seed)));
    REALS.putAll(COMMON);
    REALS.put("uniform", (type, rows, seed) -> real(type, 1).makeGenerator(seed));
    for (int digits : List.of(1, 2, 4)) {
      REALS.put("decimals-" + digits, (type, rows, seed) -> decimals(new Random(seed), digits));
    }
    REALS.put("walk", (type, rows, seed) -> walk(new Random(seed)));
    REALS.put("wide", (type, rows, seed) -> wide(type, new Random(seed)));
    REALS.put("wide-100", (type, rows, seed) -> wide(type, 100, new Random(seed)));
  }

  private Distributions() {}

  /** Draws values. */
  private interface Distribution {
    /**
     * Supplies the values, one at each call: numbers, or null.
     *
     * @param type that Druid is to convert them to
     * @param rows that will be drawn
     */
    Supplier<?> values(ValueType type, int rows, long seed);
  }

  // ---- the distributions

  private static GeneratorColumnSchema enumerated(ValueType type) {
    final List<Object> values =
        type == ValueType.LONG ? List.of(2, 3, 5, 7, 11) : List.of(0.25, 1.5, 2.125, 9.99, 100.1);
    return GeneratorColumnSchema.makeEnumerated(
        "", type, false, 1, null, values, List.of(0.9, 0.06, 0.03, 0.009, 0.001));
  }

  /**
   * Uses Druid's lazy generator. Druid's other generator keeps a tree of all values, and never draws the first of them.
   */
  private static Distribution zipf(int values, double exponent) {
    return (type, rows, seed) ->
        GeneratorColumnSchema.makeLazyZipf("", type, false, 1, null, 0, values, exponent).makeGenerator(seed);
  }

  private static Supplier<?> normal1000(ValueType type, int rows, long seed) {
    return GeneratorColumnSchema
        .makeNormal("", type, false, 1, null, 10_000.0, 1_000.0, type == ValueType.LONG)
        .makeGenerator(seed);
  }

  private static GeneratorColumnSchema sequential(ValueType type, int start, int end) {
    return GeneratorColumnSchema.makeSequential("", type, false, 1, null, start, end);
  }

  /** Whole numbers from the first to the last, both included. */
  private static GeneratorColumnSchema uniform(ValueType type, @Nullable Double nulls, int first, int last) {
    return GeneratorColumnSchema.makeLazyDiscreteUniform("", type, false, 1, nulls, first, last);
  }

  private static GeneratorColumnSchema real(ValueType type, double end) {
    return GeneratorColumnSchema.makeContinuousUniform("", type, false, 1, null, 0, end);
  }

  private static Supplier<?> runs(ValueType type, int rows, long seed) {
    final Supplier<?> values = uniform(type, null, 0, 999).makeGenerator(seed);
    final Random random = new Random(seed);
    return new Supplier<>() {
      private Object value = values.get();

      @Override
      public Object get() {
        value = random.nextInt(RUN_LENGTH) == 0 ? values.get() : value;
        return value;
      }
    };
  }

  private static Supplier<?> sorted(int values, int rows) {
    return new Supplier<>() {
      private long row;

      @Override
      public Object get() {
        return row++ * values / rows;
      }
    };
  }

  private static Supplier<?> times(Random random) {
    return new Supplier<>() {
      private double time = FIRST_TIME;

      @Override
      public Object get() {
        time -= MEAN_MILLIS * Math.log(1 - random.nextDouble());
        return (long) time;
      }
    };
  }

  private static Supplier<?> multiples(Random random) {
    return () -> (long) MULTIPLE * random.nextInt(1 << MULTIPLE_BITS);
  }

  /** Decimal numbers as parsed from text: the binary number nearest to the digits. */
  private static Supplier<?> decimals(Random random, int digits) {
    final int unit = (int) Math.pow(10, digits);
    return () -> (double) random.nextInt(DECIMALS_END * unit) / unit;
  }

  private static Supplier<?> walk(Random random) {
    return new Supplier<>() {
      private int tenths = WALK_START;

      @Override
      public Object get() {
        tenths += random.nextInt(2 * WALK_STEP + 1) - WALK_STEP;
        return tenths / WALK_UNIT;
      }
    };
  }

  private static Supplier<?> wide(ValueType type, Random random) {
    return () -> switch (type) {
      case LONG -> random.nextLong();
      case FLOAT -> finite(() -> Float.intBitsToFloat(random.nextInt()));
      default -> finite(() -> Double.longBitsToDouble(random.nextLong()));
    };
  }

  /** The next drawn number that is finite. */
  private static double finite(DoubleSupplier drawn) {
    double value = drawn.getAsDouble();
    while (!Double.isFinite(value)) {
      value = drawn.getAsDouble();
    }
    return value;
  }

  private static Supplier<?> wide(ValueType type, int values, Random random) {
    final Object[] all = Stream.generate(wide(type, random)).limit(values).toArray();
    return () -> all[random.nextInt(values)];
  }

  // ---- columns of them

  private static Map<String, Distribution> distributions(EncodedType type) {
    return switch (type) {
      case INT -> COMMON;
      case LONG -> LONGS;
      case FLOAT, DOUBLE -> REALS;
      default -> throw new IllegalArgumentException(type + " is not row by row");
    };
  }

  /** Names of the distributions of a type. */
  public static List<String> names(EncodedType type) {
    return List.copyOf(distributions(type).keySet());
  }

  /**
   * Values of a type.
   *
   * @throws IllegalArgumentException if there is no such distribution of the type
   */
  public static RowValues of(EncodedType type, String name, int rows) {
    return switch (type) {
      case INT -> ints(name, rows);
      case LONG -> longs(name, rows);
      case FLOAT -> floats(name, rows);
      case DOUBLE -> doubles(name, rows);
      default -> throw new IllegalArgumentException(type + " is not row by row");
    };
  }

  /**
   * Rows of dictionary ids with the named distribution.
   *
   * @throws IllegalArgumentException if there is no such distribution of ints
   */
  public static RowValues.Ids ints(String name, int rows) {
    final Supplier<?> drawn = values(EncodedType.INT, name, ValueType.LONG, rows);
    final int[] values = new int[rows];
    Arrays.setAll(values, row -> number(drawn).intValue());
    final int[] dictionary = Arrays.stream(values).sorted().distinct().toArray();
    Arrays.setAll(values, row -> Arrays.binarySearch(dictionary, values[row]));
    return new RowValues.Ids(values, dictionary.length);
  }

  /**
   * Rows of longs with the named distribution.
   *
   * @throws IllegalArgumentException if there is no such distribution of longs
   */
  public static RowValues.Longs longs(String name, int rows) {
    final Supplier<?> drawn = values(EncodedType.LONG, name, ValueType.LONG, rows);
    final long[] values = new long[rows];
    Arrays.setAll(values, row -> number(drawn).longValue());
    return new RowValues.Longs(values);
  }

  /**
   * Rows of floats with the named distribution.
   *
   * @throws IllegalArgumentException if there is no such distribution of floats
   */
  public static RowValues.Floats floats(String name, int rows) {
    final Supplier<?> drawn = values(EncodedType.FLOAT, name, ValueType.FLOAT, rows);
    final float[] values = new float[rows];
    for (int row = 0; row < rows; row++) {
      values[row] = number(drawn).floatValue();
    }
    return new RowValues.Floats(values);
  }

  /**
   * Rows of doubles with the named distribution.
   *
   * @throws IllegalArgumentException if there is no such distribution of doubles
   */
  public static RowValues.Doubles doubles(String name, int rows) {
    final Supplier<?> drawn = values(EncodedType.DOUBLE, name, ValueType.DOUBLE, rows);
    final double[] values = new double[rows];
    Arrays.setAll(values, row -> number(drawn).doubleValue());
    return new RowValues.Doubles(values);
  }

  /** Values for a type, drawn as one of Druid's types. */
  private static Supplier<?> values(EncodedType type, String name, ValueType drawn, int rows) {
    final Distribution distribution = distributions(type).get(name);
    if (distribution == null) {
      throw new IllegalArgumentException(
          "There is no distribution '" + name + "' of " + Ascii.toLowerCase(type.name()) + "s. There are "
              + String.join(", ", names(type))
      );
    }
    return distribution.values(drawn, rows, name.hashCode());
  }

  private static Number number(Supplier<?> values) {
    final Object value = values.get();
    return value == null ? 0 : (Number) value;
  }
}
