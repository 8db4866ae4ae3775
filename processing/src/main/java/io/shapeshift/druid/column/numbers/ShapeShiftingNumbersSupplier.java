// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.column.NumericColumn;

/**
 * Supplier of readers of a shape-shifting column of numbers in a segment.
 *
 * @param <T> Druid's interface of such a column
 */
public abstract class ShapeShiftingNumbersSupplier<T> implements Supplier<T> {
  private final NumberType type;
  private final ColumnData<NumberChunkReader> data;

  ShapeShiftingNumbersSupplier(NumberType type, String column, ByteBuffer buffer) {
    this.type = type;
    this.data = ColumnData.read(column, buffer, type.maxValuesPerChunk(), NumberForms.byId(type));
  }

  /**
   * Returns a reader for queries.
   *
   * @param nulls the null rows
   */
  public abstract NumericColumn get(ImmutableBitmap nulls);

  /** Returns a scan of the column, for one thread. */
  public final NumberScan scan() {
    return NumberScan.of(data, type);
  }

  /** Returns the type of the numbers. */
  public final NumberType type() {
    return type;
  }

  /** Returns the column's bytes and header. */
  public final ColumnData<NumberChunkReader> data() {
    return data;
  }
}
