// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnHeader;
import io.shapeshift.druid.column.ShapeShiftingColumnSerializer;
import io.shapeshift.druid.form.numbers.BufferedNumbers;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.select.ChunkSplitter;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.stock.StockNumbers;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.BitSet;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Writes a shape-shifting column of numbers, by their bits. */
public abstract class ShapeShiftingNumbersSerializer implements Serializer {
  private final ShapeShiftingColumnSerializer<NumberChunk, BufferedNumbers> column;
  /** Rows that are looked at before it is decided what stands under nulls. */
  private final int most;
  /** How many rows the column was given. */
  private int size;
  /** Rows ahead of the first number that are null. */
  private int leadingNulls;
  /** Rows from the first number behind leading nulls on, or else from the first null, that wait for the decision. */
  private final LongArrayList held = new LongArrayList();
  /** Which of them are null. */
  private final BitSet heldNulls = new BitSet();
  /** What stands under nulls: until it is decided, the number of the row before the first null, or the first number. */
  private long underNulls;
  private boolean hasZero;
  private boolean isDecided;

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
    this.most = 1 << blockSize.logValues(logBytesPerValue);
    this.column = new ShapeShiftingColumnSerializer<>(
        name,
        medium,
        new BufferedNumbers(type, most),
        logValuesPerBlock,
        new ChunkSplitter<>(
            selector, logValuesPerBlock, order, new StockNumbers(most), ColumnHeader.OVERHEAD),
        order
    );
  }

  /** Opens the column for numbers. */
  public final void open() throws IOException {
    column.open();
  }

  /** How many rows were added. */
  public final int size() {
    return size + leadingNulls + held.size();
  }

  /**
   * Adds a row that is null. Any number may stand there. It is the same under all nulls of the column, because Druid's
   * vectorised groupBy makes a group of each number that stands under nulls before it joins these groups. It is 0, as
   * in Druid's own columns, if there is one before the first null or among as many rows as the first chunk may have:
   * with another number there the column could be larger than Druid's. Else it is one that the column has anyway, which
   * takes less: the number before the first null, or the first number where the column starts with nulls.
   */
  public final void addNull() throws IOException {
    if (isDecided) {
      append(underNulls);
    } else if (size == 0 && held.isEmpty()) {
      // Refuses a column that was written.
      column.values();
      leadingNulls++;
    } else if (hasZero) {
      decide(0);
      append(0);
    } else {
      heldNulls.set(held.size());
      hold(0);
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
    if (isDecided) {
      append(bits);
      return;
    }
    hasZero |= bits == 0;
    if (leadingNulls == 0 && held.isEmpty()) {
      underNulls = bits;
      append(bits);
      return;
    }
    if (held.isEmpty() && size == 0) {
      underNulls = bits;
    }
    hold(bits);
  }

  private void hold(long bits) throws IOException {
    held.add(bits);
    if (hasZero || size() >= most) {
      decide(hasZero ? 0 : underNulls);
    }
  }

  private void decide(long number) throws IOException {
    isDecided = true;
    underNulls = number;
    for (; leadingNulls > 0; leadingNulls--) {
      append(number);
    }
    for (int i = 0; i < held.size(); i++) {
      append(heldNulls.get(i) ? number : held.getLong(i));
    }
    held.clear();
    held.trim();
    heldNulls.clear();
  }

  private void decideAtTheEnd() throws IOException {
    if (!isDecided) {
      decide(underNulls);
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
    decideAtTheEnd();
    return column.getSerializedSize();
  }

  @Override
  public final void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    decideAtTheEnd();
    column.writeTo(channel, fileBuilder);
  }
}
