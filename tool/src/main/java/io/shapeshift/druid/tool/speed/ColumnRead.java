// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import io.shapeshift.druid.tool.encoding.EncodedRows;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;

/** One way to read a column: all rows in order, or some by their positions. */
public final class ColumnRead {
  /** The name of reading all rows in order. */
  public static final String SCAN = "scan";

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
   * @param name    {@value #SCAN}, or a share of the rows, more than 0 and at most 1
   * @param numRows of the column, at least 1
   */
  public static ColumnRead of(String name, int numRows) {
    if (name.equals(SCAN)) {
      return new ColumnRead(name, null, numRows);
    }
    final int[] positions = RowReads.positions(numRows, Double.parseDouble(name));
    return new ColumnRead(name, positions, positions.length);
  }

  /** Those that a {@link SpeedTest} measures. */
  public static List<ColumnRead> all(int numRows) {
    final List<ColumnRead> all = new ArrayList<>(List.of(of(SCAN, numRows)));
    SpeedTest.SHARES.forEach(share -> all.add(of(share, numRows)));
    return all;
  }

  /** {@value #SCAN}, or the share of the rows that is read by positions. */
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
      return positions == null ? reads.scan() : reads.select(positions);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
