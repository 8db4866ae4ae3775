// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import io.shapeshift.druid.tool.encoding.EncodedRows;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.Indexed;

/**
 * Measurement of how fast the same rows are read, or found by an index, in several encodings. The encodings take turns,
 * so that a disturbance of the machine affects all of them. Before that, the JVM reads columns and indexes of all
 * kinds, widths and forms, as in a Historical: code that was compiled for a single kind is several times faster than a
 * server ever sees.
 */
public final class SpeedTest implements Closeable {
  /** Shares of rows that are read by position. */
  public static final List<String> SHARES = List.of("0.001", "0.01", "0.1", "1.0");

  /** Minimum number of rows of a measured column. With fewer, one in a thousand is not even one row. */
  public static final int MIN_ROWS = 1000;

  /** Number of texts that are read at once. */
  public static final int MAX_TEXTS = 1000;

  private static final int ROUNDS = 11;
  /** Number of rows from which a column gets the full time per round; smaller columns get a share of it. */
  private static final int ROWS_OF_FULL_EFFORT = 1 << 16;
  private static final long FIRST_POLLUTION_NANOS = 3_000_000_000L;
  /**
   * Warm-up time of each read, because on a busy machine the compiler needs time to compile what a single column needs
   * of a form.
   */
  private static final long WARM_UP_NANOS = 20_000_000;
  private static final long AGAIN_NANOS = 50_000_000;

  private final Pollution pollution = new Pollution();
  private final IndexPollution indexPollution = new IndexPollution();
  private final RowReads.Vectors vectors = new RowReads.Vectors();
  private final FilterReads filterReads = new FilterReads();
  private final Turns turns;
  /** Measurements since the last pollution, in columns of full effort. */
  private double sincePollution;
  private double sinceIndexPollution;

  /** Nanoseconds per row read. */
  public record Speed(double scan, Map<String, Double> select) {}

  /**
   * Time of a filter.
   *
   * @param rows  number of rows found
   * @param nanos nanoseconds by name of the encoding
   */
  public record FilterSpeed(long rows, Map<String, Double> nanos) {}

  /** Creates a test with enough rounds to distinguish encodings that differ by a tenth. */
  public SpeedTest() {
    this(ROUNDS);
  }

  /**
   * Creates a test, and reads columns and indexes of all kinds until the compiler has seen them.
   *
   * @param rounds number of rounds, at least 1; results are the medians over the rounds
   */
  public SpeedTest(int rounds) {
    this(rounds, FIRST_POLLUTION_NANOS);
  }

  /**
   * Creates a test, and reads columns and indexes of all kinds for a time that may be too short for the compiler.
   *
   * @param pollutionNanos nanoseconds for columns, and again for indexes; each is read at least once
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
   * @param encodings the same rows by name of the encoding, at least one
   * @param numRows   number of rows, at least 1
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
   * Reads columns of all kinds again, for as long as that needs, and then measures the time of the reads.
   *
   * @param encodings the same rows by name of the encoding, at least one
   * @param reads     reads to measure
   * @return nanoseconds per row read, by name of the read and of the encoding
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
   * Measures the time of a filter: to get a bitmap from an index and iterate over its rows once.
   *
   * @param indexes indexes of the same rows by name of the encoding, at least one
   * @param numRows number of rows, at least 1
   * @return time by name of the encoding; null if the indexes leave such a filter to a matcher
   * @throws IllegalStateException if the indexes do not all find the same number of rows
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

  /**
   * Measures how fast texts of a dictionary are read by id: a thousand, in no order.
   *
   * @param dictionaries the same texts by name of the encoding, at least one text and one encoding
   * @return nanoseconds per text by name of the encoding
   */
  public Map<String, Double> measureTexts(Map<String, Indexed<ByteBuffer>> dictionaries) {
    final int count = dictionaries.values().iterator().next().size();
    final int[] ids = new Random(count).ints(MAX_TEXTS, 0, count).toArray();
    final double[] medians = turns.medians(dictionaries.values().stream()
        .<LongSupplier>map(texts -> () -> {
          long bytes = 0;
          for (int id : ids) {
            @Nullable final ByteBuffer text = texts.get(id);
            bytes += text == null ? 0 : text.remaining();
          }
          return bytes;
        })
        .toList(), effort(count));
    final Map<String, Double> nanos = new LinkedHashMap<>();
    dictionaries.keySet().forEach(name -> nanos.put(name, medians[nanos.size()] / ids.length));
    return nanos;
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
