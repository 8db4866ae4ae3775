// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.bits.Varint;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import javax.annotation.Nullable;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Byte strings in a medium, written once, and then read in order any number of times. Before each is a number, from
 * which the reader knows its length. Not thread-safe.
 */
public final class Spill {
  private static final int BUFFER_SIZE = 1 << 16;
  private static final int MOST_NUMBER_BYTES = 5;

  private final WriteOutBytes out;
  /** Buffer of what is added; null unless that happens, because a segment may have thousands of columns. */
  @Nullable
  private byte[] buffer;
  private int buffered;

  /** Creates a spill that writes to {@code out}. */
  public Spill(WriteOutBytes out) {
    this.out = out;
  }

  /**
   * Adds a byte string.
   *
   * @param number 0 or more
   * @param length 0 or more
   */
  public void add(int number, byte[] bytes, int offset, int length) throws IOException {
    if (buffer == null) {
      buffer = new byte[BUFFER_SIZE];
    } else if (buffered > BUFFER_SIZE - MOST_NUMBER_BYTES) {
      flush();
    }
    buffered = Varint.put(number, buffer, buffered);
    if (length <= BUFFER_SIZE - buffered) {
      System.arraycopy(bytes, offset, buffer, buffered, length);
      buffered += length;
    } else {
      flush();
      out.write(bytes, offset, length);
    }
  }

  private void flush() throws IOException {
    out.write(buffer, 0, buffered);
    buffered = 0;
  }

  /** Ends the adding, and frees the buffer. */
  public void complete() throws IOException {
    if (buffer != null) {
      flush();
      buffer = null;
    }
  }

  /** Returns a reader from the first byte string on. */
  public Reader reader() throws IOException {
    return new Reader(new BufferedInputStream(out.asInputStream(), BUFFER_SIZE));
  }

  /** Reader of numbers and byte strings, in turns. It holds a file open until it is closed, if there are many bytes. */
  public static final class Reader implements Closeable {
    private final InputStream in;

    private Reader(InputStream in) {
      this.in = in;
    }

    /** Reads the number before the next byte string. */
    public int number() throws IOException {
      int number = 0;
      for (int shift = 0; ; shift += Varint.BITS) {
        final int next = in.read();
        if (next < 0) {
          throw new EOFException();
        }
        number |= (next & Varint.MASK) << shift;
        if (next <= Varint.MASK) {
          return number;
        }
      }
    }

    /** Reads the bytes after a number into an array, from index 0. */
    public void bytes(byte[] bytes, int length) throws IOException {
      if (in.readNBytes(bytes, 0, length) < length) {
        throw new EOFException();
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
