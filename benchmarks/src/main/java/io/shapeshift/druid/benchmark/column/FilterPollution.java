// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.benchmark.data.Distributions;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.apache.druid.query.filter.RangeFilter;

/** Filters over columns of numbers of all types and distributions, under two targets and in Druid's own encoding. */
final class FilterPollution implements Closeable {
  private static final int ROWS = 1 << 12;
  private static final List<EncodedType> TYPES = List.of(EncodedType.LONG, EncodedType.DOUBLE, EncodedType.FLOAT);
  private static final List<String> ENCODINGS =
      List.of("druid-lz4", "shapeshift-fastbutsmallish", "shapeshift-faster");
  private static final List<Double> SHARES = List.of(.01, .5);

  private final List<Column> columns = new ArrayList<>();
  /** Consumes the results, so that the compiler cannot remove the work. */
  private final LongAdder sink = new LongAdder();
  private int next;

  private record Column(EncodedRows rows, FilteredNumbers numbers, RangeFilter filter) {}

  FilterPollution() {
    try {
      for (EncodedType type : TYPES) {
        for (String distribution : Distributions.names(type)) {
          final RowValues.Numbers values = (RowValues.Numbers) Distributions.of(type, distribution, ROWS);
          for (String encoding : ENCODINGS) {
            final EncodedRows rows = RowEncodings.parse(encoding).encode(distribution, values);
            for (double share : SHARES) {
              final RangeFilter filter = FilteredNumbers.range(values, share);
              columns.add(new Column(rows, FilteredNumbers.of(rows, values), filter));
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // No two columns of a kind follow each other, so that even a short run meets all kinds.
    Collections.shuffle(columns, new Random(1));
  }

  /** Filters one column after the other for at least this time. The next call continues with the next column. */
  void filter(long nanos) {
    final long end = System.nanoTime() + nanos;
    try {
      do {
        final Column column = columns.get(next);
        next = (next + 1) % columns.size();
        sink.add(column.numbers.find(column.filter));
      } while (System.nanoTime() < end);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    columns.stream().map(Column::rows).distinct().forEach(EncodedRows::close);
  }
}
