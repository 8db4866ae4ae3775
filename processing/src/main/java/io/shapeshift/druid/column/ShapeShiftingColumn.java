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
 * Reads a column whose chunks each have a form of their own, by letting the decoder of each chunk's form transform
 * one chunk reader (Druid PR #6016). Like Druid's own columns an object of this class serves one thread; a column is
 * read by any number of them, each with an object of its own. Making one allocates no buffers.
 *
 * @param <R> the chunk reader
 */
public abstract class ShapeShiftingColumn<R extends ChunkReader> implements Closeable {
  /** Values that are read at once when rows are read one by one. */
  protected static final int WINDOW = 512;

  /** Reads the current chunk. */
  protected final R reader;
  /** Position in the column of the current chunk's first value. */
  protected int chunkStart;
  /** Number of values in the current chunk; 0 while there is none, so that no position is within it. */
  protected int chunkLength;
  /** Position in the column of the first value of the vector that was decoded last. */
  protected int windowStart;
  /** Number of values in that vector; 0 while there is none. */
  protected int windowLength;

  private final ColumnData<R> data;
  private final ByteBuffer view;
  private final ColumnData.BlockRange blocks = new ColumnData.BlockRange();
  private final int numValues;
  private final int logValuesPerBlock;
  /** The first and the last position of what was read last: one value, or a vector. */
  private int lastStart;
  private int lastEnd;
  /** {@link ChunkReader#near} of the current chunk. */
  private int near;
  private int nearInARow;
  /** How many chunks were loaded, until {@link #close} adds them to those of the process. */
  private int chunksLoaded;

  protected ShapeShiftingColumn(ColumnData<R> data, R reader) {
    this.data = data;
    this.reader = reader;
    this.view = data.newView();
    this.numValues = data.header().numValues();
    this.logValuesPerBlock = data.header().logValuesPerBlock();
  }

  /** Number of values in the column. */
  public final int size() {
    return numValues;
  }

  /**
   * Makes the chunk that holds a position the current one.
   *
   * @throws ColumnFormatException if the chunk is not what the header says of it, or the column has no such position:
   *     Druid asks for rows of the segment only, so that it is the number of values that is damaged then
   */
  protected final void loadChunkOf(int position) {
    // Unsigned, so that a position before the chunk is as far out as one behind it.
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
   * Makes the chunk that holds a position the current one, and tells whether to decode the vector that the position is
   * in: the last reads were near each other, in whichever order. If so, the vector that was decoded before is dropped.
   */
  protected final boolean isVectorWanted(int position) {
    loadChunkOf(position);
    final int distance = position < lastStart ? lastStart - position : position - lastEnd;
    // A row that several ask for one after the other does not tell which comes next.
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

  /** The first position of the vector that holds a position of the current chunk. */
  protected final int vectorStart(int position) {
    return chunkStart + (position - chunkStart & -WINDOW);
  }

  /** The number of values in the vector of the current chunk that starts at a position. */
  protected final int vectorLength(int start) {
    return Math.min(WINDOW, chunkStart + chunkLength - start);
  }

  /** Records that a vector was decoded. */
  protected final void startWindow(int start, int length) {
    windowStart = start;
    windowLength = length;
    lastStart = start;
    lastEnd = start + length - 1;
  }

  /**
   * Makes the exception to throw when the current chunk's reader has failed. That means damage, as positions are
   * checked to be in the chunk before it is read, unless the test of a filter has failed, which the reader asked. The
   * chunk is no longer the current one, so that the next read loads it anew.
   */
  protected final RuntimeException damaged(RuntimeException e) {
    chunkLength = 0;
    return e instanceof FilterFailure ? e : data.damaged(blocks, e);
  }

  /** Whether each position is one more than the one before, as all are where no row is left out. */
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

  /** The first of some positions that is not in the current chunk, in which that at {@code from} is. */
  protected final int endInChunk(int[] positions, int from, int length) {
    final int start = chunkStart;
    final int count = chunkLength;
    int outside = 0;
    for (int i = from; i < length; i++) {
      outside |= (positions[i] - start) | (start + count - 1 - positions[i]);
    }
    if (outside >= 0) {
      // As a rule they all are in it, which a loop without a branch tells sooner.
      return length;
    }
    int to = from + 1;
    while (to < length && Integer.compareUnsigned(positions[to] - start, count) < 0) {
      to++;
    }
    return to;
  }

  /**
   * What of the column is decoded whole before any of it is read. No chunk is the current one afterwards.
   *
   * @throws ColumnFormatException if the head of a chunk is damaged
   */
  public final ColumnData.DecodedWhole decodedWhole() {
    chunkLength = 0;
    return data.decodedWhole(reader);
  }

  /** Finds values of the current chunk. */
  @FunctionalInterface
  protected interface ChunkFilter {
    /**
     * Finds values.
     *
     * @param out a bit for each value of the chunk, cleared; afterwards those of what was found are set, if that is
     *     neither all nor nothing
     */
    Found find(long[] out);
  }

  /**
   * Finds rows of the column, chunk by chunk.
   *
   * @param from a row of the first chunk that is searched
   * @param to   end of the rows that are searched, exclusive; of the last chunk those behind it are found as well
   * @param out  receives them; of as many rows as the column has
   * @throws ColumnFormatException if a chunk is damaged
   * @throws FilterFailure if the filter's own test fails
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

  /** Gives back all buffers and arrays; the column may be read again, and then takes new ones. */
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
