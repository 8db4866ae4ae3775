// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.ints;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnHeader;
import io.shapeshift.druid.column.ShapeShiftingColumnSerializer;
import io.shapeshift.druid.form.ints.BufferedInts;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.select.ChunkSplitter;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.stock.StockInts;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.segment.data.SingleValueColumnarIntsSerializer;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Writer of a shape-shifting column of ints from 0 to 2^31-1. */
public final class ShapeShiftingColumnarIntsSerializer extends SingleValueColumnarIntsSerializer {
  private static final int LOG_BYTES_PER_VALUE = 2;

  private final ShapeShiftingColumnSerializer<IntChunk, BufferedInts> column;

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
  public ShapeShiftingColumnarIntsSerializer(
      String name,
      SegmentWriteOutMedium medium,
      BlockSize blockSize,
      FormSelector<IntChunk> selector,
      int maxValue,
      ByteOrder order
  ) {
    final int logValuesPerBlock = blockSize.logValuesPerBlock(LOG_BYTES_PER_VALUE);
    this.column = new ShapeShiftingColumnSerializer<>(
        name,
        medium,
        new BufferedInts(blockSize.bytes()),
        logValuesPerBlock,
        new ChunkSplitter<>(
            selector,
            logValuesPerBlock,
            order,
            new StockInts(maxValue, blockSize.bytes()),
            ColumnHeader.OVERHEAD
        ),
        order
    );
  }

  @Override
  public void open() throws IOException {
    column.open();
  }

  @Override
  public void addValue(int val) throws IOException {
    final BufferedInts values = column.values();
    while (!values.add(val)) {
      column.flush();
    }
  }

  @Override
  public long getSerializedSize() throws IOException {
    return column.getSerializedSize();
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    column.writeTo(channel, fileBuilder);
  }

  /** Writes the column as a part of another format, which accounts for its bytes. */
  public void writePartTo(WritableByteChannel channel) throws IOException {
    column.writePartTo(channel);
  }
}
