// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.FormEncodings;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;

/**
 * Reads and writes columns of all kinds, widths and forms, so that the JIT compiler has seen them all, as in a
 * Historical. Code that was compiled for a single kind is several times faster than a server ever sees. A benchmark
 * pollutes before it measures, and again between measurements, because the compiler would otherwise specialize on what
 * was read for a long time.
 */
public final class Pollution implements Closeable {
  private static final String NAME = "pollution";
  private static final int ROWS = 1 << 14;
  private static final int PHRASE = 997;

  private final List<Column> columns = new ArrayList<>();
  /** Number of leading columns that are also written repeatedly. Columns of numbers in each form are only read. */
  private final int written;
  private final int[] positions = RowReads.positions(ROWS, 0.1);
  private final RowReads.Vectors vectors = new RowReads.Vectors();
  /** Sum of results, so that the compiler does not remove the reads. */
  private final LongAdder sink = new LongAdder();
  private int next;

  /**
   * Column.
   *
   * @param rows values in the encoding
   */
  record Column(RowValues values, RowEncoding encoding, EncodedRows rows) {}

  /** Writes the columns. */
  public Pollution() {
    try {
      final List<RowValues> kinds = allKinds();
      for (RowValues values : kinds) {
        for (RowEncoding encoding : RowEncodings.all(BlockSize.SMALL)) {
          if (encoding.supports(values)) {
            columns.add(new Column(values, encoding, encoding.encode(NAME, values)));
          }
        }
      }
      addFormsThatLose(kinds);
      written = columns.size();
      for (NumberType type : NumberType.values()) {
        addEachForm(numbers(type));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds ids of all kinds in the forms that no column has so far, because other forms are nearly always smaller. */
  private void addFormsThatLose(List<RowValues> kinds) throws IOException {
    final Set<String> seen = new HashSet<>();
    columns.stream()
        .filter(column -> !(column.values instanceof RowValues.Numbers))
        .forEach(column -> column.rows.forms().keySet().forEach(form -> seen.add(FormEncodings.name(form))));
    for (RowValues values : kinds) {
      if (!(values instanceof RowValues.Numbers)) {
        for (RowEncoding form : FormEncodings.of(values)) {
          if (!seen.contains(form.name())) {
            FormEncodings.encode(form, NAME, values).ifPresent(rows -> columns.add(new Column(values, form, rows)));
          }
        }
      }
    }
  }

  /** Adds a column in each form, because selection chooses some forms only for very special numbers. */
  private void addEachForm(List<RowValues> numbers) throws IOException {
    final Set<String> done = new HashSet<>();
    for (RowValues values : numbers) {
      for (RowEncoding form : FormEncodings.of(values)) {
        if (!done.contains(form.name())) {
          FormEncodings.encode(form, NAME, values).ifPresent(rows -> {
            columns.add(new Column(values, form, rows));
            done.add(form.name());
          });
        }
      }
    }
  }

  /** All columns that are read. */
  List<Column> columns() {
    return columns;
  }

  /** Values of all types, including ids that suit each form and each of Druid's readers. */
  private static List<RowValues> allKinds() {
    final Random random = new Random(1);
    final List<RowValues> kinds = new ArrayList<>();
    kinds.add(new RowValues.Ids(IntStream.range(0, ROWS).map(i -> 7).toArray(), 8));
    // Few distinct values that are far apart; ascending values; rare exceptions; long runs.
    final int[] few = random.ints(20, 0, Integer.MAX_VALUE).toArray();
    kinds.add(ids(i -> few[random.nextInt(few.length)]));
    kinds.add(ids(i -> i * 1000 + random.nextInt(1000)));
    kinds.add(ids(i -> random.nextInt(random.nextInt(50) == 0 ? 1 << 30 : 30)));
    final int[] runs = random.ints(ROWS, 0, 9).map(run -> run * run * run * run).toArray();
    kinds.add(ids(i -> runs[i * 5 / ROWS]));
    // One to four bytes wide: random, in runs, and in recurring phrases.
    for (int cardinality : new int[]{1, 200, 60_000, 16_000_000, Integer.MAX_VALUE - 1}) {
      kinds.add(new RowValues.Ids(
          IntStream.range(0, ROWS).map(i -> random.nextInt(cardinality)).toArray(), cardinality));
      kinds.add(new RowValues.Ids(
          IntStream.range(0, ROWS).map(i -> (i / 40) % cardinality).toArray(), cardinality));
      final int[] phrase = random.ints(PHRASE, 0, cardinality).toArray();
      kinds.add(new RowValues.Ids(
          IntStream.range(0, ROWS).map(i -> phrase[i % PHRASE]).toArray(), cardinality));
      kinds.add(new RowValues.MultiIds(
          IntStream.rangeClosed(0, ROWS).map(i -> i / 2 * 3 + i % 2).toArray(),
          IntStream.range(0, ROWS / 2 * 3).map(i -> random.nextInt(cardinality)).toArray(),
          cardinality
      ));
    }
    // Druid's auto strategy stores few distinct values as a table, and others as differences from the minimum, of many
    // widths.
    for (int bits : new int[]{1, 4, 8, 12, 16, 24, 32, 48, Long.SIZE}) {
      kinds.add(new RowValues.Longs(random.longs(ROWS).map(value -> value >>> (Long.SIZE - bits)).toArray()));
    }
    kinds.add(new RowValues.Doubles(random.doubles(ROWS).toArray()));
    kinds.add(floats(i -> random.nextDouble()));
    return kinds;
  }

  /** Numbers of which each form can store some. */
  private static List<RowValues> numbers(NumberType type) {
    final Random random = new Random(2);
    final long[] few = random.longs(20).map(value -> value >>> 20).toArray();
    final double[] some = random.doubles(200).toArray();
    final List<IntToLongFunction> whole = List.of(
        i -> 0,
        i -> 1_700_000_000_000L + i * 60_000L + random.nextInt(1000),
        i -> random.nextInt(random.nextInt(50) == 0 ? 1 << 30 : 30),
        i -> few[random.nextInt(few.length)],
        i -> few[i * 20 / ROWS],
        i -> i / 500 % 7,
        i -> random.nextLong()
    );
    final List<IntToDoubleFunction> real = List.of(
        i -> random.nextInt(1000) / 100.0,
        i -> random.nextInt(random.nextInt(50) == 0 ? 1 << 20 : 30) / 100.0,
        i -> (i >> 9) / 100.0,
        i -> i / 100.0,
        i -> some[random.nextInt(some.length)],
        i -> some[i / 100] - 0.5,
        i -> some[random.nextInt(some.length)] - 0.5,
        i -> some[random.nextInt(50) == 0 ? random.nextInt(some.length) : 7] - 0.5,
        i -> some[i * some.length / ROWS] - 0.5,
        i -> Double.longBitsToDouble(1L << 62 | random.nextInt(random.nextInt(50) == 0 ? 1 << 30 : 30)),
        i -> Double.longBitsToDouble(1L << 62 | random.nextInt(1000)),
        i -> random.nextDouble()
    );
    return switch (type) {
      case LONG -> whole.stream().<RowValues>map(value ->
          new RowValues.Longs(IntStream.range(0, ROWS).mapToLong(value).toArray())).toList();
      case DOUBLE -> Stream.concat(whole.stream().<IntToDoubleFunction>map(value -> value::applyAsLong), real.stream())
          .<RowValues>map(value -> new RowValues.Doubles(IntStream.range(0, ROWS).mapToDouble(value).toArray()))
          .toList();
      case FLOAT -> Stream.concat(whole.stream().<IntToDoubleFunction>map(value -> value::applyAsLong), real.stream())
          .<RowValues>map(Pollution::floats)
          .toList();
    };
  }

  private static RowValues.Floats floats(IntToDoubleFunction value) {
    final float[] floats = new float[ROWS];
    IntStream.range(0, ROWS).forEach(i -> floats[i] = (float) value.applyAsDouble(i));
    return new RowValues.Floats(floats);
  }

  private static RowValues.Ids ids(IntUnaryOperator id) {
    return new RowValues.Ids(IntStream.range(0, ROWS).map(id).toArray(), Integer.MAX_VALUE);
  }

  /** Reads columns of all kinds repeatedly, for at least {@code nanos} ns, and each at least once. */
  public void read(long nanos) {
    final long end = System.nanoTime() + nanos;
    do {
      for (Column column : columns) {
        read(column.rows);
      }
    } while (System.nanoTime() < end);
  }

  private void read(EncodedRows rows) {
    for (int way = 0; way < 4; way++) {
      try (Closeable column = rows.column().get()) {
        final RowReads reads = RowReads.of(column, vectors);
        sink.add(switch (way) {
          case 0 -> reads.scan();
          case 1 -> reads.select(positions);
          case 2 -> reads.scanSingly();
          default -> reads.selectSingly(positions);
        });
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Writes columns of all kinds in turn, for at least {@code nanos} ns. The next call continues with the next column.
   */
  public void write(long nanos) {
    final long end = System.nanoTime() + nanos;
    do {
      final Column column = columns.get(next);
      next = (next + 1) % written;
      try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
        sink.add(column.encoding.write(NAME, column.values, medium).getSerializedSize());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    } while (System.nanoTime() < end);
  }

  @Override
  public void close() {
    columns.forEach(column -> column.rows.close());
  }
}
