// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.AddedNames;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.postings.PostingChunk;
import io.shapeshift.druid.metrics.BytesByForm;
import io.shapeshift.druid.metrics.SegmentPart;
import io.shapeshift.druid.metrics.WrittenSegment;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.FormSelectors;
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
 * Writer of a column's posting lists: the rows of each dictionary id. Encoded chunks are kept in the write-out medium.
 * The heap holds the lists of one chunk, and eight bytes per chunk.
 *
 * @see PostingListsHeader the format
 */
public final class PostingListsSerializer implements Serializer {
  private final String column;
  private final SegmentWriteOutMedium medium;
  private final FormSelector<PostingChunk> selector;
  private final int numRows;
  /** Current chunk; null unless lists are being added. */
  @Nullable
  private PostingChunk chunk;
  private final IntArrayList firstLists = new IntArrayList();
  private final IntArrayList offsets = new IntArrayList();
  private final BytesByForm forms = new BytesByForm();
  private final AddedNames added = new AddedNames();
  /** Size of Druid's index of all lists, in bytes. */
  private long stockBytes = PostingChunk.INDEX_BYTES;
  private WriteOutBytes chunksOut;
  private int numLists;
  private boolean complete;

  /**
   * Creates a serializer.
   *
   * @param column  name of the column, for messages
   * @param medium  keeps encoded chunks until the index is complete
   * @param target  optimization target for the forms
   * @param numRows number of rows in the segment
   */
  public PostingListsSerializer(
      String column,
      SegmentWriteOutMedium medium,
      OptimizationTarget target,
      int numRows
  ) {
    this(column, medium, FormSelectors.forPostings(target), numRows);
  }

  /** Creates a serializer that chooses only among the selector's forms. */
  public PostingListsSerializer(
      String column,
      SegmentWriteOutMedium medium,
      FormSelector<PostingChunk> selector,
      int numRows
  ) {
    this.column = column;
    this.medium = medium;
    this.selector = selector;
    this.numRows = numRows;
  }

  /** Opens the index for lists. */
  public void open() throws IOException {
    chunksOut = medium.makeWriteOutBytes();
  }

  /**
   * Adds the list of the next dictionary id.
   *
   * @param rows the rows in {@code [from, to)}, ascending, without duplicates, less than the segment's number of rows
   */
  public void add(int[] rows, int from, int to) throws IOException {
    if (complete) {
      throw new IllegalStateException("The index of column[" + column + "] was written already");
    }
    if (chunk == null) {
      chunk = new PostingChunk(numRows);
    } else if (!chunk.hasRoomFor(to - from)) {
      flush();
    }
    chunk.add(rows, from, to);
    numLists++;
  }

  private void flush() throws IOException {
    if (chunk == null || chunk.size() == 0) {
      return;
    }
    stockBytes += chunk.stockBytes();
    store(chunk, numLists - chunk.size());
    chunk.clear();
  }

  /**
   * Stores lists in one chunk. If Druid's bitmaps of the lists are smaller than that chunk, stores each list in its own
   * chunk instead.
   */
  private void store(PostingChunk lists, int firstList) throws IOException {
    selector.encodeDirect(lists, ByteOrder.LITTLE_ENDIAN, (form, bytes) -> {
      if (lists.size() > 1 && lists.areBitmapsSmaller(bytes.remaining())) {
        for (int list = 0; list < lists.size(); list++) {
          store(lists.only(list), firstList + list);
        }
      } else {
        firstLists.add(firstList);
        offsets.add((int) chunksOut.size());
        append(form, bytes);
      }
    });
  }

  private void append(Form<PostingChunk, ?> form, ByteBuffer bytes) throws IOException {
    final long size = chunksOut.size() + bytes.remaining();
    if (size > Integer.MAX_VALUE) {
      throw ColumnFormatException.tooLarge(
          column, "more than " + size + " bytes of posting lists; a column can have at most " + Integer.MAX_VALUE);
    }
    forms.add(form.name(), bytes.remaining());
    added.add(form.added());
    Channels.writeFully(chunksOut, bytes);
  }

  private PostingListsHeader header() {
    return new PostingListsHeader(true, numRows, numLists, offsets.size(), (int) chunksOut.size(), added);
  }

  private void complete() throws IOException {
    if (!complete) {
      flush();
      chunk = null;
      complete = true;
    }
  }

  @Override
  public long getSerializedSize() throws IOException {
    complete();
    return header().size();
  }

  /** Returns the exact size of Druid's index of the lists added so far, in bytes. */
  public long stockBytes() throws IOException {
    complete();
    return stockBytes;
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    writeUncounted(channel);
    WrittenSegment.addPart(SegmentPart.INDEXES, getSerializedSize(), forms, stockBytes);
  }

  /** Writes lists that are a part of another structure, which reports their size itself. */
  public void writeUncounted(WritableByteChannel channel) throws IOException {
    complete();
    final PostingListsHeader header = header();
    Channels.writeFully(channel, header.toBytes());
    write(firstLists, header.firstListWidth(), channel);
    write(offsets, header.offsetWidth(), channel);
    chunksOut.writeTo(channel);
    Channels.writeFully(channel, ByteBuffer.allocate(PostingListsHeader.SLACK));
  }

  private static void write(IntArrayList numbers, int width, WritableByteChannel channel) throws IOException {
    final ByteBuffer out =
        ByteBuffer.allocate(BitStream.numBytes(numbers.size(), width)).order(ByteOrder.LITTLE_ENDIAN);
    BitStream.pack(numbers.toIntArray(), numbers.size(), 0, width, out);
    Channels.writeFully(channel, out.flip());
  }

  /** Returns a writer of an index without lists, for a column whose rows are found by a scan of its ids. */
  public static Serializer withoutLists(int numRows, int numLists) {
    return withoutLists(numRows, numLists, WrittenSegment.UNKNOWN);
  }

  /**
   * Returns a writer of an index without lists, for a column whose rows are found by a scan of its ids.
   *
   * @param stockBytes size of Druid's index in bytes, or {@link WrittenSegment#UNKNOWN}
   */
  public static Serializer withoutLists(int numRows, int numLists, long stockBytes) {
    final ByteBuffer bytes = bytesWithoutLists(numRows, numLists);
    return new Serializer() {
      @Override
      public long getSerializedSize() {
        return bytes.limit();
      }

      @Override
      public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
        Channels.writeFully(channel, bytes.duplicate());
        WrittenSegment.addPart(SegmentPart.INDEXES, bytes.limit(), "none", stockBytes);
      }
    };
  }

  /** Returns the bytes of an index without lists, as a part of another structure, which reports their size itself. */
  public static ByteBuffer bytesWithoutLists(int numRows, int numLists) {
    return PostingListsHeader.withoutLists(numRows, numLists).toBytes();
  }
}
