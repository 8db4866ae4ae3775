// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;

/**
 * Pollutes a JVM with filters of all kinds over columns of all shapes, cardinalities and encodings, as on a Historical.
 * Pollute before the first measurement and between measurements: see {@link io.shapeshift.druid.tool.speed.Pollution}.
 */
final class IndexPollution {
  private static final int ROWS = 1 << 14;
  private static final int[] CARDINALITIES = {2, 100, ROWS};

  private final List<Column> columns = new ArrayList<>();
  private final List<Runnable> filters = new ArrayList<>();
  /** Consumes the results, so that the compiler cannot remove the work. */
  private final LongAdder sink = new LongAdder();
  private int nextColumn;
  private int nextFilter;

  private record Column(RowValues.Ids rows, IndexEncoding encoding) {}

  /** Draws the rows. */
  private IndexPollution() {
    for (ColumnShape shape : ColumnShape.values()) {
      for (int cardinality : CARDINALITIES) {
        final RowValues.Ids rows = shape.rows(ROWS, cardinality, cardinality);
        for (IndexEncoding encoding : IndexEncoding.values()) {
          columns.add(new Column(rows, encoding));
        }
      }
    }
    // No two columns of a kind follow each other, so that even a short run meets all kinds.
    Collections.shuffle(columns, new Random(1));
  }

  /** Pollutes by building indexes. */
  static IndexPollution ofBuilding() {
    return new IndexPollution();
  }

  /** Pollutes by filters. */
  static IndexPollution ofFilters() {
    final IndexPollution pollution = new IndexPollution();
    pollution.addFilters();
    return pollution;
  }

  private void addFilters() {
    try {
      for (Column column : columns) {
        // Both columns of a filter may be the same.
        final List<RowValues.Ids> rows = List.of(column.rows, column.rows);
        final IndexedColumn indexed = IndexedColumn.of(column.encoding, column.rows);
        final FilteredColumns filtered = new FilteredColumns(List.of(indexed, indexed));
        for (String kind : IndexFilters.KINDS) {
          final Filter filter = IndexFilters.of(kind, rows).get(0);
          for (FilteredColumns.Read read : FilteredColumns.Read.values()) {
            filters.add(() -> sink.add(read.sum(filtered.find(filter))));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Collections.shuffle(filters, new Random(1));
  }

  /** Builds one index after the other for at least this time. The next call continues with the next index. */
  void build(long nanos) {
    final long end = System.nanoTime() + nanos;
    do {
      final Column column = columns.get(nextColumn);
      nextColumn = (nextColumn + 1) % columns.size();
      try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
        sink.add(column.encoding.write(column.rows, medium).getSerializedSize());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    } while (System.nanoTime() < end);
  }

  /** Runs one filter after the other for at least this time. The next call continues with the next filter. */
  void filter(long nanos) {
    final long end = System.nanoTime() + nanos;
    do {
      filters.get(nextFilter).run();
      nextFilter = (nextFilter + 1) % filters.size();
    } while (System.nanoTime() < end);
  }
}
