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
 * Makes a JVM know columns of all kinds, widths and forms, as a Historical does: code that the JIT compiler made for
 * one kind alone is several times faster than a server ever sees. Whoever measures pollutes first, and again between
 * measurements: the compiler would take what was read for long for the only kind that matters.
 */
public final class Pollution implements Closeable {
  private static final String NAME = "pollution";
  private static final int ROWS = 1 << 14;
  private static final int PHRASE = 997;

  private final List<Column> columns = new ArrayList<>();
  /** How many of the columns, the first ones, are written again and again: numbers in each form are read only. */
  private final int written;
  private final int[] positions = RowReads.positions(ROWS, 0.1);
  private final RowReads.Vectors vectors = new RowReads.Vectors();
  /** What was read, for the compiler to see that somebody wants it. */
  private final LongAdder sink = new LongAdder();
  private int next;

  /**
   * A column.
   *
   * @param rows the values in the encoding
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

  /** Adds ids of all kinds in those forms that no column is in so far, as others are nearly always smaller. */
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

  /** Adds a column in each form: left to themselves, some win only in columns of very special numbers. */
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

  /** All that it reads. */
  List<Column> columns() {
    return columns;
  }

  /** Values of all types, and ids of which each form, and each of Druid's readers, gets some. */
  private static List<RowValues> allKinds() {
    final Random random = new Random(1);
    final List<RowValues> kinds = new ArrayList<>();
    kinds.add(new RowValues.Ids(IntStream.range(0, ROWS).map(i -> 7).toArray(), 8));
    // Few values that are far apart; ever larger ones; rare exceptions; long runs.
    final int[] few = random.ints(20, 0, Integer.MAX_VALUE).toArray();
    kinds.add(ids(i -> few[random.nextInt(few.length)]));
    kinds.add(ids(i -> i * 1000 + random.nextInt(1000)));
    kinds.add(ids(i -> random.nextInt(random.nextInt(50) == 0 ? 1 << 30 : 30)));
    final int[] runs = random.ints(ROWS, 0, 9).map(run -> run * run * run * run).toArray();
    kinds.add(ids(i -> runs[i * 5 / ROWS]));
    // One to four bytes wide: at random, in runs, and in phrases that come again.
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
    // Druid's strategy auto stores few values by a table, others as differences from the least, of many widths.
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

  /** Reads columns of all kinds, again and again, for at least so long, and each at least once. */
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

  /** Writes columns of all kinds, one after the other, for at least so long, and goes on there the next time. */
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
