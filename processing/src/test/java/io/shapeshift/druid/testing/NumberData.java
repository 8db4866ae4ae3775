// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import io.shapeshift.druid.form.numbers.NumberType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Numbers of many shapes, by their bits: a long itself, the raw bits of a double, the raw bits of a float without a
 * sign.
 */
public final class NumberData {
  private static final long FLOAT_MASK = 0xFFFF_FFFFL;

  private NumberData() {}

  /** The bits of a number of a type that is nearest to a double. */
  public static long bits(NumberType type, double value) {
    return switch (type) {
      case LONG -> (long) value;
      case DOUBLE -> Double.doubleToRawLongBits(value);
      case FLOAT -> Float.floatToRawIntBits((float) value) & FLOAT_MASK;
    };
  }

  /** Any bits that a number of the type may have. */
  public static long anyBits(NumberType type, RandomData random) {
    return type == NumberType.FLOAT ? random.nextLong() & FLOAT_MASK : random.nextLong();
  }

  /** Numbers of a type in all shapes, with a name for each. */
  public static Map<String, long[]> shapes(NumberType type, int length, RandomData random) {
    final Map<String, long[]> shapes = new LinkedHashMap<>();
    shapes.put("zeros", new long[length]);
    shapes.put("random bits", longs(length, i -> anyBits(type, random)));
    final long[] few = longs(7, i -> anyBits(type, random));
    shapes.put("few distinct", longs(length, i -> few[random.nextInt(few.length)]));
    shapes.put("runs of any bits", runs(length, i -> anyBits(type, random), random));
    shapes.put("few distinct in runs", runs(length, i -> few[random.nextInt(few.length)], random));
    final long[] phrase = longs(50, i -> anyBits(type, random));
    shapes.put("phrases", longs(length, i -> phrase[i % phrase.length]));
    if (type == NumberType.LONG) {
      addLongs(length, random, shapes);
    } else {
      addFractions(type, length, random, shapes);
    }
    ints(length, random).forEach((name, ints) -> addFramed(type, name, ints, random, shapes));
    shapes.put("blocks that differ", blocks(length, shapes));
    return shapes;
  }

  /** A few hundred of each shape in turn. */
  private static long[] blocks(int length, Map<String, long[]> shapes) {
    final long[][] all = shapes.values().toArray(new long[0][]);
    return longs(length, i -> all[i / 700 % all.length][i]);
  }

  private static void addLongs(int length, RandomData random, Map<String, long[]> shapes) {
    shapes.put("wide constant", longs(length, i -> -(1L << 40)));
    shapes.put("smallest and largest", longs(length, i -> i % 2 == 0 ? Long.MIN_VALUE : Long.MAX_VALUE));
    shapes.put("largest", longs(length, i -> Long.MAX_VALUE - random.nextInt(1000)));
    shapes.put("smallest", longs(length, i -> Long.MIN_VALUE + random.nextInt(1000)));
    shapes.put("rising over all longs", longs(length, i -> Long.MIN_VALUE + i * (-1L >>> 1) / Math.max(1, length) * 2));
    shapes.put("range of 2^63", longs(length, i -> i % 3 == 0 ? -(1L << 62) : 1L << 62));
    shapes.put("range of 2^31 - 1", longs(length, i -> i % 2 == 0 ? -5 : Integer.MAX_VALUE - 5L));
    shapes.put("range of 2^31", longs(length, i -> i % 2 == 0 ? -5 : Integer.MAX_VALUE - 4L));
    shapes.put("minutes", longs(length, i -> 1_442_016_000_000L + i * 60_000L));
    shapes.put("milliseconds", longs(length, i -> 1_442_016_000_000L + i * 977L + random.nextInt(500)));
    shapes.put("nanoseconds", longs(length, i -> 1_442_016_000_000_000_000L + i * 1_000_000_007L + random.nextInt(99)));
    shapes.put("minutes, from the first again", longs(length, i -> 1_442_016_000_000L + i % 640 * 60_000L));
    shapes.put("falling each 128", longs(length, i -> 1000L * i - i / 128 * 3000L));
    for (int width : new int[] {32, 33, 44, 55, 56, 57, 63}) {
      shapes.put(width + " bits", longs(length, i -> random.nextLong() >>> (Long.SIZE - width)));
    }
    shapes.put("multiples of 2^33", longs(length, i -> -7 + ((long) random.nextInt(1 << 20) << 33)));
    shapes.put("multiples of 7000", longs(length, i -> 7000L * random.nextInt(1000)));
    shapes.put("multiples of an odd number, negative", longs(length, i -> -9_999_999_967L * random.nextInt(1 << 29)));
    shapes.put("outliers", longs(length, i -> random.nextInt(40) == 0 ? random.nextLong() : random.nextInt(1000)));
    shapes.put("an outlier first", longs(length, i -> i == 0 ? Long.MIN_VALUE : (1L << 50) + random.nextInt(1000)));
    shapes.put("outliers of extremes", longs(length, i -> random.nextInt(99) == 0
        ? random.nextInt(2) == 0 ? Long.MIN_VALUE : Long.MAX_VALUE : Long.MAX_VALUE - (1L << 40) + random.nextInt(9)));
    shapes.put("zipf", longs(length, i -> (long) Math.exp(3 * random.nextGaussian())));
    shapes.put("times and numbers", longs(length, i -> (1_442_016_000_000L + i * 3L) << 22 | random.nextInt(4096)));
    shapes.put("squares", longs(length, i -> (long) i * i * i));
  }

  private static void addFractions(NumberType type, int length, RandomData random, Map<String, long[]> shapes) {
    final long nan = bits(type, Double.NaN);
    final boolean isDouble = type == NumberType.DOUBLE;
    final double largest = isDouble ? 1L << 51 : 1 << 24;
    shapes.put("negative zeros", fractions(type, length, i -> -0.0));
    shapes.put("zeros of both signs", fractions(type, length, i -> random.nextInt(20) == 0 ? -0.0 : 0));
    shapes.put("zeros and a few", fractions(type, length, i -> random.nextInt(20) == 0 ? -0.0 : random.nextInt(10)));
    shapes.put("a constant", fractions(type, length, i -> Math.PI));
    shapes.put("prices", fractions(type, length, i -> random.nextInt(100_000) / 100.0));
    shapes.put("temperatures", fractions(type, length, i -> (random.nextInt(1000) - 500) / 10.0));
    shapes.put("prices and others", fractions(type, length,
        i -> random.nextInt(50) == 0 ? random.nextDouble() : random.nextInt(10_000) / 100.0));
    shapes.put("exceptions first", fractions(type, length, i -> i < length / 40 ? Double.NaN : i / 10.0));
    shapes.put("integers", fractions(type, length, i -> random.nextInt(1 << 24) - (1 << 23)));
    shapes.put("ints", fractions(type, length, i -> (int) random.nextLong()));
    shapes.put("largest integers", fractions(type, length, i -> largest - random.nextInt(3)));
    shapes.put("smallest integers", fractions(type, length, i -> random.nextInt(3) - largest));
    shapes.put("smallest and largest integers", fractions(type, length, i -> i % 2 == 0 ? -largest : largest));
    shapes.put("largest tenths", fractions(type, length, i -> (largest - random.nextInt(1000)) / 10));
    shapes.put("small decimals", fractions(type, length, i -> random.nextInt(100_000) / 1e10));
    shapes.put("smallest decimals", fractions(type, length, i -> random.nextInt(100_000) / 1e18));
    shapes.put("large multiples", fractions(type, length, i -> random.nextInt(1000) * 1e15));
    shapes.put("halves", fractions(type, length, i -> i * 0.5));
    shapes.put("many digits", fractions(type, length, i -> random.nextDouble()));
    shapes.put("measures", fractions(type, length, i -> 1e5 * random.nextGaussian()));
    shapes.put("floats", fractions(type, length, i -> (float) random.nextGaussian()));
    shapes.put("smooth", fractions(type, length, i -> 20 + 5 * Math.sin(i / 300.0)));
    shapes.put("NaN", fractions(type, length, i -> Double.NaN));
    shapes.put("NaN here and there", fractions(type, length, i -> i % 30 == 0 ? Double.NaN : 1.5));
    shapes.put("many NaN", fractions(type, length, i -> i % 3 == 0 ? Double.NaN : random.nextInt(9)));
    shapes.put("payloads of NaN", longs(length, i -> random.nextInt(2) == 0 ? nan + random.nextInt(99) : 0));
    shapes.put("rare payloads of NaN", longs(length,
        i -> random.nextInt(40) == 0 ? nan + 1 + random.nextInt(9) : bits(type, random.nextInt(50))));
    shapes.put("infinities", fractions(type, length,
        i -> i % 40 == 0 ? Double.NEGATIVE_INFINITY : i % 41 == 0 ? Double.POSITIVE_INFINITY : i / 4.0));
    shapes.put("subnormals", longs(length, i -> random.nextInt(1000)));
    shapes.put("subnormals of both signs", longs(length,
        i -> random.nextInt(1000) | (long) random.nextInt(2) << (type.bytes() * Byte.SIZE - 1)));
    shapes.put("extremes", fractions(type, length, i -> switch (i % 4) {
      case 0 -> isDouble ? Double.MAX_VALUE : Float.MAX_VALUE;
      case 1 -> isDouble ? -Double.MAX_VALUE : -Float.MAX_VALUE;
      case 2 -> isDouble ? Double.MIN_VALUE : Float.MIN_VALUE;
      default -> isDouble ? Double.MIN_NORMAL : Float.MIN_NORMAL;
    }));
  }

  /** Ints of the shapes for which there are forms of ints, each of at most 24 bits. */
  private static Map<String, int[]> ints(int length, RandomData random) {
    final Map<String, int[]> ints = new LinkedHashMap<>();
    if (length > 0) {
      final int[] few = random.uniform(5, 20);
      ints.put("constant", RandomData.constant(length, 7));
      ints.put("bytes", random.uniform(length, 8));
      ints.put("5 bits", random.uniform(length, 5));
      ints.put("exceptions", random.exceptions(length, 3, 22, 60));
      ints.put("sparse", random.sparse(length, 5, 100));
      ints.put("few far apart", IntStream.range(0, length).map(i -> few[random.nextInt(few.length)]).toArray());
      ints.put("runs", random.runs(length, 11, 1, 20, 300));
      ints.put("rising", IntStream.range(0, length).map(i -> 500 * i + random.nextInt(500)).toArray());
      ints.put("phrases", random.phrases(length, 9, 9, 33));
      ints.put("zipf", random.zipf(length, 200));
    }
    return ints;
  }

  /** What the ints are in each frame. */
  private static void addFramed(
      NumberType type,
      String name,
      int[] ints,
      RandomData random,
      Map<String, long[]> shapes
  ) {
    final int length = ints.length;
    final long base = type == NumberType.LONG ? 1L << 45 : bits(type, 3);
    shapes.put("bits above a base: " + name, longs(length, i -> base + ints[i]));
    shapes.put("multiples above a base: " + name, longs(length, i -> base + 16L * ints[i]));
    if (type == NumberType.LONG) {
      final long[] sums = new long[length];
      long sum = -(1L << 40);
      for (int i = 0; i < length; i++) {
        sum += 1_000_003L * ints[i] - 5;
        sums[i] = sum;
      }
      shapes.put("differences: " + name, sums);
    } else {
      shapes.put("tenths: " + name, fractions(type, length, i -> ints[i] / 10.0));
    }
    // In the order of a dictionary's codes, so that these have the shape of the ints.
    final long[] entries = LongStream.generate(() -> anyBits(type, random)).limit(300).sorted().toArray();
    shapes.put("places: " + name, longs(length, i -> entries[ints[i] % entries.length]));
  }

  private static long[] runs(int length, IntToLongFunction value, RandomData random) {
    final long[] values = longs(length, value);
    for (int i = 1; i < length; i++) {
      values[i] = random.nextInt(30) == 0 ? values[i] : values[i - 1];
    }
    return values;
  }

  private static long[] fractions(NumberType type, int length, IntToDoubleFunction value) {
    return longs(length, i -> bits(type, value.applyAsDouble(i)));
  }

  private static long[] longs(int length, IntToLongFunction value) {
    final long[] values = new long[length];
    Arrays.setAll(values, value);
    return values;
  }
}
