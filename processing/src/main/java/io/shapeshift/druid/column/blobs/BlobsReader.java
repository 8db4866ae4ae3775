// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.rows.RowSet;
import java.io.Closeable;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/** Reader of a column of byte strings, for one thread. */
public final class BlobsReader implements Closeable {
  private final Blobs blobs;
  private final BlobSection.Reader[] readers;
  /** The section read last, and the positions of its values. */
  private int section = -1;
  private int start;
  private int end;

  BlobsReader(Blobs blobs) {
    this.blobs = blobs;
    this.readers = new BlobSection.Reader[blobs.sections().size()];
  }

  /** Returns the name of the column, for messages. */
  public String column() {
    return blobs.column();
  }

  /** Returns the number of values, including nulls. */
  public int size() {
    return blobs.size();
  }

  /**
   * Returns a value, from the buffer's position to its limit; null if it is null. The buffer is big-endian. It is the
   * caller's, who may change its position, limit and order, until the next value is read.
   *
   * @param index  position of the value
   * @param isKept whether the bytes must stay as they are when another value is read; then the buffer is new
   * @throws ColumnFormatException if the value is damaged, or there is none at the position: Druid reads only rows of
   *     the segment
   */
  @Nullable
  public ByteBuffer get(int index, boolean isKept) {
    if (index < start || index >= end) {
      seek(index);
    }
    try {
      return readers[section].get(index - start, isKept);
    } catch (RuntimeException e) {
      throw damaged(index, e);
    }
  }

  private ColumnFormatException damaged(int index, RuntimeException e) {
    return ColumnFormatException.notRead(
        blobs.column(), "value " + index + ", in form " + blobs.sections().get(section).description() + ": ", e);
  }

  private void seek(int index) {
    if (index < 0 || index >= size()) {
      throw ColumnFormatException.damaged(blobs.column(), "row " + index + " has no value, of " + size());
    }
    int least = 0;
    int most = readers.length - 1;
    while (least < most) {
      final int middle = (least + most + 1) >>> 1;
      if (blobs.start(middle) <= index) {
        least = middle;
      } else {
        most = middle - 1;
      }
    }
    open(least);
  }

  private void open(int number) {
    if (section >= 0 && section != number) {
      // Buffers of a section are freed, because values are mostly read in order.
      readers[section].close();
    }
    end = 0;
    start = 0;
    section = -1;
    if (readers[number] == null) {
      readers[number] = blobs.sections().get(number).reader();
    }
    section = number;
    start = blobs.start(number);
    end = blobs.start(number + 1);
  }

  void addNulls(RowSet out) {
    for (int number = 0; number < readers.length; number++) {
      open(number);
      try {
        readers[number].addNulls(start, out);
      } catch (RuntimeException e) {
        throw damaged(start, e);
      }
    }
  }

  /** Returns all buffers to their pools. The column may be read again, and then borrows new ones. */
  @Override
  public void close() {
    for (BlobSection.Reader reader : readers) {
      if (reader != null) {
        reader.close();
      }
    }
  }
}
