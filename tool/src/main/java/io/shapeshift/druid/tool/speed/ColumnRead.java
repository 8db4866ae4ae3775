// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import io.shapeshift.druid.tool.encoding.EncodedRows;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.annotation.Nullable;

/** Way to read a column: all rows in order, or some by position, in vectors or row by row. */
public final class ColumnRead {
  /** Name of the read of all rows in order. */
  public static final String SCAN = "scan";
  /** Name of the read of all rows one at a time from the last to the first, as in a query with descending order. */
  public static final String DESCENDING = "descending";
  /** Prefix of the name of reads of every N-th row, one at a time. N follows. */
  private static final String EVERY = "every-";

  /** Names of reads row by row, as in Druid's engines that are not vectorized. */
  public static final List<String> ROW_BY_ROW = List.of(DESCENDING, EVERY + 5, EVERY + 50);

  private final String name;
  @Nullable
  private final int[] positions;
  private final int rows;

  private ColumnRead(String name, @Nullable int[] positions, int rows) {
    this.name = name;
    this.positions = positions;
    this.rows = rows;
  }

  /**
   * Creates the read with a name.
   *
   * @param name    {@value #SCAN}, a name that {@link #positions} accepts, or a share of the rows, more than 0 and at
   *     most 1
   * @param numRows number of rows of the column, at least 1
   */
  public static ColumnRead of(String name, int numRows) {
    if (name.equals(SCAN)) {
      return new ColumnRead(name, null, numRows);
    }
    final int[] positions = positions(name, numRows);
    return new ColumnRead(name, positions, positions.length);
  }

  /**
   * Rows of a read, in its order.
   *
   * @param name {@value #DESCENDING}, {@code every-N} for every N-th row, or a share of the rows
   * @throws NumberFormatException if the name is none of these
   */
  public static int[] positions(String name, int numRows) {
    if (name.equals(DESCENDING)) {
      return IntStream.range(0, numRows).map(i -> numRows - 1 - i).toArray();
    }
    if (name.startsWith(EVERY)) {
      final int step = Integer.parseInt(name.substring(EVERY.length()));
      if (step <= 0) {
        throw new NumberFormatException(name + " names no row");
      }
      return IntStream.range(0, (numRows + step - 1) / step).map(i -> i * step).toArray();
    }
    return RowReads.positions(numRows, Double.parseDouble(name));
  }

  /** Whether a read is row by row. */
  public static boolean isRowByRow(String name) {
    return name.equals(DESCENDING) || name.startsWith(EVERY);
  }

  /** Reads that a {@link SpeedTest} measures. */
  public static List<ColumnRead> all(int numRows) {
    final List<ColumnRead> all = new ArrayList<>(List.of(of(SCAN, numRows)));
    SpeedTest.SHARES.forEach(share -> all.add(of(share, numRows)));
    return all;
  }

  /** Name, as passed to {@link #of}. */
  public String name() {
    return name;
  }

  /** Number of rows read. */
  public int rows() {
    return rows;
  }

  /**
   * Opens the column, reads it and closes it, as each query does, so that nothing decoded by an earlier read is reused.
   */
  public long run(EncodedRows encoded, RowReads.Vectors vectors) {
    try (Closeable column = encoded.column().get()) {
      final RowReads reads = RowReads.of(column, vectors);
      if (positions == null) {
        return reads.scan();
      }
      return isRowByRow(name) ? reads.selectSingly(positions) : reads.select(positions);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
