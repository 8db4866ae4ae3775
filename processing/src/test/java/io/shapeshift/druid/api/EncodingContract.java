// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import io.shapeshift.druid.form.AddedNames;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.added.AddedIntForm;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.added.AddedNumberForm;
import io.shapeshift.druid.form.postings.AddedPostingForm;
import io.shapeshift.druid.form.postings.PostingChunk;
import io.shapeshift.druid.form.postings.PostingChunkReader;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.select.AddedForms;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Contract of encodings, for the tests of those who write them: in the jar of tests, for any test framework. It encodes
 * values of many shapes and lengths in both byte orders, compares every way of reading with the values, and reads cut
 * off and damaged bytes.
 *
 * <pre>{@code
 * @Test
 * void keepsTheContract() {
 *   EncodingContract.check(new PeriodicEncoding(), new int[]{5, 7, 9, 5, 7, 9, 5, 7, 9});
 * }
 * }</pre>
 *
 * A check throws an {@link AssertionError} that says which values, byte order and index failed. It also fails if the
 * encoding skips a sample, or all values. It prints how many of the contract's own sets of values the encoding stored:
 * nothing is checked of those that it skips.
 */
public final class EncodingContract {
  private static final int[] LENGTHS = {1, 2, 3, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1000, 4096};
  private static final ByteOrder[] ORDERS = {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN};
  private static final byte ID = AddedNames.FIRST_ID;
  private static final int DAMAGES = 40;
  private static final int NUM_ROWS = 100_000;

  private EncodingContract() {}

  /** Count of the contract's own sets of values that an encoding stored. What it skips is not checked. */
  static final class Tally {
    private final String encoding;
    private final List<?> samples;
    private int stored;
    private int tried;

    Tally(String encoding, List<?> samples) {
      this.encoding = encoding;
      this.samples = samples;
    }

    /** Adds values, which must be stored if they are a sample. */
    void add(Object values, boolean isStored) {
      if (samples.contains(values)) {
        require(isStored, encoding + " skips sample " + samples.indexOf(values));
      } else {
        tried++;
        stored += isStored ? 1 : 0;
      }
    }

    /** Returns what was checked. */
    String summary() {
      require(stored > 0 || !samples.isEmpty(), encoding + " skips all values: pass samples that it stores");
      return encoding + " keeps the contract; it stored " + stored + " of the contract's " + tried + " sets of values";
    }
  }

  /**
   * Checks an encoding of ints.
   *
   * @param samples ints, 0 or more, that the encoding must store, besides what the contract tries
   */
  public static void check(IntEncoding encoding, int[]... samples) {
    checkName(encoding);
    final AddedIntForm form = new AddedIntForm(ID, encoding);
    final Tally tally = new Tally(encoding.name(), List.of(samples));
    for (int[] values : all(samples)) {
      final IntChunk chunk = new IntChunk(values.length);
      System.arraycopy(values, 0, chunk.startFilling(values.length), 0, values.length);
      final String what = encoding.name() + " of " + values.length + " ints " + head(values);
      final boolean isStored = form.estimate(chunk).kind() != Estimate.Kind.SKIP;
      tally.add(values, isStored);
      if (!isStored) {
        continue;
      }
      require(form.scanNanos(chunk) > 0, what + ": scanNanos must be positive");
      require(form.sparseNanos(chunk) >= 0, what + ": sparseNanos must not be negative");
      for (ByteOrder order : ORDERS) {
        final ByteBuffer bytes = encoded(form, chunk, order, what);
        require(Arrays.equals(values, Arrays.copyOf(chunk.values(), values.length)), what + ": it changes the values");
        readInts(form, bytes, values, what + ", " + order);
        damage(bytes, damaged -> {
          final IntChunkReader reader = new IntChunkReader();
          reader.startChunk(values.length);
          form.transform(damaged, 0, damaged.limit(), reader);
          reader.get(new int[values.length], 0, 0, values.length);
          reader.get(values.length - 1);
        });
      }
    }
    System.out.println(tally.summary());
  }

  private static void readInts(AddedIntForm form, ByteBuffer bytes, int[] values, String what) {
    final IntChunkReader reader = new IntChunkReader();
    reader.startChunk(values.length);
    form.transform(bytes, 0, bytes.limit(), reader);
    int least = Integer.MAX_VALUE;
    int greatest = 0;
    for (int i = 0; i < values.length; i++) {
      requireEqual(values[i], reader.get(i), what, i);
      least = Math.min(least, values[i]);
      greatest = Math.max(greatest, values[i]);
    }
    require(reader.least() <= least && reader.greatest() >= greatest, what + ": values are outside of its bounds");
    final int[] out = new int[values.length + 2];
    for (int start = 0; start < values.length; start += Math.max(1, values.length / 5)) {
      for (int length : new int[]{1, 7, 512}) {
        final int some = Math.min(length, values.length - start);
        Arrays.fill(out, -1);
        reader.get(out, 1, start, some);
        for (int i = 0; i < some; i++) {
          requireEqual(values[start + i], out[1 + i], what, start + i);
        }
        require(out[0] == -1 && out[1 + some] == -1, what + ": a read writes beyond its place in the array");
      }
    }
  }

  /**
   * Checks an encoding of numbers.
   *
   * @param samples bits of numbers that the encoding must store as the first of its kinds (long, double, float),
   *                besides what the contract tries
   */
  public static void check(NumberEncoding encoding, long[]... samples) {
    checkName(encoding);
    final AddedNumberForm form = new AddedNumberForm(ID, encoding);
    final Tally tally = new Tally(encoding.name(), List.of(samples));
    long[][] ofType = samples;
    for (NumberType type : NumberType.values()) {
      if (!form.suits(type)) {
        continue;
      }
      for (long[] each : all(type, ofType)) {
        final long[] values = Arrays.copyOf(each, Math.min(each.length, type.maxValuesPerChunk()));
        final NumberChunk chunk = new NumberChunk(type);
        Arrays.stream(values).forEach(chunk::add);
        final String what = encoding.name() + " of " + values.length + " numbers, " + type;
        final boolean isStored = form.estimate(chunk).kind() != Estimate.Kind.SKIP;
        tally.add(each, isStored);
        if (!isStored) {
          continue;
        }
        require(form.scanNanos(chunk) > 0, what + ": scanNanos must be positive");
        for (ByteOrder order : ORDERS) {
          final ByteBuffer bytes = encoded(form, chunk, order, what);
          readNumbers(form, type, bytes, values, what + ", " + order);
          damage(bytes, damaged -> {
            final NumberChunkReader reader = NumberForms.reader(type);
            reader.startChunk(values.length);
            form.transform(damaged, 0, damaged.limit(), reader);
            reader.keyAt(values.length - 1);
          });
        }
      }
      ofType = new long[0][];
    }
    System.out.println(tally.summary());
  }

  private static void readNumbers(AddedNumberForm form, NumberType type, ByteBuffer bytes, long[] values, String what) {
    final NumberChunkReader reader = NumberForms.reader(type);
    reader.startChunk(values.length);
    form.transform(bytes, 0, bytes.limit(), reader);
    for (int i = 0; i < values.length; i++) {
      requireEqual(type.sortable(values[i]), reader.keyAt(i), what, i);
    }
  }

  /**
   * Checks an encoding of posting lists.
   *
   * @param samples lists of ascending rows, below 100,000, that the encoding must store, besides what is tried
   */
  public static void check(PostingEncoding encoding, int[]... samples) {
    checkName(encoding);
    final AddedPostingForm form = new AddedPostingForm(ID, encoding);
    final List<PostingChunk> all = lists(samples);
    final Tally tally = new Tally(encoding.name(), all.subList(0, samples.length));
    for (PostingChunk lists : all) {
      final String what = encoding.name() + " of " + lists.size() + " lists, " + lists.numPostings() + " rows";
      final boolean isStored = form.estimate(lists).kind() != Estimate.Kind.SKIP;
      tally.add(lists, isStored);
      if (!isStored) {
        continue;
      }
      // Encoding reads back, list by list, what it wrote.
      final ByteBuffer bytes = encoded(form, lists, ByteOrder.LITTLE_ENDIAN, what);
      damage(bytes, damaged -> {
        try (PostingChunkReader reader = new PostingChunkReader(NUM_ROWS)) {
          reader.startChunk(lists.size());
          form.transform(damaged, 0, damaged.limit(), reader);
          reader.read(0, lists.size(), new RowSet(NUM_ROWS));
        }
      });
    }
    System.out.println(tally.summary());
  }

  /**
   * Checks an encoding of texts. The contract tries texts of many kinds and numbers; the encoding may store none of
   * them but the samples.
   *
   * @param samples dictionaries that the encoding must store: each array has the texts of one, in any order
   */
  public static void check(TextEncoding encoding, String[]... samples) {
    checkName(encoding);
    TextContract.check(encoding, samples);
  }

  private static void checkName(Encoding encoding) {
    try {
      AddedForms.checkName(encoding);
    } catch (EncodingException e) {
      throw new AssertionError(e.getMessage(), e);
    }
    require(encoding.name().equals(encoding.name()), "the name must always be the same");
  }

  /** Encodes a chunk, and checks that the estimate was right and that the bytes are the same again. */
  private static <C extends Chunk> ByteBuffer encoded(
      Form<C, ?> form,
      C chunk,
      ByteOrder order,
      String what
  ) {
    final Estimate estimate = form.estimate(chunk);
    final int room = Math.max(Limits.MAX_CHUNK_BYTES, estimate.bytes());
    final ByteBuffer bytes = ByteBuffer.allocate(room).order(order);
    final ByteBuffer again = ByteBuffer.allocateDirect(room).order(order);
    for (int i = 0; i < room; i++) {
      again.put(i, (byte) -1);
    }
    form.encode(chunk, bytes);
    form.encode(chunk, again);
    require(bytes.flip().equals(again.flip()), what + ": the bytes differ from call to call, or not all are written");
    if (estimate.kind() == Estimate.Kind.EXACT) {
      require(
          bytes.limit() == estimate.bytes(),
          what + ": it takes " + (bytes.limit() - 1) + " bytes, and estimated " + (estimate.bytes() - 1)
      );
    }
    return bytes;
  }

  /** Read of damaged bytes, which may fail or give any values. */
  private interface Read {
    void of(ByteBuffer bytes);
  }

  /** Reads bytes that are cut off, have one more, or are changed. */
  private static void damage(ByteBuffer bytes, Read read) {
    final Random random = new Random(bytes.limit());
    final int length = bytes.limit();
    for (int i = 0; i < DAMAGES; i++) {
      final int size = i == 0 ? length + 1 : i < DAMAGES / 2 ? 1 + random.nextInt(length) : length;
      final ByteBuffer damaged = ByteBuffer.allocate(size).order(bytes.order());
      damaged.put(0, bytes, 0, Math.min(size, length));
      if (size == length && length > 1) {
        // Most faults of readers are in what the first bytes say.
        final int at = 1 + random.nextInt(random.nextBoolean() ? length - 1 : Math.min(8, length - 1));
        damaged.put(at, (byte) random.nextInt());
      }
      try {
        read.of(damaged);
      } catch (MalformedChunkException expected) {
        // As it should be.
      }
    }
  }

  private static List<int[]> all(int[]... samples) {
    final List<int[]> all = new ArrayList<>(List.of(samples));
    final Random random = new Random(1);
    for (int length : LENGTHS) {
      for (int shape = 0; shape < 9; shape++) {
        final int[] values = new int[length];
        int previous = random.nextInt(1000);
        for (int i = 0; i < length; i++) {
          values[i] = switch (shape) {
            case 0 -> previous;
            case 1 -> random.nextInt(2);
            case 2 -> random.nextInt(1000);
            case 3 -> random.nextInt(Integer.MAX_VALUE);
            case 4 -> i % 7 * 100;
            case 5 -> (i % 100) * 12_345;
            case 6 -> 5_000_000 + 60 * i + random.nextInt(8);
            case 7 -> random.nextInt(20) == 0 ? previous + random.nextInt(9) : previous;
            default -> i == length / 2 ? Integer.MAX_VALUE : 0;
          };
          previous = shape == 7 ? values[i] : previous;
        }
        all.add(values);
      }
    }
    return all;
  }

  private static List<long[]> all(NumberType type, long[]... samples) {
    final List<long[]> all = new ArrayList<>(List.of(samples));
    final Random random = new Random(1);
    for (int length : LENGTHS) {
      for (int shape = 0; shape < 6; shape++) {
        final long[] values = new long[length];
        double walk = 20;
        for (int i = 0; i < length; i++) {
          walk += random.nextGaussian();
          final double number = switch (shape) {
            case 0 -> 1.5;
            case 1 -> random.nextInt(1000) / 100.0;
            case 2 -> walk;
            case 3 -> i % 10;
            case 4 -> i * 60_000.0;
            default -> Double.longBitsToDouble(random.nextLong());
          };
          values[i] = switch (type) {
            case LONG -> shape == 5 ? random.nextLong() : (long) number;
            case DOUBLE -> Double.doubleToRawLongBits(number);
            case FLOAT -> Integer.toUnsignedLong(Float.floatToRawIntBits((float) number));
          };
        }
        all.add(values);
      }
    }
    return all;
  }

  private static List<PostingChunk> lists(int[]... samples) {
    final List<PostingChunk> all = new ArrayList<>();
    for (int[] sample : samples) {
      final PostingChunk one = new PostingChunk(NUM_ROWS);
      one.add(sample, 0, sample.length);
      all.add(one);
    }
    final Random random = new Random(1);
    for (int step : new int[]{1, 2, 7, 50, 999, 30_000}) {
      final PostingChunk one = new PostingChunk(NUM_ROWS);
      final int[] rows = new int[NUM_ROWS];
      int count = 0;
      for (int row = random.nextInt(step); row < NUM_ROWS; row += step == 1 ? 1 : 1 + random.nextInt(2 * step)) {
        rows[count++] = row;
      }
      one.add(rows, 0, count);
      all.add(one);
    }
    final PostingChunk several = new PostingChunk(NUM_ROWS);
    for (int list = 0; several.hasRoomFor(list % 9) && list < 500; list++) {
      final int[] rows = random.ints(list % 9, 0, NUM_ROWS).sorted().distinct().toArray();
      several.add(rows, 0, rows.length);
    }
    all.add(several);
    return all;
  }

  private static String head(int[] values) {
    return Arrays.toString(Arrays.copyOf(values, Math.min(values.length, 6)));
  }

  private static void requireEqual(long expected, long found, String what, int index) {
    if (expected != found) {
      throw new AssertionError(what + ": it reads " + found + " at " + index + ", expected " + expected);
    }
  }

  static void require(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
