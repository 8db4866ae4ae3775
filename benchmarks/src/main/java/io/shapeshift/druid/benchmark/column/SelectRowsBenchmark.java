// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.speed.ColumnRead;
import io.shapeshift.druid.tool.speed.Pollution;
import io.shapeshift.druid.tool.speed.RowReads;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Reads rows of an encoded column: all in order, or a share of them at random positions. Each pass opens and closes the
 * column, as a query does, so that no pass finds values that an earlier one has decoded.
 */
public abstract class SelectRowsBenchmark extends ColumnBenchmark {
  /**
   * Rows to read: {@code scan}, all rows in order; a number, the share of the rows that is read by position. Only
   * single reads also have {@code descending}, all rows from the last to the first, and {@code every-N}, every N-th
   * row.
   */
  @Param({ColumnRead.SCAN, "0.0001", "0.001", "0.01", "0.1", "0.5", "1"})
  private String selected;

  /** {@code vector}, 512 rows at a time as Druid's vectorized engines do, or {@code single}, row by row. */
  @Param({"vector", "single"})
  private String read;

  private EncodedRows encoded;
  private RowReads.Vectors vectors;
  private boolean singly;
  @Nullable
  private int[] positions;

  /** Makes or reads the rows, encodes them and chooses the rows to read. */
  final void setUp(Supplier<RowValues> rows, String encodingName) throws IOException {
    if (!read.equals("vector") && !read.equals("single")) {
      throw new IllegalArgumentException("read is " + read + ": it must be vector or single");
    }
    startPollution(Pollution::read);
    final RowValues values = rows.get();
    encoded = encoding(encodingName, values).encode(encodingName, values);
    vectors = new RowReads.Vectors();
    singly = read.equals("single");
    positions = selected.equals(ColumnRead.SCAN) ? null : positions(values.rows());
    report(encoded, values.rows(), positions == null ? values.rows() : positions.length);
  }

  private int[] positions(int rows) {
    try {
      final boolean isRowByRow = ColumnRead.isRowByRow(selected);
      final double share = isRowByRow ? 1 : Double.parseDouble(selected);
      if (isRowByRow ? singly : share > 0 && share <= 1) {
        return ColumnRead.positions(selected, rows);
      }
    } catch (NumberFormatException e) {
      // The check below reports it.
    }
    throw new IllegalArgumentException(
        "selected is " + selected + ": it must be " + ColumnRead.SCAN + " or a share of the rows, more than 0 and at "
            + "most 1, or, where rows are read singly, " + ColumnRead.DESCENDING + " or every-N");
  }

  /** Keeps a polluted JVM polluted. */
  @Setup(Level.Iteration)
  public void pollute() {
    goOnPolluting(Pollution::read);
  }

  /** Reads the selected rows. */
  @Benchmark
  public long selectRows() throws IOException {
    try (Closeable column = encoded.column().get()) {
      final RowReads reads = RowReads.of(column, vectors);
      if (positions == null) {
        return singly ? reads.scanSingly() : reads.scan();
      }
      return singly ? reads.selectSingly(positions) : reads.select(positions);
    }
  }

  /** Closes the column and frees the memory of the pollution. */
  @TearDown
  public void tearDown() {
    endPollution();
    encoded.close();
  }
}
