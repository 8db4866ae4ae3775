// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Collects the dictionary ids of rows, row after row, and then hands over the rows of each id, id after id: a counting
 * sort.
 *
 * <p>The ids are kept in the medium, in as many bytes as the largest takes, until the medium is closed. The heap has a
 * counter of 4 bytes for each id, and the rows of some ids at a time: as many ids as have {@value #LEAST_ROWS_ON_HEAP}
 * rows (16 MiB) or a sixteenth of all rows together, or one id that has more of them. So it never has more than 16 MiB
 * or 4 bytes for each row of the column, whichever is more, or a quarter of a byte for each value of rows with several.
 * The ids are read once for each such range of them: a column of 20 million rows with one value each takes five or six
 * passes, and no column more than 33. A pass takes time in proportion to the ids of all rows.
 */
public final class Inversion {
  /** Takes the rows of one id. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes the rows of the next id.
     *
     * @param rows has them from one position to before another, ascending, each once; not to be kept or changed
     */
    void accept(int[] rows, int from, int to) throws IOException;
  }

  private static final int LEAST_ROWS_ON_HEAP = 1 << 22;
  private static final int MOST_RANGES = 16;
  private static final int BUFFER_SIZE = 1 << 14;
  /** Of a column of few rows, as a segment may have thousands of them. */
  private static final int FIRST_BUFFER_SIZE = 1 << 8;

  private final int leastRowsOnHeap;
  /** Stands before and after the ids of a row that has none or several; rows with one have nothing but the id. */
  private final int mark;
  private final int bytesPerEntry;
  private final WriteOutBytes entries;
  /** Those that were not written to the medium yet. */
  private ByteBuffer buffer;
  /** How many rows each id has. */
  private final int[] counts;
  /** The ids of a row with several. */
  private int[] idsOfRow = new int[8];

  /**
   * Makes one that has no rows yet.
   *
   * @param medium keeps the ids of all rows
   * @param numIds the ids are from 0 to below this
   */
  public Inversion(SegmentWriteOutMedium medium, int numIds) throws IOException {
    this(medium, numIds, LEAST_ROWS_ON_HEAP);
  }

  Inversion(SegmentWriteOutMedium medium, int numIds, int leastRowsOnHeap) throws IOException {
    this.leastRowsOnHeap = leastRowsOnHeap;
    this.mark = numIds;
    this.bytesPerEntry = (Integer.SIZE - Integer.numberOfLeadingZeros(mark | 1) + Byte.SIZE - 1) / Byte.SIZE;
    this.entries = medium.makeWriteOutBytes();
    this.buffer = ByteBuffer.allocate(bufferSize(FIRST_BUFFER_SIZE));
    this.counts = new int[numIds];
  }

  private int bufferSize(int most) {
    return most / bytesPerEntry * bytesPerEntry;
  }

  /** Adds a row with one id. */
  public void add(int id) throws IOException {
    counts[id]++;
    write(id);
  }

  /** Adds a row with any number of ids, in any order. What it has more than once counts once. */
  public void add(IndexedInts ids) throws IOException {
    final int size = ids.size();
    if (size == 1) {
      add(ids.get(0));
      return;
    }
    if (size > idsOfRow.length) {
      idsOfRow = new int[Math.max(size, 2 * idsOfRow.length)];
    }
    for (int i = 0; i < size; i++) {
      idsOfRow[i] = ids.get(i);
    }
    Arrays.sort(idsOfRow, 0, size);
    write(mark);
    for (int i = 0; i < size; i++) {
      if (i == 0 || idsOfRow[i] != idsOfRow[i - 1]) {
        add(idsOfRow[i]);
      }
    }
    write(mark);
  }

  private void write(int entry) throws IOException {
    if (!buffer.hasRemaining()) {
      writeBuffer();
      if (buffer.capacity() <= FIRST_BUFFER_SIZE) {
        buffer = ByteBuffer.allocate(bufferSize(BUFFER_SIZE));
      }
    }
    for (int shift = (bytesPerEntry - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      buffer.put((byte) (entry >>> shift));
    }
  }

  private void writeBuffer() throws IOException {
    entries.write(buffer.flip());
    buffer.clear();
  }

  /**
   * Hands over the rows of each id, beginning with id 0; an id that no row has gets an empty list. To be called once,
   * when all rows were added.
   */
  public void forEachId(Sink sink) throws IOException {
    writeBuffer();
    long all = 0;
    for (int count : counts) {
      all += count;
    }
    final long maxRowsOnHeap = Math.max(leastRowsOnHeap, all / MOST_RANGES);
    int[] rows = new int[0];
    for (int from = 0, to; from < counts.length; from = to) {
      long numRows = counts[from];
      for (to = from + 1; to < counts.length && numRows + counts[to] <= maxRowsOnHeap; to++) {
        numRows += counts[to];
      }
      if (rows.length < numRows) {
        rows = new int[Math.toIntExact(numRows)];
      }
      place(from, to, rows);
      int start = 0;
      for (int id = from; id < to; id++) {
        sink.accept(rows, start, counts[id]);
        start = counts[id];
      }
    }
  }

  /** Sorts the rows of a range of ids by id. Afterwards the id's counter says where its rows end. */
  private void place(int from, int to, int[] rows) throws IOException {
    int start = 0;
    for (int id = from; id < to; id++) {
      final int count = counts[id];
      counts[id] = start;
      start += count;
    }
    final ByteBuffer read = ByteBuffer.allocate(bufferSize(BUFFER_SIZE));
    int row = 0;
    boolean isOneOfSeveral = false;
    for (long position = 0; position < entries.size(); position += read.limit()) {
      read.clear().limit((int) Math.min(read.capacity(), entries.size() - position));
      entries.readFully(position, read);
      final byte[] bytes = read.array();
      for (int i = 0; i < read.limit(); ) {
        int entry = 0;
        for (final int end = i + bytesPerEntry; i < end; i++) {
          entry = (entry << Byte.SIZE) | (bytes[i] & 0xFF);
        }
        if (entry >= from && entry < to) {
          rows[counts[entry]++] = row;
        }
        if (entry == mark) {
          isOneOfSeveral = !isOneOfSeveral;
        }
        if (!isOneOfSeveral) {
          row++;
        }
      }
    }
  }
}
