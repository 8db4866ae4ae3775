// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.ints;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import java.nio.ByteBuffer;
import org.apache.druid.segment.data.ColumnarMultiInts;

/** Supplier of readers of rows with several ints each in a segment; each reader is for one thread. */
public final class ShapeShiftingColumnarMultiIntsSupplier implements Supplier<ColumnarMultiInts> {
  private final String column;
  private final ShapeShiftingColumnarIntsSupplier offsets;
  private final ShapeShiftingColumnarIntsSupplier values;

  private ShapeShiftingColumnarMultiIntsSupplier(
      String column,
      ShapeShiftingColumnarIntsSupplier offsets,
      ShapeShiftingColumnarIntsSupplier values
  ) {
    this.column = column;
    this.offsets = offsets;
    this.values = values;
  }

  /**
   * Reads both columns' headers and advances the buffer past the columns.
   *
   * @param column name of the column, for messages
   * @param buffer in the byte order of the column
   * @throws ColumnFormatException if one of them cannot be read, or there are no offsets
   */
  public static ShapeShiftingColumnarMultiIntsSupplier read(String column, ByteBuffer buffer) {
    final ShapeShiftingColumnarIntsSupplier offsets =
        ShapeShiftingColumnarIntsSupplier.read(column + " (offsets)", buffer);
    if (offsets.data().header().numValues() == 0) {
      throw ColumnFormatException.damaged(column, "it has no offsets; there must be one more than rows");
    }
    return new ShapeShiftingColumnarMultiIntsSupplier(
        column,
        offsets,
        ShapeShiftingColumnarIntsSupplier.read(column + " (values)", buffer)
    );
  }

  /** Returns the column of offsets. */
  public ShapeShiftingColumnarIntsSupplier offsets() {
    return offsets;
  }

  /** Returns the column of values. */
  public ShapeShiftingColumnarIntsSupplier values() {
    return values;
  }

  @Override
  public ShapeShiftingColumnarMultiInts get() {
    return new ShapeShiftingColumnarMultiInts(column, offsets.get(), values.get());
  }
}
