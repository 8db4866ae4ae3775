// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnHeader;
import io.shapeshift.druid.column.ShapeShiftingColumnSerializer;
import io.shapeshift.druid.form.numbers.BufferedNumbers;
import io.shapeshift.druid.form.numbers.DruidsNumbers;
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
  private final ShapeShiftingColumnSerializer<NumberChunk, BufferedNumbers> column;
  /** How many rows the column was given. */
  private int size;
  /** Rows ahead of the first number that are null; given to the column when that number is known. */
  private int leadingNulls;
  /** What stands under nulls: until it is final, the number of the row before. */
  private long underNulls;
  private boolean isUnderNullsFinal;

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
    final int most = 1 << blockSize.logValues(logBytesPerValue);
    this.column = new ShapeShiftingColumnSerializer<>(
        name,
        medium,
        new BufferedNumbers(type, most),
        logValuesPerBlock,
        new ChunkSplitter<>(
            selector, logValuesPerBlock, order, new DruidsNumbers(most), ColumnHeader.OVERHEAD),
        order
    );
  }

  /** Opens the column for numbers. */
  public final void open() throws IOException {
    column.open();
  }

  /** How many rows were added. */
  public final int size() {
    return size + leadingNulls;
  }

  /**
   * Adds a row that is null. Any number may stand there. It is the same under all nulls of the column, because Druid's
   * vectorised groupBy makes a group of each number that stands under nulls before it joins these groups; and it is one
   * that the column has anyway: the number before the first null, or the first number where the column starts with
   * nulls, or 0 where it has no number at all.
   */
  public final void addNull() throws IOException {
    if (size == 0) {
      // Refuses a column that was written.
      column.values();
      leadingNulls++;
    } else {
      isUnderNullsFinal = true;
      append(underNulls);
    }
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
    if (!isUnderNullsFinal) {
      underNulls = bits;
      appendLeadingNulls();
    }
    append(bits);
  }

  private void appendLeadingNulls() throws IOException {
    for (; leadingNulls > 0; leadingNulls--) {
      isUnderNullsFinal = true;
      append(underNulls);
    }
  }

  private void append(long bits) throws IOException {
    final BufferedNumbers values = column.values();
    while (!values.add(bits)) {
      column.flush();
    }
    size++;
  }

  @Override
  public final long getSerializedSize() throws IOException {
    appendLeadingNulls();
    return column.getSerializedSize();
  }

  @Override
  public final void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    appendLeadingNulls();
    column.writeTo(channel, fileBuilder);
  }
}
