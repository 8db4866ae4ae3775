// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.segment.index.NumberScanIndexSupplier;
import io.shapeshift.druid.segment.index.QueriedRows;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.filter.ColumnIndexSelector;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.vector.VectorMatch;
import org.apache.druid.query.filter.vector.VectorValueMatcher;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnCapabilitiesImpl;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.vector.NoFilterVectorOffset;
import org.apache.druid.segment.vector.VectorOffset;
import org.apache.druid.segment.vector.VectorValueSelector;

/** Column of numbers without nulls, as one of Druid's filters reads it. */
abstract class FilteredNumbers {
  private static final String NAME = "numbers";
  /** Rows that Druid's vectorized engines read at a time. */
  private static final int VECTOR = 512;
  private static final BitmapFactory BITMAPS = RoaringBitmapSerdeFactory.getInstance().getBitmapFactory();
  private static final ImmutableBitmap NO_NULLS = BITMAPS.makeEmptyImmutableBitmap();

  private FilteredNumbers() {}

  /** Opens a column: shape-shifting numbers are scanned, others are read by Druid's matcher. */
  static FilteredNumbers of(EncodedRows encoded, RowValues.Numbers values) {
    return encoded.column() instanceof ShapeShiftingNumbersSupplier<?> numbers
           ? new Scanned(numbers, values)
           : new Matched(encoded.column(), values);
  }

  /** Finds the rows that match, and returns their number. */
  abstract int find(RangeFilter filter) throws IOException;

  /** The same numbers, sorted. */
  static RowValues.Numbers sorted(RowValues.Numbers values) {
    if (values instanceof RowValues.Longs longs) {
      return new RowValues.Longs(Arrays.stream(longs.values()).sorted().toArray());
    } else if (values instanceof RowValues.Doubles doubles) {
      return new RowValues.Doubles(Arrays.stream(doubles.values()).sorted().toArray());
    }
    final float[] sorted = ((RowValues.Floats) values).values().clone();
    Arrays.sort(sorted);
    return new RowValues.Floats(sorted);
  }

  /** Returns a range around the median that matches the given share of the rows, as nearly as the values allow. */
  static RangeFilter range(RowValues.Numbers values, double share) {
    final RowValues.Numbers sorted = sorted(values);
    final int length = Math.max(1, (int) Math.round(share * values.rows()));
    final int first = (values.rows() - length) / 2;
    return new RangeFilter(
        NAME, type(values), number(sorted, first), number(sorted, first + length - 1), false, false, null);
  }

  private static Object number(RowValues.Numbers values, int row) {
    if (values instanceof RowValues.Longs longs) {
      return longs.values()[row];
    } else if (values instanceof RowValues.Doubles doubles) {
      return doubles.values()[row];
    }
    return ((RowValues.Floats) values).values()[row];
  }

  private static ColumnType type(RowValues.Numbers values) {
    return switch (values.type()) {
      case LONG -> ColumnType.LONG;
      case DOUBLE -> ColumnType.DOUBLE;
      case FLOAT -> ColumnType.FLOAT;
    };
  }

  private static ColumnCapabilities capabilities(RowValues.Numbers values) {
    return ColumnCapabilitiesImpl.createSimpleNumericColumnCapabilities(type(values));
  }

  /** Shape-shifting column, which has an index. */
  private static final class Scanned extends FilteredNumbers implements ColumnIndexSelector {
    private final ColumnIndexSupplier indexes;
    private final ColumnCapabilities capabilities;
    private final int rows;

    private Scanned(ShapeShiftingNumbersSupplier<?> numbers, RowValues.Numbers values) {
      this.indexes =
          new NumberScanIndexSupplier(numbers, NO_NULLS, BITMAPS).of(QueriedRows.all(values.rows()));
      this.capabilities = capabilities(values);
      this.rows = values.rows();
    }

    @Override
    int find(RangeFilter filter) {
      final ImmutableBitmap found = Objects.requireNonNull(filter.getBitmapColumnIndex(this)).computeBitmapResult(
          new DefaultBitmapResultFactory(BITMAPS), rows, rows, false);
      return Objects.requireNonNull(found).size();
    }

    @Override
    public int getNumRows() {
      return rows;
    }

    @Override
    public BitmapFactory getBitmapFactory() {
      return BITMAPS;
    }

    @Override
    public ColumnIndexSupplier getIndexSupplier(String column) {
      return indexes;
    }

    @Override
    public ColumnCapabilities getColumnCapabilities(String column) {
      return capabilities;
    }

    @Nullable
    @Override
    public ColumnHolder getColumnHolder(String columnName) {
      throw new UnsupportedOperationException("Filters take indexes alone here");
    }
  }

  /** Column of Druid, which has no index. */
  private static final class Matched extends FilteredNumbers {
    private final Supplier<? extends Closeable> column;
    private final ColumnCapabilities capabilities;
    private final int rows;

    private Matched(Supplier<? extends Closeable> column, RowValues.Numbers values) {
      this.column = column;
      this.capabilities = capabilities(values);
      this.rows = values.rows();
    }

    @Override
    int find(RangeFilter filter) throws IOException {
      try (Closeable opened = column.get()) {
        final VectorOffset offset = new NoFilterVectorOffset(VECTOR, 0, rows);
        final VectorValueMatcher matcher =
            filter.makeVectorMatcher(new NumberSelectors(offset, selector(opened, offset), capabilities));
        int found = 0;
        for (; !offset.isDone(); offset.advance()) {
          found += matcher.match(VectorMatch.allTrue(offset.getCurrentVectorSize()), false).getSelectionSize();
        }
        return found;
      }
    }

    private static VectorValueSelector selector(Closeable column, VectorOffset offset) {
      if (column instanceof ColumnarLongs longs) {
        return longs.makeVectorValueSelector(offset, NO_NULLS);
      } else if (column instanceof ColumnarDoubles doubles) {
        return doubles.makeVectorValueSelector(offset, NO_NULLS);
      }
      return ((ColumnarFloats) column).makeVectorValueSelector(offset, NO_NULLS);
    }
  }
}
