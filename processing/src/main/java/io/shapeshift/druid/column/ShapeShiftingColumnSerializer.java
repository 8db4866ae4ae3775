// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.form.AddedNames;
import io.shapeshift.druid.form.BufferedValues;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.metrics.BytesByForm;
import io.shapeshift.druid.metrics.SegmentPart;
import io.shapeshift.druid.metrics.WrittenSegment;
import io.shapeshift.druid.select.ChunkSplitter;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Writer of a shape-shifting column of any type. Its owner adds values to a buffer, and calls {@link #flush} when the
 * buffer is full. Encoded chunks are kept in the write-out medium until the column is complete. The heap holds the
 * buffered values and a few bytes per chunk. Work areas for encoding are borrowed for each flush.
 *
 * @param <C> type of the chunks
 * @param <V> type of the buffered values
 * @see ColumnHeader the format
 */
public final class ShapeShiftingColumnSerializer<C extends Chunk, V extends BufferedValues<C>> implements Serializer {
  private final String column;
  private final SegmentWriteOutMedium medium;
  /** Buffered values; null once the column is complete, because the segment may be written much later. */
  @Nullable
  private V values;
  private final int logValuesPerBlock;
  private final ChunkSplitter<C> splitter;
  private final ByteOrder order;
  private final long maxBytes;

  private final IntArrayList offsets = new IntArrayList();
  /** Entry of each group: which of its blocks start a chunk. */
  private final IntArrayList starts = new IntArrayList();
  private final Composition composition = new Composition();
  private final AddedNames added = new AddedNames();
  private final BytesByForm forms = new BytesByForm();
  private WriteOutBytes chunksOut;
  private int numBlocks;
  private int numValues;
  private boolean complete;

  /**
   * Creates a serializer.
   *
   * @param column            name of the column, for messages
   * @param medium            keeps encoded chunks until the column is complete
   * @param values            an empty buffer, owned by this serializer from now on
   * @param logValuesPerBlock base 2 logarithm of the number of values in a block
   * @param splitter          divides the values into chunks
   * @param order             byte order of the column
   */
  public ShapeShiftingColumnSerializer(
      String column,
      SegmentWriteOutMedium medium,
      V values,
      int logValuesPerBlock,
      ChunkSplitter<C> splitter,
      ByteOrder order
  ) {
    this(column, medium, values, logValuesPerBlock, splitter, order, Integer.MAX_VALUE);
  }

  /** Creates a serializer with a limit other than 2 GiB, for tests. */
  ShapeShiftingColumnSerializer(
      String column,
      SegmentWriteOutMedium medium,
      V values,
      int logValuesPerBlock,
      ChunkSplitter<C> splitter,
      ByteOrder order,
      long maxBytes
  ) {
    this.column = column;
    this.medium = medium;
    this.values = values;
    this.logValuesPerBlock = logValuesPerBlock;
    this.splitter = splitter;
    this.order = order;
    this.maxBytes = maxBytes;
  }

  /** Opens the column for values. */
  public void open() throws IOException {
    chunksOut = medium.makeWriteOutBytes();
  }

  /**
   * Returns the buffered values, to which the owner may add another if there is room.
   *
   * @throws IllegalStateException if the column is already written
   */
  public V values() {
    if (complete) {
      throw new IllegalStateException("Column[" + column + "] was written already");
    }
    return values;
  }

  /**
   * Encodes buffered values to make room.
   *
   * @throws ColumnFormatException if the column would exceed 2 GiB
   */
  public void flush() throws IOException {
    encode(values.sizeToMakeRoom(), false);
  }

  private void encode(int length, boolean isLast) throws IOException {
    if (Integer.MAX_VALUE - numValues < length) {
      throw ColumnFormatException.tooLarge(
          column,
          numValues + (long) length + " values; a column can have at most " + Integer.MAX_VALUE
      );
    }
    try {
      splitter.encode(values, length, isLast, this::append);
    } finally {
      values.release();
    }
    numValues += length;
    values.removeFirst(length, numValues);
  }

  private void append(Form<?, ?> form, int numBlocks, ByteBuffer bytes) throws IOException {
    final int inGroup = this.numBlocks % ColumnHeader.BLOCKS_PER_GROUP;
    if (inGroup == 0) {
      starts.add(0);
    }
    starts.set(starts.size() - 1, starts.getInt(starts.size() - 1) | 1 << inGroup);
    offsets.add((int) chunksOut.size());
    composition.add(form, bytes.remaining());
    added.add(form.added());
    forms.add(form.name(), bytes.remaining());
    final long size = ColumnHeader.FIXED_SIZE + composition.sizeInBytes() + added.sizeInBytes()
        + Integer.BYTES * (offsets.size() + 1L) + (long) ColumnHeader.GROUP_SIZE * starts.size() + chunksOut.size()
        + bytes.remaining();
    if (size > maxBytes) {
      throw ColumnFormatException.tooLarge(
          column,
          size + " bytes at value " + ((long) this.numBlocks << logValuesPerBlock) + "; a column can have at most "
              + maxBytes
      );
    }
    this.numBlocks += numBlocks;
    Channels.writeFully(chunksOut, bytes);
  }

  private ColumnHeader header() {
    return new ColumnHeader(numValues, logValuesPerBlock, composition, added);
  }

  private void complete() throws IOException {
    if (!complete) {
      if (values.size() > 0) {
        encode(values.size(), true);
      }
      complete = true;
      values = null;
    }
  }

  @Override
  public long getSerializedSize() throws IOException {
    complete();
    return header().headerSize() + header().offsetsSize() + chunksOut.size();
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    writePartTo(channel);
    WrittenSegment.addPart(SegmentPart.ROWS, getSerializedSize(), forms, WrittenSegment.UNKNOWN);
  }

  /** Writes the column as a part of another format, which accounts for its bytes. */
  public void writePartTo(WritableByteChannel channel) throws IOException {
    complete();
    final ColumnHeader header = header();
    Channels.writeFully(channel, header.toBytes(order));
    final ByteBuffer offsetBytes = ByteBuffer.allocate(header.offsetsSize()).order(order);
    for (int i = 0; i < offsets.size(); i++) {
      offsetBytes.putInt(offsets.getInt(i));
    }
    offsetBytes.putInt((int) chunksOut.size());
    for (int i = 0; i < starts.size(); i++) {
      offsetBytes.putShort((short) starts.getInt(i));
    }
    Channels.writeFully(channel, offsetBytes.flip());
    chunksOut.writeTo(channel);
  }
}
