// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.ints;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.select.FormSelector;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.segment.data.ColumnCapacityExceededException;
import org.apache.druid.segment.data.ColumnarMultiIntsSerializer;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Writer of rows with several ints each, as two consecutive shape-shifting columns: offsets and values. The offsets are
 * the start of each row's values, and the end of the last row's.
 */
public final class ShapeShiftingColumnarMultiIntsSerializer extends ColumnarMultiIntsSerializer {
  private final String name;
  private final ShapeShiftingColumnarIntsSerializer offsets;
  private final ShapeShiftingColumnarIntsSerializer values;
  private int numValues;
  private boolean complete;

  /**
   * Creates a serializer.
   *
   * @param name      name of the column, for messages
   * @param medium    keeps encoded chunks until the column is complete
   * @param blockSize limit on the size of chunks
   * @param selector  chooses the forms
   * @param maxValue  upper bound of the values; a stock column has as many bytes per value as this bound needs
   * @param order     byte order of the column
   */
  public ShapeShiftingColumnarMultiIntsSerializer(
      String name,
      SegmentWriteOutMedium medium,
      BlockSize blockSize,
      FormSelector<IntChunk> selector,
      int maxValue,
      ByteOrder order
  ) {
    this.name = name;
    // The offsets of a stock column are always four-byte ints.
    this.offsets =
        new ShapeShiftingColumnarIntsSerializer(
            name, medium, blockSize, selector.ofAnySpeed(), Integer.MAX_VALUE, order);
    this.values = new ShapeShiftingColumnarIntsSerializer(name, medium, blockSize, selector, maxValue, order);
  }

  @Override
  public void open() throws IOException {
    offsets.open();
    values.open();
  }

  @Override
  public void addValues(IndexedInts ints) throws IOException {
    if (complete) {
      throw new IllegalStateException("Column[" + name + "] was written already");
    }
    offsets.addValue(numValues);
    final int size = ints.size();
    for (int i = 0; i < size; i++) {
      values.addValue(ints.get(i));
    }
    numValues += size;
    if (numValues < 0) {
      throw new ColumnCapacityExceededException(name);
    }
  }

  private void complete() throws IOException {
    if (!complete) {
      offsets.addValue(numValues);
      complete = true;
    }
  }

  @Override
  public long getSerializedSize() throws IOException {
    complete();
    return offsets.getSerializedSize() + values.getSerializedSize();
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    complete();
    offsets.writeTo(channel, fileBuilder);
    values.writeTo(channel, fileBuilder);
  }
}
