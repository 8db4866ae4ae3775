// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.ints;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForms;
import java.nio.ByteBuffer;
import org.apache.druid.segment.data.ColumnarInts;

/** Supplier of readers of a shape-shifting column of ints in a segment; each reader is for one thread. */
public final class ShapeShiftingColumnarIntsSupplier implements Supplier<ColumnarInts> {
  private final ColumnData<IntChunkReader> data;

  private ShapeShiftingColumnarIntsSupplier(ColumnData<IntChunkReader> data) {
    this.data = data;
  }

  /**
   * Reads a column's header and advances the buffer past the column.
   *
   * @param column name of the column, for messages
   * @param buffer in the byte order of the column
   * @throws ColumnFormatException if the version or a form is unknown, or the header contradicts itself or the buffer
   */
  public static ShapeShiftingColumnarIntsSupplier read(String column, ByteBuffer buffer) {
    return new ShapeShiftingColumnarIntsSupplier(
        ColumnData.read(
            column,
            buffer,
            Limits.MAX_INTS_PER_CHUNK,
            IntForms.DECODERS
        )
    );
  }

  /** Returns the column's bytes and header. */
  public ColumnData<IntChunkReader> data() {
    return data;
  }

  @Override
  public ShapeShiftingColumnarInts get() {
    return new ShapeShiftingColumnarInts(data);
  }
}
