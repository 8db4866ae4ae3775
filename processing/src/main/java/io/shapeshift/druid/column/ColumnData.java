// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.form.FormDecoder;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.function.Function;
import javax.annotation.Nullable;

/**
 * The bytes of a shape-shifting column with its header, checked once and shared by all its readers.
 *
 * @param <R> the chunk readers that the column's decoders transform
 */
public final class ColumnData<R> {
  private final String column;
  private final ByteBuffer buffer;
  private final ColumnHeader header;
  private final Function<Byte, ? extends FormDecoder<R>> decoders;
  private final int offsetsStart;
  private final int valuesStart;
  private final int valuesSize;

  private ColumnData(
      String column,
      ByteBuffer buffer,
      ColumnHeader header,
      Function<Byte, ? extends FormDecoder<R>> decoders
  ) {
    this.column = column;
    this.buffer = buffer;
    this.header = header;
    this.decoders = decoders;
    this.offsetsStart = header.headerSize();
    this.valuesStart = offsetsStart + header.offsetsSize();
    this.valuesSize = buffer.limit() - valuesStart;
  }

  /**
   * Takes a column from the buffer, whose position moves behind it.
   *
   * @param column               name of the column, for messages
   * @param buffer               in the byte order of the column
   * @param maxLogValuesPerChunk base 2 logarithm of the values that a chunk can hold
   * @param decoders             the decoder of a form by the form's id; null where there is none
   * @throws ColumnFormatException if the version or a form is not known, or the header contradicts itself or the buffer
   */
  public static <R> ColumnData<R> read(
      String column,
      ByteBuffer buffer,
      int maxLogValuesPerChunk,
      Function<Byte, ? extends FormDecoder<R>> decoders
  ) {
    final ByteBuffer slice = buffer.slice().order(buffer.order());
    final ColumnHeader header = ColumnHeader.read(column, slice, maxLogValuesPerChunk);
    int entryOffset = ColumnHeader.FIXED_SIZE;
    for (Composition.Entry entry : header.composition().entries()) {
      decoder(column, decoders, entry.formId(), entryOffset);
      entryOffset += Composition.ENTRY_SIZE;
    }
    final int valuesStart = header.headerSize() + header.offsetsSize();
    final int first = slice.getInt(header.headerSize());
    final int end = slice.getInt(valuesStart - Integer.BYTES);
    final long expected = header.composition().bytes();
    if (first != 0 || end != expected) {
      throw ColumnFormatException.damaged(column, "the offsets from offset " + header.headerSize()
          + " on go from " + first + " to " + end + ", expected 0 to " + expected + " as the composition has it");
    }
    slice.limit(valuesStart + end);
    buffer.position(buffer.position() + slice.limit());
    return new ColumnData<>(column, slice, header, decoders);
  }

  private static <R> FormDecoder<R> decoder(
      String column,
      Function<Byte, ? extends FormDecoder<R>> decoders,
      byte formId,
      int offset
  ) {
    @Nullable final FormDecoder<R> decoder = decoders.apply(formId);
    if (decoder == null) {
      throw new ColumnFormatException(
          column,
          "it has chunks in form " + formId + " (at offset " + offset + "), which this druid-shapeshift does not know",
          "Use the release of druid-shapeshift that wrote the segment, or a newer one, on every Druid service"
      );
    }
    return decoder;
  }

  /** The header. */
  public ColumnHeader header() {
    return header;
  }

  /** All bytes of the column: header, offsets and chunks. */
  public int sizeInBytes() {
    return buffer.limit();
  }

  /** A view of the column's bytes with a position and a limit of its own. */
  public ByteBuffer newView() {
    return buffer.duplicate().order(buffer.order());
  }

  /**
   * Where a chunk is, and in which form.
   *
   * @param number of the chunk, which exists
   * @throws ColumnFormatException if the column's offsets contradict the size of the column
   */
  public ChunkInfo chunk(int number) {
    final int start = startOf(number);
    final int bytes = bytesOf(number, start);
    final int firstValue = number << header.logValuesPerChunk();
    final int numValues = Math.min(1 << header.logValuesPerChunk(), header.numValues() - firstValue);
    final int offset = valuesStart + start;
    return new ChunkInfo(number, firstValue, numValues, buffer.get(offset), offset, bytes);
  }

  /** Where a chunk starts, counted from the first one; to be checked by {@link #bytesOf}. */
  private int startOf(int number) {
    return buffer.getInt(offsetsStart + number * Integer.BYTES);
  }

  private int bytesOf(int number, int start) {
    final int end = startOf(number + 1);
    if (start < 0 || end <= start || end > valuesSize) {
      throw ColumnFormatException.damaged(column, "the offsets of chunk " + number + ", at offset "
          + (offsetsStart + number * Integer.BYTES) + ", say that it goes from " + start + " to " + end + " of "
          + valuesSize + " bytes of chunks");
    }
    return end - start;
  }

  /**
   * Transforms a reader for a chunk.
   *
   * @param number of the chunk, which exists
   * @param view   from {@link #newView()}, the reader's own
   * @param reader already told how many values the chunk has
   * @throws ColumnFormatException if the chunk is not what the header says of it
   */
  void transform(int number, ByteBuffer view, R reader) {
    // Not through chunk(): sparse reads of forms that lie there to be read do little else than this.
    final int start = startOf(number);
    final int bytes = bytesOf(number, start);
    final int offset = valuesStart + start;
    final FormDecoder<R> decoder = decoder(column, decoders, buffer.get(offset), offset);
    view.clear();
    try {
      decoder.transform(view, offset, bytes, reader);
    } catch (MalformedChunkException e) {
      throw ColumnFormatException.damaged(
          column, "chunk " + number + " at offset " + offset + ": " + e.getMessage(), e);
    }
  }
}
