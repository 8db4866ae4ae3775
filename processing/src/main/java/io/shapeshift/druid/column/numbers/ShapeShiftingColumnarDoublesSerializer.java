// SPDX-License-Identifier: Apache-2.0
// Generated from ShapeShiftingColumnarLongsSerializer.java by scripts/NumberClasses.java: do not edit.
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.select.FormSelector;
import java.io.IOException;
import java.nio.ByteOrder;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.data.ColumnarDoublesSerializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Writer of a shape-shifting column of doubles. */
public final class ShapeShiftingColumnarDoublesSerializer extends ShapeShiftingNumbersSerializer
    implements ColumnarDoublesSerializer {
  /**
   * Creates a serializer.
   *
   * @param name      name of the column, for messages
   * @param medium    keeps encoded chunks until the column is complete
   * @param blockSize limit on the size of chunks
   * @param selector  chooses the forms
   * @param order     byte order of the column
   */
  public ShapeShiftingColumnarDoublesSerializer(
      String name,
      SegmentWriteOutMedium medium,
      BlockSize blockSize,
      FormSelector<NumberChunk> selector,
      ByteOrder order
  ) {
    super(NumberType.DOUBLE, name, medium, blockSize, selector, order);
  }

  @Override
  public void add(double value) throws IOException {
    addBits(bits(value));
  }

  @Override
  public void add(ColumnValueSelector<?> row) throws IOException {
    add(row.getDouble());
  }
}
