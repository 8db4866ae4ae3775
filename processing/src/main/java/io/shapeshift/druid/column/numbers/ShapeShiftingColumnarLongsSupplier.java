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

/** A shape-shifting column of longs in a segment, of which it gives each reader an object of its own. */
public final class ShapeShiftingColumnarLongsSupplier extends ShapeShiftingNumbersSupplier<ColumnarLongs> {
  private ShapeShiftingColumnarLongsSupplier(String column, ByteBuffer buffer) {
    super(NumberType.LONG, column, buffer);
  }

  /**
   * Takes a column from the buffer, whose position moves behind it.
   *
   * @param column name of the column, for messages
   * @param buffer in the byte order of the column
   * @throws ColumnFormatException if the version or a form is not known, or the header contradicts itself or the buffer
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
