// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Random values of given shapes. A test class with {@code @ExtendWith(RandomData.Seeded.class)} gets one as a parameter
 * of each test method; when the test fails, the failure says with which {@code -Dshapeshift.seed=} it does so again.
 * The seed is the same in each run, unless the property sets another or is {@code random}.
 */
public final class RandomData {
  private static final String PROPERTY = "shapeshift.seed";
  private static final String USUAL = "6016";
  private static final long SEED = seed(System.getProperty(PROPERTY, USUAL));

  /** Steps between positions that are read one by one. */
  private static final int[] STEPS = {1, 2, 5, 20, 70, 150};
  /** Kinds of such positions: two of their own, and each step in both directions, but for 1 ascending. */
  private static final int SINGLY = 2 + 2 * STEPS.length - 1;

  private final Random random;

  /** Data that is the same in each run, whatever the property says: for tests that pin what comes of it. */
  public RandomData(long seed) {
    this.random = new Random(seed);
  }

  /** Data of this run's seed for what the tests of a class share. */
  public static RandomData shared(long salt) {
    return new RandomData(SEED ^ salt);
  }

  private static long seed(String property) {
    final long seed = property.equals("random") ? System.nanoTime() : Long.parseLong(property);
    if (!property.equals(USUAL)) {
      System.out.println("Random data of -D" + PROPERTY + "=" + seed);
    }
    return seed;
  }

  /** A number from 0 to less than {@code bound}. */
  public int nextInt(int bound) {
    return random.nextInt(bound);
  }

  /** A number from {@code least} to {@code most}. */
  public int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  /** One of these, all equally likely. */
  public <T> T oneOf(List<T> all) {
    return all.get(nextInt(all.size()));
  }

  /** Any 64 bits. */
  public long nextLong() {
    return random.nextLong();
  }

  /** A number from 0 to less than 1, with as many digits as doubles have. */
  public double nextDouble() {
    return random.nextDouble();
  }

  /** A number of the normal distribution around 0, with a deviation of 1. */
  public double nextGaussian() {
    return random.nextGaussian();
  }

  /** Random bytes. */
  public byte[] bytes(int length) {
    final byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A value that takes exactly {@code width} bits, 0 to 31. */
  public int ofWidth(int width) {
    return width == 0 ? 0 : (1 << (width - 1)) | uniform(width - 1);
  }

  /** A value of at most {@code width} bits, 0 to 31, all equally likely. */
  public int uniform(int width) {
    return (int) (random.nextLong() & ((1L << width) - 1));
  }

  /** Values of at most {@code width} bits, of which at least one takes all of them. */
  public int[] uniform(int length, int width) {
    final int[] values = values(length, i -> uniform(width));
    values[nextInt(length)] = ofWidth(width);
    return values;
  }

  /** Values from 0 to 2^31-1, of which at least one is the smallest and another the largest, if there are so many. */
  public int[] fullRange(int length) {
    final int[] values = uniform(length, 31);
    values[length - 1] = Integer.MAX_VALUE;
    values[0] = 0;
    return values;
  }

  /** Runs of some lengths, each of a value of {@code width} bits that differs from the one before. */
  public int[] runs(int length, int width, int... runLengths) {
    final int[] values = new int[length];
    int start = 0;
    while (start < length) {
      final int end = Math.min(length, start + runLengths[nextInt(runLengths.length)]);
      final int previous = start == 0 ? -1 : values[start - 1];
      int value = uniform(width);
      while (value == previous) {
        value = uniform(width);
      }
      Arrays.fill(values, start, end, value);
      start = end;
    }
    return values;
  }

  /** Values of {@code width} bits, of which about one in {@code rarity} takes {@code exceptionWidth} bits. */
  public int[] exceptions(int length, int width, int exceptionWidth, int rarity) {
    return values(length, i -> nextInt(rarity) == 0 ? ofWidth(exceptionWidth) : uniform(width));
  }

  /** Zeros, but for about one value in {@code rarity}. */
  public int[] sparse(int length, int width, int rarity) {
    return exceptions(length, 0, width, rarity);
  }

  /** Values below {@code cardinality}, each the less likely the larger it is. */
  public int[] zipf(int length, int cardinality) {
    return values(length, i -> (int) Math.pow(cardinality, random.nextDouble()) - 1);
  }

  /** Sequences of values that come again and again, as in rows that repeat several columns' values. */
  public int[] phrases(int length, int width, int numPhrases, int phraseLength) {
    final int[] phrases = uniform(numPhrases * phraseLength, width);
    final int[] values = new int[length];
    for (int start = 0; start < length; start += phraseLength) {
      System.arraycopy(
          phrases, nextInt(numPhrases) * phraseLength, values, start, Math.min(phraseLength, length - start));
    }
    return values;
  }

  /** Positions as cursors read them one by one, over all of a column of this size: in both directions, near and far. */
  public List<int[]> singlePositions(int size) {
    return size == 0 ? List.of() : IntStream.range(0, SINGLY).mapToObj(kind -> singlePositions(size, kind)).toList();
  }

  /** One of the {@link #singlePositions(int)} of a column that is not empty. */
  public int[] anySinglePositions(int size) {
    return singlePositions(size, nextInt(SINGLY));
  }

  private int[] singlePositions(int size, int kind) {
    return switch (kind) {
      case 0 -> walk(size);
      // Start and end of rows of several values, rows descending.
      case 1 -> values(2 * (size / 10), i -> size - 10 * (i / 2 + 1) + i % 2);
      // Step by step; but for each position one after the other, which all tests read anyway.
      default -> {
        final int step = STEPS[(kind - 1) / 2];
        final int first = nextInt(Math.min(step, size));
        final int count = (size - first + step - 1) / step;
        yield values(count, i -> first + (kind % 2 == 0 ? count - 1 - i : i) * step);
      }
    };
  }

  /** To and fro near each other, and now and then far away. */
  private int[] walk(int size) {
    final int[] walk = new int[Math.min(2 * size, 5000)];
    for (int i = 0, at = nextInt(size); i < walk.length; i++) {
      at = nextInt(30) == 0 ? nextInt(size) : Math.max(0, Math.min(size - 1, at + between(-9, 9)));
      walk[i] = at;
    }
    return walk;
  }

  /** About one position of {@code gap}, in ascending order, and one that is there in any case. */
  public int[] ascending(int size, int gap, int position) {
    final int[] positions = new int[size];
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (i == position || nextInt(gap) == 0) {
        positions[count++] = i;
      }
    }
    return Arrays.copyOf(positions, count);
  }

  /** Positions as filters leave them, over all of a column of this size, and as nobody would ask for them. */
  public List<int[]> positions(int size) {
    if (size == 0) {
      return List.of();
    }
    final List<int[]> positions = new ArrayList<>();
    for (int gap : new int[] {2, 5, 20, 300, 5000}) {
      final int first = nextInt(Math.min(gap, size));
      positions.add(
          IntStream.iterate(first, position -> position < size, position -> position + between(1, gap))
              .toArray());
    }
    positions.add(values(size, i -> size - 1 - i));
    // Each several times in a row.
    positions.add(IntStream.range(0, Math.min(3 * size, 3000)).map(i -> i / 3).toArray());
    // To and fro between the ends, and between halves.
    positions.add(IntStream.range(0, 50).map(i -> i % 2 == 0 ? 0 : size - 1).toArray());
    positions.add(IntStream.range(0, 500).map(i -> i % 2 * (size / 2) + nextInt(size / 2 + 1))
        .map(position -> Math.min(position, size - 1)).toArray());
    // Many near each other, with one far away among them.
    final int[] near = IntStream.range(0, Math.min(size, 200)).toArray();
    near[nextInt(near.length)] = size - 1;
    positions.add(near);
    return positions;
  }

  /** The values, each with a base added to it. */
  public static int[] above(int base, int... values) {
    return values(values.length, i -> base + values[i]);
  }

  /** {@code first}, {@code first + 1} and so on. */
  public static int[] sequence(int length, int first) {
    return values(length, i -> first + i);
  }

  /** The same value {@code length} times. */
  public static int[] constant(int length, int value) {
    final int[] values = new int[length];
    Arrays.fill(values, value);
    return values;
  }

  private static int[] values(int length, IntUnaryOperator value) {
    final int[] values = new int[length];
    Arrays.setAll(values, value);
    return values;
  }

  /** Gives each test random data of its own and names the seed in its failure. */
  public static final class Seeded implements ParameterResolver, TestExecutionExceptionHandler {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
      return parameter.getParameter().getType() == RandomData.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
      // Each test has numbers of its own, so that it fails alone as it fails among others.
      return new RandomData(SEED ^ ((long) test.getUniqueId().hashCode() << Integer.SIZE));
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure) {
      throw new AssertionError(failure.getMessage() + " [again with -D" + PROPERTY + "=" + SEED + "]", failure);
    }
  }
}
