// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import javax.annotation.Nullable;

/**
 * Measures how fast the same rows are read in several encodings, in turns, so that whatever disturbs the machine
 * disturbs all of them. Before that the JVM reads columns of all kinds, widths and forms, as a Historical has: code
 * that the JIT compiler made for one kind alone is several times faster than a server ever sees.
 */
final class SpeedTest implements Closeable {
  /** The shares of rows that are read by position. */
  static final List<String> SHARES = List.of("0.001", "0.01", "0.1", "1.0");

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 11;
  /** A round of one encoding takes at least so long: the clock and the caches are of no account then. */
  private static final long MIN_ROUND_NANOS = 1_000_000;
  private static final long FIRST_POLLUTION_NANOS = 3_000_000_000L;
  private static final long WARM_UP_NANOS = 20_000_000;
  private static final long AGAIN_NANOS = 50_000_000;
  private static final int POLLUTION_ROWS = 1 << 15;
  private static final int PHRASE = 997;

  private final List<EncodedRows> pollution = new ArrayList<>();
  private final int[] pollutionPositions = positions(POLLUTION_ROWS, 0.1);
  private final RowReads.Vectors vectors = new RowReads.Vectors();
  /** What was read, for the compiler to see that somebody wants it. */
  private final LongAdder sink = new LongAdder();

  /** Nanoseconds per row that is read. */
  record Speed(double scan, Map<String, Double> select) {}

  /** Reads columns of all kinds until the compiler has seen them. */
  SpeedTest() {
    try {
      for (RowValues values : allKinds()) {
        for (RowEncoding encoding : RowEncoding.all(BlockSize.SMALL)) {
          if (encoding.supports(values)) {
            pollution.add(encoding.encode("warm-up", values));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    pollute(FIRST_POLLUTION_NANOS);
  }

  /** Values of all types, and ids of which each form, and each of Druid's readers, gets some. */
  static List<RowValues> allKinds() {
    final Random random = new Random(1);
    final List<RowValues> kinds = new ArrayList<>();
    kinds.add(new RowValues.Ids(IntStream.range(0, POLLUTION_ROWS).map(i -> 7).toArray(), 8));
    // One to four bytes wide: at random, in runs, and in phrases that come again.
    for (int cardinality : new int[]{1, 200, 60_000, 16_000_000, Integer.MAX_VALUE - 1}) {
      kinds.add(new RowValues.Ids(
          IntStream.range(0, POLLUTION_ROWS).map(i -> random.nextInt(cardinality)).toArray(), cardinality));
      kinds.add(new RowValues.Ids(
          IntStream.range(0, POLLUTION_ROWS).map(i -> (i / 40) % cardinality).toArray(), cardinality));
      final int[] phrase = random.ints(PHRASE, 0, cardinality).toArray();
      kinds.add(new RowValues.Ids(
          IntStream.range(0, POLLUTION_ROWS).map(i -> phrase[i % PHRASE]).toArray(), cardinality));
      kinds.add(new RowValues.MultiIds(
          IntStream.rangeClosed(0, POLLUTION_ROWS).map(i -> i / 2 * 3 + i % 2).toArray(),
          IntStream.range(0, POLLUTION_ROWS / 2 * 3).map(i -> random.nextInt(cardinality)).toArray(),
          cardinality
      ));
    }
    kinds.add(new RowValues.Longs(random.longs(POLLUTION_ROWS).toArray()));
    kinds.add(new RowValues.Doubles(random.doubles(POLLUTION_ROWS).toArray()));
    final float[] floats = new float[POLLUTION_ROWS];
    IntStream.range(0, floats.length).forEach(i -> floats[i] = random.nextFloat());
    kinds.add(new RowValues.Floats(floats));
    return kinds;
  }

  private void pollute(long nanos) {
    final long end = System.nanoTime() + nanos;
    do {
      for (EncodedRows rows : pollution) {
        read(rows, null);
        read(rows, pollutionPositions);
      }
    } while (System.nanoTime() < end);
  }

  /**
   * Opens the column, reads it and closes it, as each query does: nothing that a former read decoded is there.
   *
   * @param positions what to read; null for all rows
   */
  private void read(EncodedRows rows, @Nullable int[] positions) {
    try (Closeable column = rows.column().get()) {
      final RowReads reads = RowReads.of(column, vectors);
      sink.add(positions == null ? reads.scan() : reads.select(positions));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Positions of a share of the rows, spread at random, ascending; at least one; the same at each call. */
  private static int[] positions(int rows, double share) {
    if (share == 1) {
      return IntStream.range(0, rows).toArray();
    }
    final long count = Math.max(1, Math.round(rows * share));
    // One row from each of count equal stretches: as random as distinct positions, and sorted already.
    final Random random = new Random(rows);
    return IntStream.range(0, (int) count).map(i -> {
      final long from = i * (long) rows / count;
      final long to = (i + 1) * (long) rows / count;
      return (int) (from + random.nextInt((int) (to - from)));
    }).toArray();
  }

  /**
   * Measures.
   *
   * @param encodings the same rows, at least one, by name of the encoding
   * @param numRows   their number, at least 1
   */
  Map<String, Speed> measure(Map<String, EncodedRows> encodings, int numRows) {
    pollute(AGAIN_NANOS);
    final List<EncodedRows> rows = List.copyOf(encodings.values());
    final double[] scans = measure(rows, null, numRows);
    final Map<String, double[]> selects = new LinkedHashMap<>();
    for (String share : SHARES) {
      final int[] positions = positions(numRows, Double.parseDouble(share));
      selects.put(share, measure(rows, positions, positions.length));
    }
    final Map<String, Speed> speeds = new LinkedHashMap<>();
    int i = 0;
    for (String name : encodings.keySet()) {
      final Map<String, Double> select = new LinkedHashMap<>();
      final int encoding = i++;
      selects.forEach((share, nanos) -> select.put(share, nanos[encoding]));
      speeds.put(name, new Speed(scans[encoding], select));
    }
    return speeds;
  }

  /**
   * Medians of nanoseconds per row that is read, in the order of the encodings.
   *
   * @param positions what to read; null for all rows
   */
  private double[] measure(List<EncodedRows> rows, @Nullable int[] positions, int rowsRead) {
    final int[] repetitions = rows.stream().mapToInt(each -> {
      // For the compiler, which on a busy machine takes its time for what this column alone needs of a form.
      final long end = System.nanoTime() + WARM_UP_NANOS;
      long once;
      do {
        once = time(each, positions, 1);
      } while (System.nanoTime() < end);
      return (int) Math.max(1, MIN_ROUND_NANOS / Math.max(1, once));
    }).toArray();
    final double[][] times = new double[rows.size()][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < times.length; i++) {
        times[i][round] = (double) time(rows.get(i), positions, repetitions[i]) / repetitions[i] / rowsRead;
      }
    }
    return Arrays.stream(times).mapToDouble(each -> {
      Arrays.sort(each);
      return each[ROUNDS / 2];
    }).toArray();
  }

  private long time(EncodedRows rows, @Nullable int[] positions, int repetitions) {
    final long start = cpuNanos();
    for (int i = 0; i < repetitions; i++) {
      read(rows, positions);
    }
    return cpuNanos() - start;
  }

  /** Of this thread: what else the machine does is of no account then, but for the caches and clocks it shares. */
  private static long cpuNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }

  @Override
  public void close() {
    pollution.forEach(EncodedRows::close);
  }
}
