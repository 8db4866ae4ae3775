// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.query.filter.Filter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Filters rows by the indexes of columns. A result is the time in which one of Druid's own filters makes the bitmap of
 * the matching rows, and all these rows are read once. The iteration is included because Druid's mapped bitmaps cost
 * nothing to open, and ours are decoded. Filters of one kind with different values take turns.
 */
public class IndexFilterBenchmark extends IndexBenchmark {
  /** Name of an {@link IndexEncoding}. */
  @Param({
      "druid-roaring",
      "shapeshift-smaller",
      "shapeshift-fastbutsmallish",
      "shapeshift-faster",
      "shapeshift-without-lists"
  })
  private String encoding;

  /** Kind of filter: see {@link IndexFilters}. */
  @Param({"equality", "and", "not", "in-10", "in-1000", "range-0.01", "range-0.1", "prefix", "contains"})
  private String filter;

  /** Iteration over the bitmap: {@code rows}, one by one, or {@code batches}, as in vectorized engines. */
  @Param({"rows", "batches"})
  private String read;

  private FilteredColumns columns;
  private List<Filter> filters;
  private FilteredColumns.Read reading;
  private int next;

  /** Makes the columns and the filters, and runs each filter once to count the matching rows. */
  @Setup
  public void setUp() throws IOException {
    reading = FilteredColumns.Read.parse(read);
    final List<RowValues.Ids> rows =
        LongStream.range(0, IndexFilters.numColumns(filter)).mapToObj(this::rows).toList();
    filters = IndexFilters.of(filter, rows);
    columns = FilteredColumns.of(IndexEncoding.parse(encoding), rows);
    startPollution(IndexPollution::ofFilters);
    final double selectedRows =
        filters.stream().map(columns::find).mapToInt(ImmutableBitmap::size).average().orElseThrow();
    report(columns.columns().get(0), Math.round(selectedRows));
  }

  @Override
  void pollute(IndexPollution pollution, long nanos) {
    pollution.filter(nanos);
  }

  /** Finds the matching rows, and iterates over them. */
  @Benchmark
  public long filter() {
    final Filter one = filters.get(next);
    next = (next + 1) % filters.size();
    return reading.sum(columns.find(one));
  }
}
