// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.filter.ColumnIndexSelector;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnCapabilitiesImpl;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.roaringbitmap.BatchIterator;
import org.roaringbitmap.IntIterator;

/**
 * Columns as Druid's filters see them. A filter fetches the indexes that it needs each time, as in a query.
 *
 * @param columns by their places in {@link IndexFilters#COLUMNS}
 */
record FilteredColumns(List<IndexedColumn> columns) implements ColumnIndexSelector {
  private static final ColumnCapabilities CAPABILITIES =
      ColumnCapabilitiesImpl.createSimpleSingleValueStringColumnCapabilities();
  /** Rows that Druid's vectorized engines read at a time. */
  private static final int VECTOR = 512;

  /** Makes the columns of some rows, one column for each. */
  static FilteredColumns of(IndexEncoding encoding, List<RowValues.Ids> rows) throws IOException {
    final List<IndexedColumn> columns = new ArrayList<>();
    for (RowValues.Ids each : rows) {
      columns.add(IndexedColumn.of(encoding, each));
    }
    return new FilteredColumns(columns);
  }

  /** Ways to iterate over the rows of a bitmap. */
  enum Read {
    /** One by one, as in engines that are not vectorized. */
    ROWS {
      @Override
      long sum(ImmutableBitmap bitmap) {
        long sum = 0;
        for (IntIterator rows = bitmap.iterator(); rows.hasNext(); ) {
          sum += rows.next();
        }
        return sum;
      }
    },
    /** Many at a time, as in vectorized engines. */
    BATCHES {
      @Override
      long sum(ImmutableBitmap bitmap) {
        final int[] batch = new int[VECTOR];
        long sum = 0;
        for (BatchIterator rows = bitmap.batchIterator(); rows.hasNext(); ) {
          final int length = rows.nextBatch(batch);
          for (int i = 0; i < length; i++) {
            sum += batch[i];
          }
        }
        return sum;
      }
    };

    /**
     * The way with a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Read parse(String name) {
      return switch (name) {
        case "rows" -> ROWS;
        case "batches" -> BATCHES;
        default -> throw new IllegalArgumentException("read is " + name + ": it must be rows or batches");
      };
    }

    /** Iterates over all rows, and returns the sum of their numbers. */
    abstract long sum(ImmutableBitmap bitmap);
  }

  /** The rows that match. */
  ImmutableBitmap find(Filter filter) {
    return filter.getBitmapColumnIndex(this)
        .computeBitmapResult(new DefaultBitmapResultFactory(getBitmapFactory()), false);
  }

  @Override
  public int getNumRows() {
    return columns.get(0).rows().rows();
  }

  @Override
  public BitmapFactory getBitmapFactory() {
    return IndexEncoding.BITMAPS.getBitmapFactory();
  }

  @Override
  public ColumnIndexSupplier getIndexSupplier(String column) {
    return columns.get(IndexFilters.COLUMNS.indexOf(column)).indexes();
  }

  @Override
  public ColumnCapabilities getColumnCapabilities(String column) {
    return CAPABILITIES;
  }

  @Nullable
  @Override
  public ColumnHolder getColumnHolder(String columnName) {
    throw new UnsupportedOperationException("Filters take indexes alone here");
  }
}
