// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Inversion of a column by counting sort: collects the dictionary ids of rows, then returns the rows of each id, id
 * after id.
 *
 * <p>The ids are kept in the medium, with the width of the largest id, until the medium is closed. The heap holds a
 * counter of 4 bytes per id, and the rows of a range of ids. A range has {@value #LEAST_ROWS_ON_HEAP} rows (16 MiB), or
 * a sixteenth of all rows if that is more, or the rows of one id that has more. The heap therefore never holds more
 * than the greatest of 16 MiB, 4 bytes per row of the column, and a quarter of a byte per value if rows have several
 * values. Each range takes one pass over the ids of all rows: five or six passes for 20 million rows with one value
 * each, and at most 33 for any column.
 */
public final class Inversion {
  /** Receiver of the rows of ids. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Receives the rows of the next id.
     *
     * @param rows the rows, from index {@code from} to {@code to}, exclusive, ascending, without duplicates; must not
     *     be kept or changed
     */
    void accept(int[] rows, int from, int to) throws IOException;
  }

  private static final int LEAST_ROWS_ON_HEAP = 1 << 22;
  private static final int MOST_RANGES = 16;
  private static final int BUFFER_SIZE = 1 << 14;
  /** First size of the buffer in bytes; small, because a segment may have thousands of columns with few rows. */
  private static final int FIRST_BUFFER_SIZE = 1 << 8;

  private final int leastRowsOnHeap;
  /** Marker before and after the ids of a row that does not have exactly one id. */
  private final int mark;
  private final int bytesPerEntry;
  private final WriteOutBytes entries;
  /** Bytes that are not yet written to the medium. */
  private ByteBuffer buffer;
  /** Number of rows of each id. */
  private final int[] counts;
  /** Ids of a row with several ids. */
  private int[] idsOfRow = new int[8];

  /**
   * Creates an inversion without rows.
   *
   * @param medium keeps the ids of all rows
   * @param numIds number of ids; ids are less than it
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

  /** Adds a row with any number of ids, in any order; duplicates count once. */
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

  /** Adds a row with the first {@code size} of some ids, in any order, without duplicates. */
  public void addDistinct(int[] ids, int size) throws IOException {
    write(mark);
    for (int i = 0; i < size; i++) {
      add(ids[i]);
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
   * Passes the rows of each id to the sink, from id 0; an id without rows has an empty list. No rows can be added
   * afterwards.
   */
  public void forEachId(Sink sink) throws IOException {
    forEachId(counts.length, sink);
  }

  /** Passes the rows of the first {@code numIds} ids to the sink, like {@link #forEachId(Sink)}. */
  public void forEachId(int numIds, Sink sink) throws IOException {
    writeBuffer();
    long all = 0;
    for (int count : counts) {
      all += count;
    }
    final long maxRowsOnHeap = Math.max(leastRowsOnHeap, all / MOST_RANGES);
    int[] rows = new int[0];
    for (int from = 0, to; from < numIds; from = to) {
      long numRows = counts[from];
      for (to = from + 1; to < numIds && numRows + counts[to] <= maxRowsOnHeap; to++) {
        numRows += counts[to];
      }
      if (rows.length < numRows) {
        rows = new int[Math.toIntExact(numRows)];
      }
      place(from, to, rows);
      int start = 0;
      for (int id = from; id < to; id++) {
        final int end = counts[id];
        counts[id] = end - start;
        sink.accept(rows, start, end);
        start = end;
      }
    }
  }

  /** Sorts the rows of a range of ids by id; afterwards each id's counter is the end of its rows. */
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
