// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import io.shapeshift.druid.tool.encoding.EncodedRows;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.segment.column.ColumnIndexSupplier;

/**
 * Measures how fast the same rows are read, or found by an index, in several encodings, in turns, so that whatever
 * disturbs the machine disturbs all of them. Before that the JVM reads columns and indexes of all kinds, widths and
 * forms, as a Historical has: code that the JIT compiler made for one kind alone is several times faster than a server
 * ever sees.
 */
public final class SpeedTest implements Closeable {
  /** The shares of rows that are read by position. */
  public static final List<String> SHARES = List.of("0.001", "0.01", "0.1", "1.0");

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 11;
  /** A round of one encoding takes at least so long: the clock and the caches are of no account then. */
  private static final long MIN_ROUND_NANOS = 1_000_000;
  private static final long FIRST_POLLUTION_NANOS = 3_000_000_000L;
  private static final long WARM_UP_NANOS = 20_000_000;
  private static final long AGAIN_NANOS = 50_000_000;

  private final Pollution pollution = new Pollution();
  private final IndexPollution indexPollution = new IndexPollution();
  private final RowReads.Vectors vectors = new RowReads.Vectors();
  private final FilterReads filterReads = new FilterReads();
  /** What was read, for the compiler to see that somebody wants it. */
  private final LongAdder sink = new LongAdder();

  /** Nanoseconds per row that is read. */
  public record Speed(double scan, Map<String, Double> select) {}

  /**
   * How long a filter takes.
   *
   * @param rows  how many it finds
   * @param nanos nanoseconds, by name of the encoding
   */
  public record FilterSpeed(long rows, Map<String, Double> nanos) {}

  /** Has columns and indexes of all kinds read until the compiler has seen them. */
  public SpeedTest() {
    pollution.read(FIRST_POLLUTION_NANOS);
    indexPollution.read(FIRST_POLLUTION_NANOS);
  }

  /**
   * Opens the column, reads it and closes it, as each query does: nothing that a former read decoded is there.
   *
   * @param positions what to read; null for all rows
   */
  private long read(EncodedRows rows, @Nullable int[] positions) {
    try (Closeable column = rows.column().get()) {
      final RowReads reads = RowReads.of(column, vectors);
      return positions == null ? reads.scan() : reads.select(positions);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Measures how fast rows are read.
   *
   * @param encodings the same rows, at least one, by name of the encoding
   * @param numRows   their number, at least 1
   */
  public Map<String, Speed> measure(Map<String, EncodedRows> encodings, int numRows) {
    pollution.read(AGAIN_NANOS);
    final List<EncodedRows> rows = List.copyOf(encodings.values());
    final double[] scans = measure(rows, null, numRows);
    final Map<String, double[]> selects = new LinkedHashMap<>();
    for (String share : SHARES) {
      final int[] positions = RowReads.positions(numRows, Double.parseDouble(share));
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
   * Nanoseconds per row that is read, in the order of the encodings.
   *
   * @param positions what to read; null for all rows
   */
  private double[] measure(List<EncodedRows> rows, @Nullable int[] positions, int rowsRead) {
    final List<LongSupplier> reads = rows.stream().<LongSupplier>map(each -> () -> read(each, positions)).toList();
    return Arrays.stream(medians(reads)).map(nanos -> nanos / rowsRead).toArray();
  }

  /**
   * Measures how long a filter takes: to get a bitmap of an index, and to go through its rows once.
   *
   * @param indexes of the same rows, at least one, by name of the encoding
   * @return nanoseconds by name of the encoding; null if the indexes leave such a filter to a scan of the rows
   * @throws IllegalStateException if not all find the same number of rows
   */
  @Nullable
  public FilterSpeed measure(Filter filter, Map<String, ColumnIndexSupplier> indexes, BitmapFactory bitmaps) {
    indexPollution.read(AGAIN_NANOS);
    final Set<Long> rows = new HashSet<>();
    final List<LongSupplier> reads = new ArrayList<>();
    for (ColumnIndexSupplier index : indexes.values()) {
      final LongSupplier read = () -> filterReads.read(filter, index, bitmaps);
      rows.add(read.getAsLong());
      reads.add(read);
    }
    if (rows.size() != 1) {
      throw new IllegalStateException("Indexes of the same column find " + rows + " rows " + filter.condition());
    }
    final long found = rows.iterator().next();
    if (found < 0) {
      return null;
    }
    final double[] medians = medians(reads);
    final Map<String, Double> nanos = new LinkedHashMap<>();
    int i = 0;
    for (String name : indexes.keySet()) {
      nanos.put(name, medians[i++]);
    }
    return new FilterSpeed(found, nanos);
  }

  /** Medians of nanoseconds per read, of reads that take turns. */
  private double[] medians(List<LongSupplier> reads) {
    final int[] repetitions = reads.stream().mapToInt(each -> {
      // For the compiler, which on a busy machine takes its time for what this column alone needs of a form.
      final long end = System.nanoTime() + WARM_UP_NANOS;
      long once;
      do {
        once = time(each, 1);
      } while (System.nanoTime() < end);
      return (int) Math.max(1, MIN_ROUND_NANOS / Math.max(1, once));
    }).toArray();
    final double[][] times = new double[reads.size()][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < times.length; i++) {
        times[i][round] = (double) time(reads.get(i), repetitions[i]) / repetitions[i];
      }
    }
    return Arrays.stream(times).mapToDouble(each -> {
      Arrays.sort(each);
      return each[ROUNDS / 2];
    }).toArray();
  }

  private long time(LongSupplier read, int repetitions) {
    final long start = cpuNanos();
    for (int i = 0; i < repetitions; i++) {
      sink.add(read.getAsLong());
    }
    return cpuNanos() - start;
  }

  /** Of this thread: what else the machine does is of no account then, but for the caches and clocks it shares. */
  private static long cpuNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }

  @Override
  public void close() {
    pollution.close();
    indexPollution.close();
  }
}
