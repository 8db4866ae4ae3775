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

/** Reader of posting lists, for one chunk at a time, in any form. Not thread-safe. */
public final class PostingChunkReader implements ChunkReader {
  private final int numRows;
  private final RawBytes bytes = new RawBytes();
  private final PackedRows packedRows = new PackedRows(bytes);
  private final EliasFanoRows eliasFano = new EliasFanoRows(bytes);
  private int numLists;
  private PostingShape shape;
  /** Reader of inner chunks; created at first use. */
  @Nullable
  private PostingChunkReader inner;

  /**
   * Creates a reader.
   *
   * @param numRows number of rows in the segment
   */
  public PostingChunkReader(int numRows) {
    this.numRows = numRows;
  }

  @Override
  public void startChunk(int numLists) {
    this.numLists = numLists;
    this.shape = null;
  }

  /** Returns the number of lists in the chunk. */
  int numLists() {
    return numLists;
  }

  /** Returns the number of rows in the segment. */
  int numRows() {
    return numRows;
  }

  /** Attaches this reader to a chunk's bytes. */
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

  /** Sets the shape that reads the chunk. */
  void transformTo(PostingShape newShape) {
    shape = newShape;
  }

  /** Returns the shape that reads the chunk. */
  PostingShape shape() {
    return shape;
  }

  /** Returns a reader for the inner chunk, which has as many lists. */
  PostingChunkReader inner() {
    if (inner == null) {
      inner = new PostingChunkReader(numRows);
    }
    inner.startChunk(numLists);
    return inner;
  }

  /** Reads a VByte number and advances the buffer. */
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
   * Adds the rows of some lists to a set.
   *
   * @param from first list of the chunk, inclusive
   * @param to   last list, exclusive
   * @throws MalformedChunkException if the bytes are damaged, so that a row would not be a row of the segment
   */
  public void read(int from, int to, RowSet out) {
    shape.read(from, to, out);
  }

  /** Returns the only list as a bitmap over the chunk's bytes, which needs no decoding; null in other forms. */
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
