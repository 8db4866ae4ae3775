// SPDX-License-Identifier: Apache-2.0
// Generated from ShapeShiftingColumnarLongsSupplier.java by scripts/NumberClasses.java: do not edit.
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.column.FloatsColumn;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.segment.data.ColumnarFloats;

/** A shape-shifting column of floats in a segment, of which it gives each reader an object of its own. */
public final class ShapeShiftingColumnarFloatsSupplier extends ShapeShiftingNumbersSupplier<ColumnarFloats> {
  private ShapeShiftingColumnarFloatsSupplier(String column, ByteBuffer buffer) {
    super(NumberType.FLOAT, column, buffer);
  }

  /**
   * Takes a column from the buffer, whose position moves behind it.
   *
   * @param column name of the column, for messages
   * @param buffer in the byte order of the column
   * @throws ColumnFormatException if the version or a form is not known, or the header contradicts itself or the buffer
   */
  public static ShapeShiftingColumnarFloatsSupplier read(String column, ByteBuffer buffer) {
    return new ShapeShiftingColumnarFloatsSupplier(column, buffer);
  }

  @Override
  public ShapeShiftingColumnarFloats get() {
    return new ShapeShiftingColumnarFloats(data());
  }

  @Override
  public NumericColumn get(ImmutableBitmap nulls) {
    return FloatsColumn.create(get(), nulls);
  }
}
