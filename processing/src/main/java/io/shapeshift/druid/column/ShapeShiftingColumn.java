// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.numbers.FilterFailure;
import io.shapeshift.druid.metrics.Totals;
import io.shapeshift.druid.rows.RowSet;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reader of a column in which each chunk has its own form. For each chunk, the decoder of its form transforms a single
 * chunk reader (Druid PR #6016). As with stock columns, an object is used by one thread, and each thread has its own.
 * Creating an object allocates no buffers.
 *
 * @param <R> type of the chunk reader
 */
public abstract class ShapeShiftingColumn<R extends ChunkReader> implements Closeable {
  /** Values that are read at a time when rows are read one by one. */
  protected static final int WINDOW = 512;

  /** Reader of the current chunk. */
  protected final R reader;
  /** Position in the column of the current chunk's first value. */
  protected int chunkStart;
  /** Number of values in the current chunk; 0 if there is none, so that no position is within it. */
  protected int chunkLength;
  /** Position in the column of the first value of the vector decoded last. */
  protected int windowStart;
  /** Number of values in that vector; 0 if there is none. */
  protected int windowLength;

  private final ColumnData<R> data;
  private final ByteBuffer view;
  private final ColumnData.BlockRange blocks = new ColumnData.BlockRange();
  private final int numValues;
  private final int logValuesPerBlock;
  /** First and last position of the last read, which is one value or a vector. */
  private int lastStart;
  private int lastEnd;
  /** {@link ChunkReader#near} of the current chunk. */
  private int near;
  private int nearInARow;
  /** Number of chunks loaded since {@link #close} last added them to the process's counter. */
  private int chunksLoaded;

  protected ShapeShiftingColumn(ColumnData<R> data, R reader) {
    this.data = data;
    this.reader = reader;
    this.view = data.newView();
    this.numValues = data.header().numValues();
    this.logValuesPerBlock = data.header().logValuesPerBlock();
  }

  /** Returns the number of values in the column. */
  public final int size() {
    return numValues;
  }

  /**
   * Makes the chunk with a position the current chunk.
   *
   * @throws ColumnFormatException if the chunk does not match the header, or the position is not in the column. Druid
   *     reads only rows of the segment, so in the second case the number of values is damaged
   */
  protected final void loadChunkOf(int position) {
    // Compared as unsigned ints, so that one comparison covers positions before and after the chunk.
    if (Integer.compareUnsigned(position - chunkStart, chunkLength) < 0) {
      return;
    }
    if (position < 0 || position >= numValues) {
      throw data.missing(position);
    }
    chunkLength = 0;
    data.findChunk(position >> logValuesPerBlock, blocks);
    final int length = data.transform(blocks, view, reader);
    chunkStart = blocks.first << logValuesPerBlock;
    chunkLength = length;
    near = reader.near();
    chunksLoaded++;
  }

  /**
   * Makes the chunk with a position the current chunk, and returns whether to decode the position's whole vector. This
   * is so after several reads near each other, in any order. The vector decoded before is then dropped.
   */
  protected final boolean isVectorWanted(int position) {
    loadChunkOf(position);
    final int distance = position < lastStart ? lastStart - position : position - lastEnd;
    // Repeated reads of the same row do not indicate which row comes next.
    if (distance > 0) {
      lastStart = position;
      lastEnd = position;
      nearInARow = distance <= near ? nearInARow + 1 : 0;
    }
    if (nearInARow < CostModel.Reads.NEAR_IN_A_ROW) {
      return false;
    }
    windowLength = 0;
    return true;
  }

  /** Returns the first position of the vector with a position of the current chunk. */
  protected final int vectorStart(int position) {
    return chunkStart + (position - chunkStart & -WINDOW);
  }

  /** Returns the number of values in the vector of the current chunk that starts at a position. */
  protected final int vectorLength(int start) {
    return Math.min(WINDOW, chunkStart + chunkLength - start);
  }

  /** Records the vector that was decoded. */
  protected final void startWindow(int start, int length) {
    windowStart = start;
    windowLength = length;
    lastStart = start;
    lastEnd = start + length - 1;
  }

  /**
   * Creates the exception for a failure of the current chunk's reader. Positions are checked before a read, so a
   * failure means damage, unless the reader called a filter's predicate and that failed. The chunk is dropped, so that
   * the next read loads it again.
   */
  protected final RuntimeException damaged(RuntimeException e) {
    chunkLength = 0;
    return e instanceof FilterFailure ? e : data.damaged(blocks, e);
  }

  /** Returns whether each position is one more than the one before, as in a read without gaps. */
  protected static boolean isContiguous(int[] positions, int length) {
    if (length < 2 || positions[length - 1] - positions[0] != length - 1) {
      return false;
    }
    final int first = positions[0];
    int different = 0;
    for (int i = 0; i < length; i++) {
      different |= (positions[i] - i) ^ first;
    }
    return different == 0;
  }

  /** Returns the index of the first position outside the current chunk; the position at {@code from} is inside. */
  protected final int endInChunk(int[] positions, int from, int length) {
    final int start = chunkStart;
    final int count = chunkLength;
    int outside = 0;
    for (int i = from; i < length; i++) {
      outside |= (positions[i] - start) | (start + count - 1 - positions[i]);
    }
    if (outside >= 0) {
      // Usually all positions are inside, which a loop without a branch finds faster.
      return length;
    }
    int to = from + 1;
    while (to < length && Integer.compareUnsigned(positions[to] - start, count) < 0) {
      to++;
    }
    return to;
  }

  /**
   * Returns the chunks that must be decoded completely before any of their values can be read. There is no current
   * chunk afterwards.
   *
   * @throws ColumnFormatException if the first bytes of a chunk are damaged
   */
  public final ColumnData.DecodedWhole decodedWhole() {
    chunkLength = 0;
    return data.decodedWhole(reader);
  }

  /** Filter on the values of the current chunk. */
  @FunctionalInterface
  protected interface ChunkFilter {
    /**
     * Finds the matching values.
     *
     * @param out bits of the chunk's values, all zero; those of matching values are set, if some but not all values
     *     match
     */
    Found find(long[] out);
  }

  /**
   * Finds rows of the column, chunk by chunk.
   *
   * @param from a row of the first chunk to search
   * @param to   end of the rows to search, exclusive; later rows of the same chunk are found too
   * @param out  receives the rows; has the column's number of rows
   * @throws ColumnFormatException if a chunk is damaged
   * @throws FilterFailure if the filter's predicate fails
   */
  protected final void find(ChunkFilter filter, int from, int to, RowSet out) {
    long[] found = new long[0];
    for (int row = from; row < to; row = chunkStart + chunkLength) {
      loadChunkOf(row);
      final int words = (chunkLength + Long.SIZE - 1) / Long.SIZE;
      if (found.length < words) {
        found = new long[words];
      }
      final Found which;
      try {
        which = filter.find(found);
      } catch (RuntimeException e) {
        throw damaged(e);
      }
      if (which == Found.ALL) {
        out.addRun(chunkStart, chunkStart + chunkLength);
      } else if (which == Found.SOME) {
        out.addBits(found, words, chunkStart);
        Arrays.fill(found, 0, words, 0);
      }
    }
  }

  /** Returns all buffers and arrays to their pools. The column may be read again, and then borrows new ones. */
  @Override
  public void close() {
    chunkLength = 0;
    if (chunksLoaded > 0) {
      Totals.chunksRead(chunksLoaded, reader.takeDecodedWhole());
      chunksLoaded = 0;
    }
    reader.close();
  }
}
