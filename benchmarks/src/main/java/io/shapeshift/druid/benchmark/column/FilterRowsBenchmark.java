// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.speed.Pollution;
import java.io.IOException;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.druid.query.filter.RangeFilter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Finds the rows of a column of numbers that are within a range. Shape-shifting columns scan the encoded values and
 * return a bitmap; Druid's own columns use its vectorized matcher of the same filter, 512 rows at a time. Each pass
 * opens and closes the column, as a query does.
 */
public abstract class FilterRowsBenchmark extends ColumnBenchmark {
  /** Share of the rows that match, as nearly as the values allow. */
  @Param({"0.0001", "0.001", "0.01", "0.1", "0.5", "0.9"})
  private String selected;

  /** Order of the rows: {@code spread}, as the distribution draws them; {@code clustered}, sorted. */
  @Param({"spread", "clustered"})
  private String order;

  private EncodedRows encoded;
  private FilteredNumbers numbers;
  private RangeFilter filter;
  @Nullable
  private FilterPollution filterPollution;

  /** Makes the rows, encodes them and chooses the range. */
  final void setUp(Supplier<RowValues> rows, String encodingName) throws IOException {
    startPollution(this::pollute);
    final RowValues.Numbers values = ordered((RowValues.Numbers) rows.get());
    encoded = encoding(encodingName, values).encode(encodingName, values);
    numbers = FilteredNumbers.of(encoded, values);
    filter = FilteredNumbers.range(values, share());
    report(encoded, values.rows(), numbers.find(filter));
  }

  private RowValues.Numbers ordered(RowValues.Numbers values) {
    return switch (order) {
      case "spread" -> values;
      case "clustered" -> FilteredNumbers.sorted(values);
      default -> throw new IllegalArgumentException("order is " + order + ": it must be spread or clustered");
    };
  }

  private double share() {
    try {
      final double share = Double.parseDouble(selected);
      if (share > 0 && share < 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // The check below reports it.
    }
    throw new IllegalArgumentException("selected is " + selected + ": it must be a share of the rows, between 0 and 1");
  }

  /** Reads columns of all kinds, and filters them. */
  private void pollute(Pollution pollution, long nanos) {
    if (filterPollution == null) {
      filterPollution = new FilterPollution();
    }
    pollution.read(nanos / 2);
    filterPollution.filter(nanos / 2);
  }

  /** Keeps a polluted JVM polluted. */
  @Setup(Level.Iteration)
  public void pollute() {
    goOnPolluting(this::pollute);
  }

  /** Finds the rows. */
  @Benchmark
  public int filterRows() throws IOException {
    return numbers.find(filter);
  }

  /** Closes the column and frees the memory of the pollution. */
  @TearDown
  public void tearDown() {
    endPollution();
    if (filterPollution != null) {
      filterPollution.close();
    }
    encoded.close();
  }
}
