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

/** Writer of a shape-shifting column of numbers, which are passed as raw bits. */
public abstract class ShapeShiftingNumbersSerializer implements Serializer {
  private final ShapeShiftingColumnSerializer<NumberChunk, BufferedNumbers> column;
  /** Most rows that are held back until the number stored for nulls is decided. */
  private final int most;
  /** Number of rows added. */
  private int size;
  /** Number of null rows before the first number. */
  private int leadingNulls;
  /** Rows that wait for this decision: from the first number after leading nulls, or else from the first null. */
  private final LongArrayList held = new LongArrayList();
  /** Null rows among the held rows. */
  private final BitSet heldNulls = new BitSet();
  /** Number stored for nulls. Until it is decided: the number of the row before the first null, or the first number. */
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

  /** Returns the number of rows added. */
  public final int size() {
    return size + leadingNulls + held.size();
  }

  /**
   * Adds a null row. Readers do not see the number stored for it, but all null rows of the column have the same one,
   * because Druid's vectorised groupBy makes a group per stored number before it merges the groups of nulls. The number
   * is 0, as in stock columns, if a 0 occurs before the first null or within the rows of the largest first chunk; with
   * another number the column could then be larger than Druid's. Otherwise it is a number that the column has anyway,
   * which compresses better: the one before the first null, or the first number if the column starts with nulls.
   */
  public final void addNull() throws IOException {
    if (isDecided) {
      append(underNulls);
    } else if (size == 0 && held.isEmpty()) {
      // Throws an exception if the column is already written.
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
