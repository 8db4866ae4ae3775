// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import io.shapeshift.druid.tool.encoding.EncodedRows;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** Fewer rows are not worth to be measured: one in a thousand is none. */
  public static final int MIN_ROWS = 1000;

  private static final int ROUNDS = 11;
  /** Rows of a column from which rounds take their full time; those of smaller columns take a share of it. */
  private static final int ROWS_OF_FULL_EFFORT = 1 << 16;
  private static final long FIRST_POLLUTION_NANOS = 3_000_000_000L;
  /** For the compiler, which on a busy machine takes its time for what one column alone needs of a form. */
  private static final long WARM_UP_NANOS = 20_000_000;
  private static final long AGAIN_NANOS = 50_000_000;

  private final Pollution pollution = new Pollution();
  private final IndexPollution indexPollution = new IndexPollution();
  private final RowReads.Vectors vectors = new RowReads.Vectors();
  private final FilterReads filterReads = new FilterReads();
  private final Turns turns;
  /** What was measured since columns and indexes of all kinds were read: 1 for a column of full effort. */
  private double sincePollution;
  private double sinceIndexPollution;

  /** Nanoseconds per row that is read. */
  public record Speed(double scan, Map<String, Double> select) {}

  /**
   * How long a filter takes.
   *
   * @param rows  how many it finds
   * @param nanos nanoseconds, by name of the encoding
   */
  public record FilterSpeed(long rows, Map<String, Double> nanos) {}

  /** A test of as many rounds as tell encodings apart that differ by a tenth. */
  public SpeedTest() {
    this(ROUNDS);
  }

  /**
   * Has columns and indexes of all kinds read until the compiler has seen them.
   *
   * @param rounds of all reads that take turns, of which the medians are taken; 1 at least
   */
  public SpeedTest(int rounds) {
    this(rounds, FIRST_POLLUTION_NANOS);
  }

  /**
   * Has columns and indexes of all kinds read for a time that may be too short for the compiler.
   *
   * @param pollutionNanos for columns, and again for indexes; each is read once at least
   */
  SpeedTest(int rounds, long pollutionNanos) {
    turns = new Turns(rounds, WARM_UP_NANOS);
    pollution.read(pollutionNanos);
    indexPollution.read(pollutionNanos);
  }

  Pollution pollution() {
    return pollution;
  }

  IndexPollution indexPollution() {
    return indexPollution;
  }

  /**
   * Measures how fast rows are read.
   *
   * @param encodings the same rows, at least one, by name of the encoding
   * @param numRows   their number, at least 1
   */
  public Map<String, Speed> measure(Map<String, EncodedRows> encodings, int numRows) {
    final Map<String, Map<String, Double>> nanos = measure(encodings, ColumnRead.all(numRows), effort(numRows));
    final Map<String, Speed> speeds = new LinkedHashMap<>();
    for (String name : encodings.keySet()) {
      final Map<String, Double> select = new LinkedHashMap<>();
      SHARES.forEach(share -> select.put(share, nanos.get(share).get(name)));
      speeds.put(name, new Speed(nanos.get(ColumnRead.SCAN).get(name), select));
    }
    return speeds;
  }

  /**
   * Measures how long some reads take, after columns of all kinds were read again, as long as it takes.
   *
   * @param encodings the same rows, at least one, by name of the encoding
   * @param reads     of these rows
   * @return nanoseconds per row that is read, by name of the read, by name of the encoding
   */
  public Map<String, Map<String, Double>> measure(Map<String, EncodedRows> encodings, List<ColumnRead> reads) {
    return measure(encodings, reads, 1);
  }

  private Map<String, Map<String, Double>> measure(
      Map<String, EncodedRows> encodings,
      List<ColumnRead> reads,
      double effort
  ) {
    sincePollution += effort;
    if (sincePollution >= 1) {
      pollution.read(AGAIN_NANOS);
      sincePollution = 0;
    }
    final Map<String, Map<String, Double>> nanos = new LinkedHashMap<>();
    for (ColumnRead read : reads) {
      final double[] medians = turns.medians(encodings.values().stream()
          .<LongSupplier>map(rows -> () -> read.run(rows, vectors))
          .toList(), effort);
      final Map<String, Double> byEncoding = new LinkedHashMap<>();
      for (String name : encodings.keySet()) {
        byEncoding.put(name, medians[byEncoding.size()] / read.rows());
      }
      nanos.put(read.name(), byEncoding);
    }
    return nanos;
  }

  /**
   * Measures how long a filter takes: to get a bitmap of an index, and to go through its rows once.
   *
   * @param indexes of the same rows, at least one, by name of the encoding
   * @param numRows their number, at least 1
   * @return nanoseconds by name of the encoding; null if the indexes leave such a filter to a scan of the rows
   * @throws IllegalStateException if not all find the same number of rows
   */
  @Nullable
  public FilterSpeed measure(
      Filter filter,
      Map<String, ColumnIndexSupplier> indexes,
      BitmapFactory bitmaps,
      int numRows
  ) {
    final double effort = effort(numRows);
    sinceIndexPollution += effort;
    if (sinceIndexPollution >= 1) {
      indexPollution.read(AGAIN_NANOS);
      sinceIndexPollution = 0;
    }
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
    final double[] medians = turns.medians(reads, effort);
    final Map<String, Double> nanos = new LinkedHashMap<>();
    int i = 0;
    for (String name : indexes.keySet()) {
      nanos.put(name, medians[i++]);
    }
    return new FilterSpeed(found, nanos);
  }

  private static double effort(int numRows) {
    return Math.min(1, (double) numRows / ROWS_OF_FULL_EFFORT);
  }

  @Override
  public void close() {
    pollution.close();
    indexPollution.close();
  }
}
