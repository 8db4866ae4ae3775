// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.select.FormSelector;
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
 * Writes a shape-shifting column of any type: lets its owner fill a chunk, has the best form chosen for each full
 * chunk, and keeps the encoded chunks in the write-out medium until the column is complete. On the heap there are one
 * chunk and four bytes per encoded chunk; the buffers for encoding are borrowed for the time of a flush.
 *
 * @param <C> the chunk, with its metrics
 * @see ColumnHeader the format
 */
public final class ShapeShiftingColumnSerializer<C extends Chunk> implements Serializer {
  private final String column;
  private final SegmentWriteOutMedium medium;
  /** Null once the column is complete: it may be long until the segment is written. */
  @Nullable
  private C chunk;
  private final int logValuesPerChunk;
  private final FormSelector<C> selector;
  private final ByteOrder order;
  private final long maxBytes;

  private final IntArrayList offsets = new IntArrayList();
  private final Composition composition = new Composition();
  private WriteOutBytes chunksOut;
  private int numValues;
  private boolean complete;

  /**
   * Makes a serializer.
   *
   * @param column            name of the column, for messages
   * @param medium            where encoded chunks are kept until the column is complete
   * @param chunk             an empty chunk of 2^logValuesPerChunk values, from now on this serializer's
   * @param logValuesPerChunk base 2 logarithm of the values in a chunk
   * @param selector          chooses the forms
   * @param order             byte order of the column
   */
  public ShapeShiftingColumnSerializer(
      String column,
      SegmentWriteOutMedium medium,
      C chunk,
      int logValuesPerChunk,
      FormSelector<C> selector,
      ByteOrder order
  ) {
    this(column, medium, chunk, logValuesPerChunk, selector, order, Integer.MAX_VALUE);
  }

  /** With another limit than 2 GiB, so that tests reach it. */
  ShapeShiftingColumnSerializer(
      String column,
      SegmentWriteOutMedium medium,
      C chunk,
      int logValuesPerChunk,
      FormSelector<C> selector,
      ByteOrder order,
      long maxBytes
  ) {
    this.column = column;
    this.medium = medium;
    this.chunk = chunk;
    this.logValuesPerChunk = logValuesPerChunk;
    this.selector = selector;
    this.order = order;
    this.maxBytes = maxBytes;
  }

  /** Opens the column for values. */
  public void open() throws IOException {
    chunksOut = medium.makeWriteOutBytes();
    offsets.add(0);
  }

  /**
   * The chunk to add the next value to.
   *
   * @return a chunk that is not full
   * @throws IllegalStateException if the column was written already
   * @throws ColumnFormatException if the column would take more than 2 GiB
   */
  public C chunk() throws IOException {
    if (complete) {
      throw new IllegalStateException("Column[" + column + "] was written already");
    }
    if (chunk.isFull()) {
      flush();
    }
    return chunk;
  }

  private void flush() throws IOException {
    if (Integer.MAX_VALUE - numValues < chunk.size()) {
      throw ColumnFormatException.tooLarge(
          column,
          numValues + (long) chunk.size() + " values, of which a column can have " + Integer.MAX_VALUE
      );
    }
    selector.encode(chunk, order, this::append);
    numValues += chunk.size();
    chunk.clear();
  }

  private void append(Form<?, ?> form, ByteBuffer bytes) throws IOException {
    final long end = chunksOut.size() + bytes.remaining();
    composition.add(form, bytes.remaining());
    offsets.add((int) end);
    final long size = header().headerSize() + (long) Integer.BYTES * offsets.size() + end;
    if (size > maxBytes) {
      throw ColumnFormatException.tooLarge(
          column,
          size + " bytes at value " + numValues + ", of which a column can have " + maxBytes
      );
    }
    Channels.writeFully(chunksOut, bytes);
  }

  private ColumnHeader header() {
    return new ColumnHeader(numValues, logValuesPerChunk, composition);
  }

  private void complete() throws IOException {
    if (!complete) {
      if (chunk.size() > 0) {
        flush();
      }
      complete = true;
      chunk = null;
    }
  }

  @Override
  public long getSerializedSize() throws IOException {
    complete();
    return header().headerSize() + header().offsetsSize() + chunksOut.size();
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    complete();
    Channels.writeFully(channel, header().toBytes(order));
    final ByteBuffer offsetBytes = ByteBuffer.allocate(header().offsetsSize()).order(order);
    offsetBytes.asIntBuffer().put(offsets.elements(), 0, offsets.size());
    Channels.writeFully(channel, offsetBytes);
    chunksOut.writeTo(channel);
  }
}
