// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.postings.PostingForm;
import io.shapeshift.druid.form.postings.PostingForms;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import javax.annotation.Nullable;

/** The posting lists of a column in a segment. Serves any number of threads; {@link #reader} is for one. */
public final class PostingLists {
  private final String column;
  private final PostingListsHeader header;
  private final ByteBuffer buffer;
  private final RawBytes bytes = new RawBytes();
  private final int firstListsOffset;
  private final int offsetsOffset;
  private final int chunksOffset;

  private PostingLists(String column, PostingListsHeader header, ByteBuffer buffer) {
    this.column = column;
    this.header = header;
    this.buffer = buffer;
    this.bytes.wrap(buffer);
    this.firstListsOffset = header.headerSize();
    this.offsetsOffset = Math.toIntExact(firstListsOffset + header.firstListBytes());
    this.chunksOffset = Math.toIntExact(offsetsOffset + header.offsetBytes());
  }

  /**
   * Takes the lists of a column from the buffer, whose position moves behind them.
   *
   * @param column name of the column, for messages
   * @param buffer in any byte order
   * @param numIds dictionary ids of the column, each of which has a list
   * @param numRows rows of the column
   * @throws ColumnFormatException if the version is not known, or the header contradicts itself, the buffer, the
   *     number of ids or that of rows
   */
  public static PostingLists read(String column, ByteBuffer buffer, int numIds, int numRows) {
    final PostingLists lists = read(column, buffer);
    if (lists.size() != numIds) {
      throw ColumnFormatException.damaged(
          column, "it has " + lists.size() + " posting lists for " + numIds + " values");
    }
    if (lists.numRows() != numRows) {
      throw ColumnFormatException.damaged(
          column, "its index is one of " + lists.numRows() + " rows, it has " + numRows);
    }
    return lists;
  }

  /**
   * Takes the lists from the buffer, whose position moves behind them.
   *
   * @param column name of the column, for messages
   * @param buffer in any byte order
   * @throws ColumnFormatException if the version is not known, or the header contradicts itself or the buffer
   */
  public static PostingLists read(String column, ByteBuffer buffer) {
    final ByteBuffer bytes = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    final PostingListsHeader header = PostingListsHeader.read(column, bytes);
    final int size = Math.toIntExact(header.size());
    buffer.position(buffer.position() + size);
    return new PostingLists(column, header, bytes.slice(0, size).order(ByteOrder.LITTLE_ENDIAN));
  }

  /** No lists: the ids of a column, which has no index, answer for them. */
  public static PostingLists none(String column, int numIds, int numRows) {
    return read(column, new PostingListsHeader(false, numRows, numIds, 0, 0).toBytes());
  }

  /** Name of the column, for messages. */
  String column() {
    return column;
  }

  /** Whether there are lists; the ids answer for them otherwise. */
  public boolean hasLists() {
    return header.hasLists();
  }

  /** How many lists there are, or would be: the dictionary ids of the column. */
  public int size() {
    return header.numLists();
  }

  /** Rows of the segment. */
  public int numRows() {
    return header.numRows();
  }

  /** Bytes of all. */
  public long sizeInBytes() {
    return header.size();
  }

  /** Reads the lists. */
  public PostingListsReader reader() {
    return new PostingListsReader(this, buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN));
  }

  /** How many chunks there are. */
  int numChunks() {
    return header.numChunks();
  }

  /** Where a chunk's bytes start in those of all chunks, or end, for the number of chunks. */
  int offset(int chunk) {
    return chunk == header.numChunks() ? header.chunkBytes() : get(offsetsOffset, header.offsetWidth(), chunk);
  }

  /** Index in the buffer of the first chunk. */
  int chunksOffset() {
    return chunksOffset;
  }

  /** The first list of a chunk, or for the number of chunks the number of lists. */
  int firstList(int chunk) {
    if (chunk == header.numChunks()) {
      return header.numLists();
    }
    return header.isListPerChunk() ? chunk : get(firstListsOffset, header.firstListWidth(), chunk);
  }

  private int get(int offset, int width, int index) {
    return BitStream.get(bytes, offset, width, index);
  }

  /** The chunk that has a list. */
  int chunkOf(int list) {
    if (header.isListPerChunk()) {
      return list;
    }
    int least = 0;
    int most = header.numChunks() - 1;
    // Where chunks have as many lists each, the first guess is right.
    final int guess = (int) ((long) list * header.numChunks() / header.numLists());
    if (firstList(guess) > list) {
      most = guess - 1;
    } else if (firstList(guess + 1) > list) {
      return guess;
    } else {
      least = guess + 1;
    }
    while (least < most) {
      final int chunk = (least + most + 1) >>> 1;
      if (firstList(chunk) <= list) {
        least = chunk;
      } else {
        most = chunk - 1;
      }
    }
    return least;
  }

  /**
   * How many chunks and bytes each form has, by its name.
   *
   * @throws ColumnFormatException if a form is not known
   */
  public Map<String, Share> composition() {
    final Map<String, Share> shares = new TreeMap<>();
    forEachChunk(chunk -> shares.merge(chunk.form(), new Share(1, chunk.bytes()), Share::plus));
    return shares;
  }

  /**
   * Goes through all chunks.
   *
   * @throws ColumnFormatException if a form is not known
   */
  public void forEachChunk(Consumer<ChunkOfLists> consumer) {
    for (int chunk = 0; chunk < header.numChunks(); chunk++) {
      consumer.accept(describe(chunk));
    }
  }

  /**
   * The chunk that has a list.
   *
   * @throws ColumnFormatException if there is none, or its form is not known
   */
  public ChunkOfLists chunk(int list) {
    return describe(chunkOf(list));
  }

  /** A chunk by its number. */
  ChunkOfLists describe(int chunk) {
    final int start = offset(chunk);
    final int length = checkChunk(chunk, start, offset(chunk + 1));
    @Nullable final PostingForm form = PostingForms.byId(buffer.get(chunksOffset + start));
    if (form == null) {
      throw unknownForm(start);
    }
    final int firstList = firstList(chunk);
    return new ChunkOfLists(
        chunk, chunksOffset + start, firstList, firstList(chunk + 1) - firstList, form.name(), length);
  }

  /** Bytes before the first chunk: the header, and where the chunks are. */
  public int tableBytes() {
    return chunksOffset;
  }

  /**
   * A chunk.
   *
   * @param number    counted from 0
   * @param offset    where it starts, in bytes from the start of the header
   * @param firstList the dictionary id of its first list
   * @param numLists  how many lists it has
   * @param form      name of its form
   * @param bytes     its size, with the byte that is the form's id
   */
  public record ChunkOfLists(int number, int offset, int firstList, int numLists, String form, int bytes) {}

  /** Chunks of a form, and their bytes. */
  public record Share(int chunks, long bytes) {
    private Share plus(Share other) {
      return new Share(chunks + other.chunks, bytes + other.bytes);
    }
  }

  /** Checks where a chunk lies, and gives its length. */
  int checkChunk(int chunk, int start, int end) {
    if (start < 0 || end <= start || end > header.chunkBytes()) {
      throw ColumnFormatException.damaged(column, "chunk " + chunk + " of its index goes from byte " + start + " to "
          + end + ", of " + header.chunkBytes());
    }
    return end - start;
  }

  /** The error of an index without lists where there are no ids that could answer for them. */
  public ColumnFormatException withoutIds() {
    return ColumnFormatException.damaged(column, "its index has no lists, though rows have several values");
  }

  /** The error of a row whose id is none of the dictionary's. */
  public ColumnFormatException unknownId(int row, int id) {
    return ColumnFormatException.damaged(column, "row " + row + " has id " + id + ", of " + size());
  }

  ColumnFormatException unknownForm(int start) {
    return ColumnFormatException.newer(
        column,
        "a chunk at offset " + (chunksOffset + start) + " of its index has form " + buffer.get(chunksOffset + start)
            + ", which is not known"
    );
  }
}
