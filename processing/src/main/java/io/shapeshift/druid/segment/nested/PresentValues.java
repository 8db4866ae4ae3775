// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.bits.Varint;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * The rows of one field that have a value, with the ids of their values. They are collected in a small buffer. Full
 * buffers go to a file that all fields share, so that memory and temporary space depend on the number of values, not on
 * the number of rows.
 */
final class PresentValues {
  private static final int FIRST_BUFFER = 16;
  private static final int MOST_BUFFERED = 1 << 11;
  private static final int MOST_ENTRY_BYTES = 10;

  private final WriteOutBytes shared;
  private byte[] buffer = new byte[FIRST_BUFFER];
  private int buffered;
  /** Start of each full buffer in the shared file, and the number of its bytes that are in use. */
  private final LongArrayList starts = new LongArrayList(0);
  private final IntArrayList lengths = new IntArrayList(0);
  private int count;
  private int lastRow = -1;

  /**
   * Creates an empty list.
   *
   * @param shared file of all fields
   */
  PresentValues(WriteOutBytes shared) {
    this.shared = shared;
  }

  /**
   * Adds a value.
   *
   * @param row greater than the row before; the second value of one row is ignored
   * @param id  1 or more
   */
  void add(int row, int id) throws IOException {
    if (row == lastRow) {
      return;
    }
    if (buffered > buffer.length - MOST_ENTRY_BYTES) {
      if (buffer.length < MOST_BUFFERED) {
        buffer = Arrays.copyOf(buffer, 2 * buffer.length);
      } else {
        flush();
      }
    }
    buffered = Varint.put(row - lastRow, buffer, buffered);
    buffered = Varint.put(id, buffer, buffered);
    lastRow = row;
    count++;
  }

  private void flush() throws IOException {
    starts.add(shared.size());
    shared.write(buffer, 0, buffered);
    lengths.add(buffered);
    buffered = 0;
  }

  /** Returns the number of rows with a value. */
  int count() {
    return count;
  }

  /** Receiver of rows and ids. */
  @FunctionalInterface
  interface Sink {
    void accept(int row, int id) throws IOException;
  }

  /** Passes on all values, in the order of the rows. */
  void forEach(Sink sink) throws IOException {
    final Cursor cursor = new Cursor(sink);
    final byte[] bytes = starts.isEmpty() ? buffer : new byte[MOST_BUFFERED];
    for (int i = 0; i < starts.size(); i++) {
      final int length = lengths.getInt(i);
      shared.readFully(starts.getLong(i), ByteBuffer.wrap(bytes, 0, length));
      cursor.pass(bytes, length);
    }
    cursor.pass(buffer, buffered);
  }

  private static final class Cursor {
    private final Sink sink;
    private int row = -1;
    private int at;

    private Cursor(Sink sink) {
      this.sink = sink;
    }

    private void pass(byte[] bytes, int length) throws IOException {
      at = 0;
      while (at < length) {
        row += next(bytes);
        sink.accept(row, next(bytes));
      }
    }

    private int next(byte[] bytes) {
      int number = 0;
      for (int shift = 0; ; shift += Varint.BITS) {
        final int next = bytes[at++];
        number |= (next & Varint.MASK) << shift;
        if (next >= 0) {
          return number;
        }
      }
    }
  }
}
