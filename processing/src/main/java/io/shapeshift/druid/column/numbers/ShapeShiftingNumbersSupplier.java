// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;

/**
 * A shape-shifting column of numbers in a segment.
 *
 * @param <T> Druid's type of such a column
 */
public abstract class ShapeShiftingNumbersSupplier<T> implements Supplier<T> {
  private final NumberType type;
  private final ColumnData<NumberChunkReader> data;

  ShapeShiftingNumbersSupplier(NumberType type, String column, ByteBuffer buffer) {
    this.type = type;
    this.data = ColumnData.read(column, buffer, type.maxValuesPerChunk(), NumberForms.byId(type));
  }

  /** The type of the numbers. */
  public final NumberType type() {
    return type;
  }

  /** The column's bytes and header. */
  public final ColumnData<NumberChunkReader> data() {
    return data;
  }
}
