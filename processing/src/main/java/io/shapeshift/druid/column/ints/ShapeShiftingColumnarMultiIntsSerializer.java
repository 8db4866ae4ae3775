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
 * Writes rows of several ints each as two shape-shifting columns, one after the other: the offsets, which say for each
 * row where its values start, and at last where those of the last row end; and the values.
 */
public final class ShapeShiftingColumnarMultiIntsSerializer extends ColumnarMultiIntsSerializer {
  private final String name;
  private final ShapeShiftingColumnarIntsSerializer offsets;
  private final ShapeShiftingColumnarIntsSerializer values;
  private int numValues;
  private boolean complete;

  /**
   * Makes a serializer.
   *
   * @param name      name of the column, for messages
   * @param medium    where encoded chunks are kept until the column is complete
   * @param blockSize how much may be stored in one form
   * @param selector  chooses the forms
   * @param maxValue  no value is larger; Druid's own column takes for each as many bytes as this one needs
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
    // Druid's own offsets are ints of four bytes in any case.
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
