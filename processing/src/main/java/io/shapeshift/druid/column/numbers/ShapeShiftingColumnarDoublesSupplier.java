// SPDX-License-Identifier: Apache-2.0
// Generated from ShapeShiftingColumnarLongsSupplier.java by scripts/NumberClasses.java: do not edit.
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.column.DoublesColumn;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.segment.data.ColumnarDoubles;

/** Supplier of readers of a shape-shifting column of doubles in a segment; each reader is for one thread. */
public final class ShapeShiftingColumnarDoublesSupplier extends ShapeShiftingNumbersSupplier<ColumnarDoubles> {
  private ShapeShiftingColumnarDoublesSupplier(String column, ByteBuffer buffer) {
    super(NumberType.DOUBLE, column, buffer);
  }

  /**
   * Reads a column's header and advances the buffer past the column.
   *
   * @param column name of the column, for messages
   * @param buffer in the byte order of the column
   * @throws ColumnFormatException if the version or a form is unknown, or the header contradicts itself or the buffer
   */
  public static ShapeShiftingColumnarDoublesSupplier read(String column, ByteBuffer buffer) {
    return new ShapeShiftingColumnarDoublesSupplier(column, buffer);
  }

  @Override
  public ShapeShiftingColumnarDoubles get() {
    return new ShapeShiftingColumnarDoubles(data());
  }

  @Override
  public NumericColumn get(ImmutableBitmap nulls) {
    return DoublesColumn.create(get(), nulls);
  }
}
