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

/** One way to read a column: all rows in order, or some by their positions, in vectors or row by row. */
public final class ColumnRead {
  /** The name of reading all rows in order. */
  public static final String SCAN = "scan";
  /** The name of reading all rows one by one, the last first, as a query with a descending order does. */
  public static final String DESCENDING = "descending";
  /** What the name of reading each N-th row alone begins with, N being the rest. */
  private static final String EVERY = "every-";

  /** Reads row by row: as Druid's engines read that are not vectorized. */
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
   * The read of a name.
   *
   * @param name    {@value #SCAN}, one that {@link #positions} knows, or a share of the rows, more than 0 and at most 1
   * @param numRows of the column, at least 1
   */
  public static ColumnRead of(String name, int numRows) {
    if (name.equals(SCAN)) {
      return new ColumnRead(name, null, numRows);
    }
    final int[] positions = positions(name, numRows);
    return new ColumnRead(name, positions, positions.length);
  }

  /**
   * The rows that a read asks for, in its order.
   *
   * @param name {@value #DESCENDING}, {@code every-N} for each N-th row, or a share of the rows by positions
   * @throws NumberFormatException if it is none of these
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

  /** Whether a read is one of rows one by one. */
  public static boolean isRowByRow(String name) {
    return name.equals(DESCENDING) || name.startsWith(EVERY);
  }

  /** Those that a {@link SpeedTest} measures. */
  public static List<ColumnRead> all(int numRows) {
    final List<ColumnRead> all = new ArrayList<>(List.of(of(SCAN, numRows)));
    SpeedTest.SHARES.forEach(share -> all.add(of(share, numRows)));
    return all;
  }

  /** As given to {@link #of}. */
  public String name() {
    return name;
  }

  /** How many rows it reads. */
  public int rows() {
    return rows;
  }

  /** Opens the column, reads it and closes it, as each query does: nothing that a former read decoded is there. */
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
