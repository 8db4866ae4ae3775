// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ShapeShiftingColumnSerializer;
import io.shapeshift.druid.form.numbers.BufferedNumbers;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.select.ChunkSplitter;
import io.shapeshift.druid.select.FormSelector;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Writes a shape-shifting column of numbers, by their bits. */
public abstract class ShapeShiftingNumbersSerializer implements Serializer {
  /** Rows whose nulls all have the same number. */
  public static final int ROWS_PER_NULL = 1 << 13;

  private final ShapeShiftingColumnSerializer<NumberChunk, BufferedNumbers> column;
  private int size;
  private long lastBits;
  /** What stands under nulls, and in which rows. */
  private long underNulls;
  private int rowsOfNulls = -1;

  ShapeShiftingNumbersSerializer(
      NumberType type,
      String name,
      SegmentWriteOutMedium medium,
      BlockSize blockSize,
      FormSelector<NumberChunk> selector,
      ByteOrder order
  ) {
    final int logBytesPerValue = Integer.numberOfTrailingZeros(type.bytes());
    final int logValuesPerBlock = blockSize.logValuesPerBlock(logBytesPerValue);
    this.column = new ShapeShiftingColumnSerializer<>(
        name,
        medium,
        new BufferedNumbers(type, 1 << blockSize.logValues(logBytesPerValue)),
        logValuesPerBlock,
        new ChunkSplitter<>(selector, logValuesPerBlock, order),
        order
    );
  }

  /** Opens the column for numbers. */
  public final void open() throws IOException {
    column.open();
  }

  /** How many numbers were added. */
  public final int size() {
    return size;
  }

  /**
   * Adds a row that is null. Any number may stand there, and what forms like best is one that they have anyway: the
   * one before the first null of each {@value #ROWS_PER_NULL} rows, or 0 in front of all numbers. It is the same for
   * all nulls of these rows, as Druid's vectorised groupBy makes groups of what stands there before it joins them.
   */
  public final void addNull() throws IOException {
    if (size / ROWS_PER_NULL != rowsOfNulls) {
      rowsOfNulls = size / ROWS_PER_NULL;
      underNulls = lastBits;
    }
    addBits(underNulls);
  }

  /** Adds the number of a row that is not null. */
  public abstract void add(ColumnValueSelector<?> row) throws IOException;

  static long bits(long value) {
    return value;
  }

  static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  static long bits(float value) {
    return Float.floatToRawIntBits(value) & 0xFFFF_FFFFL;
  }

  final void addBits(long bits) throws IOException {
    final BufferedNumbers values = column.values();
    while (!values.add(bits)) {
      column.flush();
    }
    lastBits = bits;
    size++;
  }

  @Override
  public final long getSerializedSize() throws IOException {
    return column.getSerializedSize();
  }

  @Override
  public final void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    column.writeTo(channel, fileBuilder);
  }
}
