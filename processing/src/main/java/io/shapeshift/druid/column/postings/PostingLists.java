// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.postings.PostingForm;
import io.shapeshift.druid.form.postings.PostingForms;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import javax.annotation.Nullable;

/** Posting lists of a column in a segment. Thread-safe; a {@link #reader} is for one thread. */
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
   * Reads the lists' header and advances the buffer past the lists.
   *
   * @param column name of the column, for messages
   * @param buffer in any byte order
   * @param numIds number of dictionary ids of the column; each has a list
   * @param numRows number of rows in the column
   * @throws ColumnFormatException if the version is unknown, or the header contradicts itself, the buffer, the number
   *     of ids or the number of rows
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
   * Reads the lists' header and advances the buffer past the lists.
   *
   * @param column name of the column, for messages
   * @param buffer in any byte order
   * @throws ColumnFormatException if the version is unknown, or the header contradicts itself or the buffer
   */
  public static PostingLists read(String column, ByteBuffer buffer) {
    final ByteBuffer bytes = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    final PostingListsHeader header = PostingListsHeader.read(column, bytes);
    final int size = Math.toIntExact(header.size());
    buffer.position(buffer.position() + size);
    return new PostingLists(column, header, bytes.slice(0, size).order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Returns an index without lists, for a column whose rows are found by a scan of its ids. */
  public static PostingLists none(String column, int numIds, int numRows) {
    return read(column, PostingListsHeader.withoutLists(numRows, numIds).toBytes());
  }

  /** Returns the name of the column, for messages. */
  String column() {
    return column;
  }

  /** Returns whether there are lists; otherwise rows are found by a scan of the column's ids. */
  public boolean hasLists() {
    return header.hasLists();
  }

  /** Returns the number of lists, or of dictionary ids if there are no lists. */
  public int size() {
    return header.numLists();
  }

  /** Returns the number of rows in the segment. */
  public int numRows() {
    return header.numRows();
  }

  /** Returns the size of the index in bytes. */
  public long sizeInBytes() {
    return header.size();
  }

  /**
   * Returns a reader of the lists.
   *
   * @throws ColumnFormatException if lists are in an encoding of another jar that is not installed
   */
  public PostingListsReader reader() {
    final List<String> missing =
        header.added().names().stream().filter(name -> PostingForms.added(name) == null).toList();
    if (!missing.isEmpty()) {
      throw ColumnFormatException.missing(column, missing);
    }
    return new PostingListsReader(this, buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Returns the number of chunks. */
  int numChunks() {
    return header.numChunks();
  }

  /** Returns the start of a chunk, relative to the first chunk; for the number of chunks, the end of the last. */
  int offset(int chunk) {
    return chunk == header.numChunks() ? header.chunkBytes() : get(offsetsOffset, header.offsetWidth(), chunk);
  }

  /** Returns the index in the buffer of the first chunk. */
  int chunksOffset() {
    return chunksOffset;
  }

  /** Returns the first list of a chunk; for the number of chunks, the number of lists. */
  int firstList(int chunk) {
    if (chunk == header.numChunks()) {
      return header.numLists();
    }
    return header.isListPerChunk() ? chunk : get(firstListsOffset, header.firstListWidth(), chunk);
  }

  private int get(int offset, int width, int index) {
    return BitStream.get(bytes, offset, width, index);
  }

  /** Returns the chunk with a list. */
  int chunkOf(int list) {
    if (header.isListPerChunk()) {
      return list;
    }
    int least = 0;
    int most = header.numChunks() - 1;
    // If all chunks have the same number of lists, the first guess is right.
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
   * Returns the number of chunks and bytes of each form, by name.
   *
   * @throws ColumnFormatException if a form is unknown
   */
  public Map<String, Share> composition() {
    final Map<String, Share> shares = new TreeMap<>();
    forEachChunk(chunk -> shares.merge(chunk.form(), new Share(1, chunk.bytes()), Share::plus));
    return shares;
  }

  /**
   * Passes all chunks to a consumer.
   *
   * @throws ColumnFormatException if a form is unknown
   */
  public void forEachChunk(Consumer<ChunkOfLists> consumer) {
    for (int chunk = 0; chunk < header.numChunks(); chunk++) {
      consumer.accept(describe(chunk));
    }
  }

  /**
   * Returns the chunk with a list.
   *
   * @throws ColumnFormatException if there is none, or its form is unknown
   */
  public ChunkOfLists chunk(int list) {
    return describe(chunkOf(list));
  }

  /** Describes a chunk by its number. */
  ChunkOfLists describe(int chunk) {
    final int start = offset(chunk);
    final int length = checkChunk(chunk, start, offset(chunk + 1));
    final byte id = buffer.get(chunksOffset + start);
    @Nullable final String encoding = header.added().name(id);
    final String form = encoding == null ? form(id, start).name() : encoding;
    final int firstList = firstList(chunk);
    return new ChunkOfLists(
        chunk, chunksOffset + start, firstList, firstList(chunk + 1) - firstList, form, length);
  }

  /**
   * Returns the form with an id.
   *
   * @param start start of a chunk in this form, relative to the first chunk
   * @throws ColumnFormatException if the form is unknown
   */
  PostingForm form(byte id, int start) {
    @Nullable final PostingForm form = PostingForms.byId(id);
    return form == null ? addedForm(id, start) : form;
  }

  private PostingForm addedForm(byte id, int start) {
    @Nullable final String encoding = header.added().name(id);
    @Nullable final PostingForm form = encoding == null ? null : PostingForms.added(encoding);
    if (form == null) {
      throw unknownForm(start);
    }
    return form;
  }

  /** Returns the number of bytes before the first chunk: the header and the chunk table. */
  public int tableBytes() {
    return chunksOffset;
  }

  /**
   * Position and form of a chunk.
   *
   * @param number    number of the chunk, counted from 0
   * @param offset    offset of the chunk, in bytes from the start of the header
   * @param firstList dictionary id of the first list
   * @param numLists  number of lists
   * @param form      name of the form
   * @param bytes     size of the chunk, including the form id
   */
  public record ChunkOfLists(int number, int offset, int firstList, int numLists, String form, int bytes) {}

  /** Number of chunks of a form, and their bytes. */
  public record Share(int chunks, long bytes) {
    private Share plus(Share other) {
      return new Share(chunks + other.chunks, bytes + other.bytes);
    }
  }

  /** Checks the bounds of a chunk, and returns its length. */
  int checkChunk(int chunk, int start, int end) {
    if (start < 0 || end <= start || end > header.chunkBytes()) {
      throw ColumnFormatException.damaged(column, "chunk " + chunk + " of its index goes from byte " + start + " to "
          + end + ", of " + header.chunkBytes());
    }
    return end - start;
  }

  /** Creates the exception for an index without lists in a column without ids. */
  public ColumnFormatException withoutIds() {
    return ColumnFormatException.damaged(column, "its index has no lists, though rows have several values");
  }

  /** Creates the exception for a row whose id is not in the dictionary. */
  public ColumnFormatException unknownId(int row, int id) {
    return ColumnFormatException.damaged(column, "row " + row + " has id " + id + ", of " + size());
  }

  private ColumnFormatException unknownForm(int start) {
    return ColumnFormatException.newer(
        column,
        "a chunk at offset " + (chunksOffset + start) + " of its index has form " + buffer.get(chunksOffset + start)
            + ", which is not known"
    );
  }
}
