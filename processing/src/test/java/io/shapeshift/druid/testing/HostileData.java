// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import io.shapeshift.druid.form.numbers.NumberType;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Values in which a thorough compressor finds much more than a quick one, or whose parts differ, so that what one part
 * says is wrong of the next: columns made to be larger than Druid's own. Each piece has a shape of its own, and a
 * column has one piece or several.
 */
public final class HostileData {
  private static final int SHAPES = 17;
  private static final int MAX_PIECES = 5;

  private final RandomData random;
  private final StringBuilder told = new StringBuilder();

  /** Data of such random numbers. */
  public HostileData(RandomData random) {
    this.random = random;
  }

  /** What was made last, for messages. */
  public String told() {
    return told.toString();
  }

  /** Ids of a column. */
  public int[] ids() {
    told.setLength(0);
    final int maxWidth = random.oneOf(List.of(1, 4, 5, 8, 9, 16, 17, 20));
    int[] values = new int[0];
    final int pieces = random.nextInt(2) == 0 ? 1 : random.between(2, MAX_PIECES);
    for (int i = 0; i < pieces; i++) {
      final int length = (int) Math.pow(2, random.between(0, pieces == 1 ? 176 : 150) / 10.0);
      final int width = random.between(1, maxWidth);
      final int[] piece = piece(random.nextInt(SHAPES), length, 1 << width);
      final int start = values.length;
      values = Arrays.copyOf(values, start + length);
      System.arraycopy(piece, 0, values, start, length);
    }
    return values;
  }

  /** Some values below a bound. */
  private int[] piece(int shape, int length, int bound) {
    told.append(" shape ").append(shape).append(" of ").append(length).append(" below ").append(bound).append(';');
    final int width = Integer.numberOfTrailingZeros(bound);
    return switch (shape) {
      case 0 -> noisy(length, period(bound, random.between(2, 300)), random.between(2, 400), bound);
      case 1 -> readings(length, bound);
      case 2 -> nearlySorted(length, bound);
      case 3 -> bursts(length, bound);
      case 4 -> alternating(length, bound);
      case 5 -> texts(length, bound);
      case 6 -> steps(length, bound);
      case 7 -> random.uniform(length, width);
      case 8 -> random.zipf(length, bound);
      case 9 -> random.runs(length, width, 1, 2, 3, random.between(1, 60));
      case 10 -> random.phrases(length, width, random.between(2, 500), random.between(2, 200));
      case 11 -> random.sparse(length, width, random.between(2, 500));
      case 12 -> noisy(length, period(bound, random.between(1000, 60_000)), random.between(5, 2000), bound);
      case 13 -> markov(length, bound);
      case 14 -> edited(length, bound);
      case 15 -> fewPerPart(length, bound);
      default -> RandomData.constant(length, random.nextInt(bound));
    };
  }

  private int[] period(int bound, int length) {
    return random.nextInt(2) == 0
           ? random.uniform(length, Integer.numberOfTrailingZeros(bound))
           : random.zipf(length, bound);
  }

  /** A period with a value in so many replaced. */
  private int[] noisy(int length, int[] period, int rarity, int bound) {
    final int[] values = new int[length];
    for (int i = 0; i < length; i++) {
      values[i] = random.nextInt(rarity) == 0 ? random.nextInt(bound) : period[i % period.length];
    }
    return values;
  }

  /** Readings of meters, one after the other: few values, each meter with a pattern of its own that drifts. */
  private int[] readings(int length, int bound) {
    final int distinct = Math.min(bound, 18);
    final int meters = random.between(1, 40);
    final int[][] patterns = new int[meters][];
    for (int i = 0; i < meters; i++) {
      patterns[i] = new int[random.between(8, 200)];
      Arrays.setAll(patterns[i], at -> random.nextInt(distinct));
    }
    final int rarity = random.between(10, 300);
    final int[] values = new int[length];
    int start = 0;
    while (start < length) {
      final int[] pattern = patterns[random.nextInt(meters)];
      for (int i = 0; i < pattern.length && start < length; i++) {
        values[start++] = random.nextInt(rarity) == 0 ? random.nextInt(distinct) : pattern[i];
      }
      if (random.nextInt(50) == 0) {
        pattern[random.nextInt(pattern.length)] = random.nextInt(distinct);
      }
    }
    return values;
  }

  private int[] nearlySorted(int length, int bound) {
    final int[] values = new int[length];
    Arrays.setAll(values, i -> random.nextInt(bound));
    Arrays.sort(values);
    for (int i = random.nextInt(length + 1) / random.between(2, 100); i > 0; i--) {
      final int at = random.nextInt(length);
      final int to = Math.min(length - 1, at + random.nextInt(50));
      final int swapped = values[at];
      values[at] = values[to];
      values[to] = swapped;
    }
    return values;
  }

  private int[] bursts(int length, int bound) {
    final int[] values = new int[length];
    int start = 0;
    while (start < length) {
      final int end = Math.min(length, start + random.between(1, 2000));
      final boolean isQuiet = random.nextInt(3) > 0;
      final int quiet = random.nextInt(bound);
      for (; start < end; start++) {
        values[start] = isQuiet ? quiet : random.nextInt(bound);
      }
    }
    return values;
  }

  /** Blocks of noise and blocks of repetitions in turn, so that each says the contrary of the one before. */
  private int[] alternating(int length, int bound) {
    final int part = 1 << random.between(8, 16);
    final int[] period = period(bound, random.between(20, 5000));
    final int[] values = new int[length];
    Arrays.setAll(values, i -> i / part % 2 == 0 ? period[i % period.length] : random.nextInt(bound));
    return values;
  }

  /** Ids of words, in phrases that come again. */
  private int[] texts(int length, int bound) {
    final int[] values = random.zipf(length, bound);
    int at = random.between(10, 200);
    while (at < length) {
      final int copied = Math.min(length - at, random.between(2, 30));
      final int from = random.nextInt(at);
      for (int i = 0; i < copied; i++) {
        values[at + i] = values[from + i];
      }
      at += copied + random.between(1, 30);
    }
    return values;
  }

  private int[] steps(int length, int bound) {
    final int step = random.between(1, 5);
    final int[] values = new int[length];
    int value = bound / 2;
    for (int i = 0; i < length; i++) {
      value = Math.floorMod(value + random.nextInt(2 * step + 1) - step, bound);
      values[i] = value;
    }
    return values;
  }

  private int[] markov(int length, int bound) {
    final int states = Math.min(bound, 4096);
    final int[] next = new int[states];
    Arrays.setAll(next, i -> random.nextInt(states));
    final int rarity = random.between(3, 100);
    final int[] values = new int[length];
    for (int i = 1; i < length; i++) {
      values[i] = random.nextInt(rarity) == 0 ? random.nextInt(states) : next[values[i - 1]];
    }
    return values;
  }

  /** The same part again and again, each time with some values left out, put in, or changed. */
  private int[] edited(int length, int bound) {
    final int[] part = period(bound, random.between(100, 10_000));
    final int rarity = random.between(4, 200);
    final int[] values = new int[length];
    int from = 0;
    for (int i = 0; i < length; i++) {
      if (random.nextInt(rarity) == 0) {
        switch (random.nextInt(3)) {
          case 0 -> values[i] = random.nextInt(bound);
          case 1 -> values[i] = part[++from % part.length];
          default -> values[i] = part[from-- % part.length];
        }
        from = Math.max(0, from);
      } else {
        values[i] = part[from % part.length];
      }
      from++;
    }
    return values;
  }

  /** Few values in each part, others in the next. */
  private int[] fewPerPart(int length, int bound) {
    final int part = random.between(100, 20_000);
    final int distinct = random.between(2, 20);
    int[] few = new int[distinct];
    final int[] values = new int[length];
    for (int i = 0; i < length; i++) {
      if (i % part == 0) {
        few = few.clone();
        Arrays.setAll(few, at -> random.nextInt(bound));
      }
      values[i] = few[random.nextInt(distinct)];
    }
    return values;
  }

  /** Numbers of a column, by their bits. */
  public long[] numbers(NumberType type) {
    final int[] ids = ids();
    final int how = random.nextInt(6);
    told.append(" as numbers ").append(how);
    final int any = random.between(1, 1 << 20);
    final long mask = type == NumberType.FLOAT ? 0xFFFF_FFFFL : -1;
    final IntToLongFunction number = switch (how) {
      // As they are, above a base, and far apart.
      case 0 -> id -> decimal(type, id, 1);
      case 1 -> id -> decimal(type, id + any, 1);
      case 2 -> id -> decimal(type, id, 100);
      case 3 -> id -> decimal(type, (long) id * any, 1000);
      // Bits that no frame fits.
      case 4 -> id -> mixed(id + any);
      default -> id -> (mixed(id) >>> 17) << (id & 7);
    };
    return Arrays.stream(ids).mapToLong(id -> number.applyAsLong(id) & mask).toArray();
  }

  private static long decimal(NumberType type, long value, int divisor) {
    return switch (type) {
      case LONG -> value * divisor;
      case DOUBLE -> Double.doubleToRawLongBits((double) value / divisor);
      case FLOAT -> Float.floatToRawIntBits((float) value / divisor);
    };
  }

  private static long mixed(long value) {
    final long mixed = value * 0x9E37_79B9_7F4A_7C15L;
    return mixed ^ (mixed >>> 29);
  }
}
