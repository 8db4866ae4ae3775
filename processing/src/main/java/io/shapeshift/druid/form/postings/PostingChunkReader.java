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
  private PostingShape shape;
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

  @Override
  public void startChunk(int numLists) {
    this.numLists = numLists;
    this.shape = null;
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

  /** Reads through this shape from now on. */
  void transformTo(PostingShape newShape) {
    shape = newShape;
  }

  /** The shape through which the chunk is read. */
  PostingShape shape() {
    return shape;
  }

  /** A reader of a chunk, with as many lists, that a form holds in its own. */
  PostingChunkReader inner() {
    if (inner == null) {
      inner = new PostingChunkReader(numRows);
    }
    inner.startChunk(numLists);
    return inner;
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
    shape.read(from, to, out);
  }

  /** The only list as a bitmap that lies in the chunk, so that nothing needs decoding; null if it does not. */
  @Nullable
  public ImmutableRoaringBitmap bitmap() {
    return shape.bitmap();
  }

  @Override
  public void close() {
    bytes.release();
    shape = null;
    if (inner != null) {
      inner.close();
    }
  }
}
