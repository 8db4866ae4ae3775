// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import static io.shapeshift.druid.benchmark.costs.Measurements.difference;
import static io.shapeshift.druid.benchmark.costs.Measurements.ratio;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.numbers.NumberType;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Times reads of chunks in each form, of values that suit the form. */
final class FormCosts {
  /** Bit width of most packed values. */
  private static final int WIDTH = 10;
  private static final int BOUND = 1 << WIDTH;
  /** Values per exception, in chunks with few exceptions and with many. */
  private static final int FEW = 64;
  private static final int MANY = 16;

  private final Measurements measurements;
  private final int numInts;
  private final int numNumbers;
  private final Random random = new Random(1);
  private final TimedInts bitPack;
  private final DoubleSupplier bitPackScan;

  private FormCosts(Measurements measurements, int size) {
    this.measurements = measurements;
    this.numInts = size;
    this.numNumbers = Math.min(size, NumberType.LONG.maxValuesPerChunk());
    this.bitPack = ints("bitpack", i -> random.nextInt(BOUND));
    this.bitPackScan = bitPack.scan();
  }

  /**
   * Adds the constants of all forms.
   *
   * @param size values of a chunk, a power of two: at most as many as the largest chunk of ints has
   */
  static void add(Measurements measurements, int size) {
    final FormCosts costs = new FormCosts(measurements, size);
    costs.packed();
    costs.patched();
    costs.runs();
    costs.delta();
    costs.entropy();
    costs.codecs();
    costs.linear();
    costs.decimal();
    costs.otherFrames();
    costs.withoutFrame();
  }

  private TimedInts ints(String form, IntUnaryOperator value) {
    return new TimedInts(measurements, form, IntStream.range(0, numInts).map(value).toArray());
  }

  private TimedNumbers numbers(NumberType type, String form, LongSupplier bits) {
    final int size = Math.min(numNumbers, type.maxValuesPerChunk());
    return new TimedNumbers(measurements, type, form, LongStream.generate(bits).limit(size).toArray());
  }

  private void density(Class<?> group, String name, TimedInts chunk, int used, DoubleSupplier scan) {
    density(group, name, used, scan, chunk::byPosition, chunk.size());
  }

  private void density(String name, TimedNumbers chunk, int used) {
    density(
        CostModel.Numbers.class, name, used, chunk.scan(), chunk::byPosition, chunk.size());
  }

  /**
   * Adds the gap between positions at which single reads take as long as reads of whole vectors. It is interpolated
   * between two gaps, one on each side of the constant in use, where readers switch from one kind of read to the other.
   */
  private void density(
      Class<?> group,
      String name,
      int used,
      DoubleSupplier scan,
      Function<int[], DoubleSupplier> byPosition,
      int size
  ) {
    final DoubleSupplier single = byPosition.apply(Positions.everyAbout(used, size));
    final DoubleSupplier picked = byPosition.apply(Positions.denser(used, size));
    // The larger the gap, the more values of a decoded vector are not wanted.
    measurements.constant(group, name, () -> Math.max(
        Positions.SHORTER,
        used - Positions.SHORTER + (single.getAsDouble() - picked.getAsDouble()) / scan.getAsDouble()
    ));
  }

  private void packed() {
    measurements.constant(CostModel.Reads.class, "SCAN_NANOS", bitPackScan);
    density(CostModel.Packed.class, "DENSITY", bitPack, CostModel.Packed.DENSITY, bitPackScan);
    measurements.constant(CostModel.Packed.class, "NEAR", ratio(bitPack.alone(), bitPackScan));

    final TimedInts radix = ints("radix", i -> random.nextInt(40));
    final DoubleSupplier radixScan = radix.scan();
    measurements.constant(CostModel.Radix.class, "SCAN_NANOS", radixScan);
    density(CostModel.Radix.class, "DENSITY", radix, CostModel.Radix.DENSITY, radixScan);

    final int[] entries = random.ints(100, 0, Integer.MAX_VALUE).toArray();
    final TimedInts dictionary = ints("dictionary", i -> entries[random.nextInt(entries.length)]);
    final DoubleSupplier dictionaryScan = dictionary.scan();
    measurements.constant(CostModel.Dictionary.class, "SCAN_NANOS", dictionaryScan);
    density(CostModel.Dictionary.class, "DENSITY", dictionary, CostModel.Dictionary.DENSITY, dictionaryScan);

    final DoubleSupplier radixAlone = ratio(radix.alone(), radixScan);
    final DoubleSupplier dictionaryAlone = ratio(dictionary.alone(), dictionaryScan);
    measurements.constant(
        CostModel.Reads.class, "NEAR", () -> (radixAlone.getAsDouble() + dictionaryAlone.getAsDouble()) / 2);
  }

  private void patched() {
    final DoubleSupplier many = patched(MANY).scan();
    final TimedInts few = patched(FEW);
    final DoubleSupplier fewScan = few.scan();
    final DoubleSupplier rest = difference(many, fewScan);
    final DoubleSupplier exception = () -> rest.getAsDouble() / (1.0 / MANY - 1.0 / FEW);
    measurements.constant(CostModel.Patched.class, "EXCEPTION_NANOS", exception);
    measurements.constant(
        CostModel.Patched.class, "SCAN_NANOS", difference(fewScan, () -> exception.getAsDouble() / FEW));
    density(CostModel.Patched.class, "DENSITY", few, CostModel.Patched.DENSITY, fewScan);

    // One value in ten differs from the base, each by another difference, so that only width 0 helps.
    final TimedInts ofBase = ints("patched", i -> random.nextInt(10) == 0 ? random.nextInt(1 << 20) : 0);
    measurements.constant(CostModel.Patched.class, "SPARSE_NANOS", difference(ofBase.sparse(), bitPack.sparse()));
    density(
        CostModel.Patched.class, "SPARSE_DENSITY", ofBase, CostModel.Patched.SPARSE_DENSITY, ofBase.scan());
  }

  private TimedInts patched(int valuesPerException) {
    return ints(
        "patched", i -> random.nextInt(valuesPerException) == 0 ? random.nextInt(1 << 28) : random.nextInt(250));
  }

  private void runs() {
    final TimedInts runs = runs(MANY);
    final DoubleSupplier shortRuns = runs.scan();
    final DoubleSupplier longRuns = runs(FEW * 4).scan();
    final DoubleSupplier rest = difference(shortRuns, longRuns);
    final DoubleSupplier run = () -> rest.getAsDouble() / (1.0 / MANY - 1.0 / (FEW * 4));
    measurements.constant(CostModel.Runs.class, "RUN_NANOS", run);
    measurements.constant(
        CostModel.Runs.class, "SCAN_NANOS", difference(longRuns, () -> run.getAsDouble() / (FEW * 4)));
    density(CostModel.Runs.class, "DENSITY", runs, CostModel.Runs.DENSITY, shortRuns);
  }

  private TimedInts runs(int length) {
    final int[] current = new int[1];
    return ints("runend", i -> {
      if (random.nextInt(length) == 0) {
        current[0] = random.nextInt(BOUND);
      }
      return current[0];
    });
  }

  private void delta() {
    final int[] last = new int[1];
    final TimedInts delta = ints("delta", i -> last[0] += random.nextInt(BOUND));
    final DoubleSupplier scan = delta.scan();
    measurements.constant(CostModel.Delta.class, "SCAN_NANOS", scan);
    measurements.constant(CostModel.Delta.class, "SPARSE_NANOS", difference(delta.sparse(), bitPack.sparse()));
    density(CostModel.Delta.class, "DENSITY", delta, CostModel.Delta.DENSITY, scan);
    measurements.constant(CostModel.Delta.class, "NEAR", ratio(delta.alone(), scan));
  }

  private void entropy() {
    final TimedInts tans = ints("tans", i -> skewed());
    final DoubleSupplier scan = tans.scan();
    final TimedInts shortTans =
        new TimedInts(measurements, "tans", IntStream.range(0, BOUND).map(i -> skewed()).toArray());
    measurements.constant(CostModel.Entropy.class, "SCAN_NANOS", scan);
    final DoubleSupplier table = difference(shortTans.scan(), scan);
    measurements.constant(CostModel.Entropy.class, "TABLE_NANOS", () -> BOUND * table.getAsDouble());
    measurements.constant(CostModel.Entropy.class, "SPARSE_NANOS", difference(tans.sparse(), bitPack.sparse()));
  }

  /** A value of which three quarters are among a few, as in the ids of a dictionary. */
  private int skewed() {
    return random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(8);
  }

  private void codecs() {
    measurements.constant(
        CostModel.Codecs.class,
        "SCAN_NANOS",
        ints("lz4", i -> skewed()).scan()
    );
    measurements.constant(
        CostModel.Hashes.class,
        "DECODED_NANOS",
        numbers(NumberType.LONG, "linear-lz4", this::skewed).scan()
    );
    measurements.constant(
        CostModel.Stock.class, "WIDE_NANOS", numbers(NumberType.LONG, "raw-lz4", random::nextLong).scan());
    measurements.constant(
        CostModel.Stock.class,
        "NARROW_NANOS",
        numbers(NumberType.FLOAT, "raw-lz4", () -> Integer.toUnsignedLong(random.nextInt())).scan()
    );
  }

  /** Adds a frame: the time of its scan, minus that of its ints. */
  private void frame(String name, DoubleSupplier scan) {
    measurements.constant(CostModel.Numbers.class, name, difference(scan, bitPackScan));
  }

  private void linear() {
    final long base = 1_700_000_000_000L;
    frame(
        "LINEAR_NANOS",
        numbers(NumberType.LONG, "linear-bitpack", () -> base + 1000L * random.nextInt(BOUND)).scan());
    frame(
        "LINEAR_DOUBLE_NANOS",
        numbers(NumberType.DOUBLE, "linear-bitpack", () -> Double.doubleToRawLongBits(1) + random.nextInt(BOUND))
            .scan());
    density(
        "DENSE_EXCEPTIONS",
        numbers(
            NumberType.LONG,
            "linear-bitpack",
            () -> random.nextInt(FEW) == 0 ? random.nextLong() : base + random.nextInt(BOUND)),
        CostModel.Numbers.DENSE_EXCEPTIONS
    );
  }

  private void decimal() {
    frame(
        "DECIMAL_NANOS",
        numbers(
            NumberType.DOUBLE,
            "decimal-bitpack",
            () -> Double.doubleToRawLongBits(random.nextInt(BOUND) / 100.0)).scan()
    );
    frame(
        "DECIMAL_FLOAT_NANOS",
        numbers(
            NumberType.FLOAT,
            "decimal-bitpack",
            () -> Integer.toUnsignedLong(Float.floatToRawIntBits(random.nextInt(BOUND) / 100f))).scan()
    );
  }

  private void otherFrames() {
    final long[] last = new long[1];
    final TimedNumbers delta =
        numbers(NumberType.LONG, "delta-bitpack", () -> last[0] += (1L << 40) + random.nextInt(BOUND));
    frame("DELTA_NANOS", delta.scan());
    density("DENSE_DELTAS", delta, CostModel.Numbers.DENSE_DELTAS);
    final long[] entries = random.longs(100).toArray();
    Arrays.sort(entries);
    frame(
        "DICTIONARY_NANOS",
        numbers(NumberType.LONG, "dictionary-bitpack", () -> entries[random.nextInt(entries.length)]).scan());
  }

  private void withoutFrame() {
    final TimedNumbers wide = numbers(NumberType.LONG, "wide", () -> random.nextLong() >>> 24);
    measurements.constant(CostModel.Numbers.class, "WIDE_NANOS", wide.scan());
    density("DENSE_LONGS", wide, CostModel.Numbers.DENSE_LONGS);
    measurements.constant(
        CostModel.Numbers.class,
        "SPLIT_NANOS",
        numbers(NumberType.DOUBLE, "split", () -> Double.doubleToRawLongBits(1000 + 4000 * random.nextDouble())).scan()
    );
  }
}
