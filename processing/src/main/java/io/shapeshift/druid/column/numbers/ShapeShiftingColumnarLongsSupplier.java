// SPDX-License-Identifier: Apache-2.0
// scripts/NumberClasses.java generates the classes for other types from this one.
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.column.LongsColumn;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.segment.data.ColumnarLongs;

/** Supplier of readers of a shape-shifting column of longs in a segment; each reader is for one thread. */
public final class ShapeShiftingColumnarLongsSupplier extends ShapeShiftingNumbersSupplier<ColumnarLongs> {
  private ShapeShiftingColumnarLongsSupplier(String column, ByteBuffer buffer) {
    super(NumberType.LONG, column, buffer);
  }

  /**
   * Reads a column's header and advances the buffer past the column.
   *
   * @param column name of the column, for messages
   * @param buffer in the byte order of the column
   * @throws ColumnFormatException if the version or a form is unknown, or the header contradicts itself or the buffer
   */
  public static ShapeShiftingColumnarLongsSupplier read(String column, ByteBuffer buffer) {
    return new ShapeShiftingColumnarLongsSupplier(column, buffer);
  }

  @Override
  public ShapeShiftingColumnarLongs get() {
    return new ShapeShiftingColumnarLongs(data());
  }

  @Override
  public NumericColumn get(ImmutableBitmap nulls) {
    return LongsColumn.create(get(), nulls);
  }
}
