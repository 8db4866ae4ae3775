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

/** Supplier of readers of a shape-shifting column of floats in a segment; each reader is for one thread. */
public final class ShapeShiftingColumnarFloatsSupplier extends ShapeShiftingNumbersSupplier<ColumnarFloats> {
  private ShapeShiftingColumnarFloatsSupplier(String column, ByteBuffer buffer) {
    super(NumberType.FLOAT, column, buffer);
  }

  /**
   * Reads a column's header and advances the buffer past the column.
   *
   * @param column name of the column, for messages
   * @param buffer in the byte order of the column
   * @throws ColumnFormatException if the version or a form is unknown, or the header contradicts itself or the buffer
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
