// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.VByte;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/** Reads the posting lists of one chunk at a time, whatever its form. For one thread. */
public final class PostingChunkReader implements ChunkReader {
  private final int numRows;
  private final RawBytes bytes = new RawBytes();
  private final PackedRows packedRows = new PackedRows(bytes);
  private final EliasFanoRows eliasFano = new EliasFanoRows(bytes);
  private int numLists;
  private Lists lists;
  /** Of forms whose chunks hold another; made when first needed. */
  @Nullable
  private PostingChunkReader inner;

  /**
   * Makes a reader.
   *
   * @param numRows rows of the segment
   */
  public PostingChunkReader(int numRows) {
    this.numRows = numRows;
  }

  /** The lists of a chunk, as its form reads them. */
  interface Lists {
    /**
     * Adds the rows of some lists.
     *
     * @param from the first list
     * @param to   end, exclusive
     */
    void read(int from, int to, RowSet out);

    /** The only list as a bitmap that lies in the chunk; null if it does not. */
    @Nullable
    default ImmutableRoaringBitmap bitmap() {
      return null;
    }
  }

  @Override
  public void startChunk(int numLists) {
    this.numLists = numLists;
    this.lists = null;
  }

  /** How many lists the chunk has. */
  int numLists() {
    return numLists;
  }

  /** Rows of the segment. */
  int numRows() {
    return numRows;
  }

  /** The chunk's bytes, from now on. */
  RawBytes wrap(ByteBuffer chunk) {
    bytes.wrap(chunk);
    return bytes;
  }

  PackedRows packedRows() {
    return packedRows;
  }

  EliasFanoRows eliasFano() {
    return eliasFano;
  }

  /** Reads these lists from now on. */
  void become(Lists lists) {
    this.lists = lists;
  }

  /**
   * Reads a chunk that a form holds in its own.
   *
   * @return its lists
   * @throws MalformedChunkException if it is of no form that is known, or of another one than these hold
   */
  RowLists transformInner(ByteBuffer chunk, int offset, int length) {
    if (length < 1) {
      throw new MalformedChunkException("A chunk within a chunk has no bytes");
    }
    final PostingForm form = PostingForms.byId(chunk.get(offset));
    if (form == null) {
      throw MalformedChunkException.newer(
          "A chunk within a chunk has form " + chunk.get(offset) + ", which this druid-shapeshift does not know");
    }
    if (form != PostingForms.PACKED_ROWS && form != PostingForms.ELIAS_FANO) {
      throw new MalformedChunkException("A chunk within a chunk has form " + chunk.get(offset) + ", expected "
          + PostingForms.PACKED_ROWS.id() + " or " + PostingForms.ELIAS_FANO.id());
    }
    if (inner == null) {
      inner = new PostingChunkReader(numRows);
    }
    inner.startChunk(numLists);
    form.transform(chunk, offset, length, inner);
    return (RowLists) inner.lists;
  }

  /** Takes a number from the buffer. */
  static int readInt(ByteBuffer in) {
    try {
      final int value = VByte.readInt(in);
      if (value >= 0) {
        return value;
      }
    } catch (BufferUnderflowException e) {
      throw new MalformedChunkException("The chunk ends within a number", e);
    }
    throw new MalformedChunkException("A number is negative");
  }

  /**
   * Adds the rows of some lists.
   *
   * @param from the first list of the chunk that counts
   * @param to   end, exclusive
   * @throws MalformedChunkException if the bytes are damaged so that rows would not be rows of the segment
   */
  public void read(int from, int to, RowSet out) {
    lists.read(from, to, out);
  }

  /** The only list as a bitmap that lies in the chunk, so that nothing needs decoding; null if it does not. */
  @Nullable
  public ImmutableRoaringBitmap bitmap() {
    return lists.bitmap();
  }

  @Override
  public void close() {
    bytes.release();
    lists = null;
    if (inner != null) {
      inner.close();
    }
  }
}
