// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.column.Spill;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Values in a medium, spilled until all are added, and then read in order any number of times. */
final class BlobSpill {
  /** Length of null. */
  static final int NULL = -1;

  private static final int BUFFER_SIZE = 1 << 16;

  private final Spill spill;
  private int size;
  private int numNulls;
  private int numEmpty;
  private long numBytes;
  private int longest;
  /** First value; null if it is null. */
  @Nullable
  private byte[] first;
  private boolean isConstant = true;

  BlobSpill(SegmentWriteOutMedium medium) throws IOException {
    this.spill = new Spill(medium.makeWriteOutBytes());
  }

  /**
   * Adds a value, or null.
   *
   * @param length length in bytes; {@link #NULL} for null, and then the bytes do not matter
   */
  void add(byte[] bytes, int offset, int length) throws IOException {
    if (size == 0) {
      first = length == NULL ? null : Arrays.copyOfRange(bytes, offset, offset + length);
    } else if (isConstant) {
      isConstant = first == null
                   ? length == NULL
                   : length != NULL && Arrays.equals(first, 0, first.length, bytes, offset, offset + length);
    }
    size = Math.incrementExact(size);
    numNulls += length == NULL ? 1 : 0;
    numEmpty += length == 0 ? 1 : 0;
    numBytes += Math.max(0, length);
    longest = Math.max(longest, length);
    spill.add(length + 1, bytes, offset, Math.max(0, length));
  }

  /** Ends the adding of values. */
  void complete() throws IOException {
    spill.complete();
  }

  /** Returns the number of values, including nulls. */
  int size() {
    return size;
  }

  int numNulls() {
    return numNulls;
  }

  /** Returns the number of values without bytes, except nulls. */
  int numEmpty() {
    return numEmpty;
  }

  /** Returns the bytes of all values. */
  long numBytes() {
    return numBytes;
  }

  /** Returns the length of the longest value in bytes. */
  int longest() {
    return longest;
  }

  /** Returns whether all values are equal. */
  boolean isConstant() {
    return isConstant;
  }

  /** Returns the first value; null if it is null, or there is none. */
  @Nullable
  byte[] first() {
    return first;
  }

  /** Returns an iterator over all values. */
  Values values() throws IOException {
    return values(Long.MAX_VALUE);
  }

  /** Returns an iterator over the first values, up to that with the last of {@code mostBytes} bytes. */
  Values values(long mostBytes) throws IOException {
    return new Values(spill.reader(), mostBytes);
  }

  /** Writes the bytes of all values, one after the other. */
  void writeBytesTo(WritableByteChannel channel) throws IOException {
    try (Values each = values()) {
      final ByteBuffer buffered = ByteBuffer.allocate(BUFFER_SIZE);
      while (each.next()) {
        for (int done = 0; done < each.length; ) {
          final int count = Math.min(each.length - done, buffered.remaining());
          buffered.put(each.bytes, done, count);
          done += count;
          if (!buffered.hasRemaining()) {
            Channels.writeFully(channel, buffered.flip());
            buffered.clear();
          }
        }
      }
      Channels.writeFully(channel, buffered.flip());
    }
  }

  /** Iterator over values. It holds a file open until it is closed, if there are many values. */
  final class Values implements Closeable {
    private final Spill.Reader in;
    private int read;
    private long bytesLeft;
    private byte[] bytes = new byte[256];
    private int length;

    private Values(Spill.Reader in, long mostBytes) {
      this.in = in;
      this.bytesLeft = mostBytes;
    }

    /** Reads the next value, if there is one. */
    boolean next() throws IOException {
      if (read == size || bytesLeft <= 0) {
        return false;
      }
      read++;
      length = in.number() - 1;
      if (length > bytes.length) {
        bytes = new byte[(int) Math.max(length, Math.min(2L * bytes.length, 1 << 24))];
      }
      in.bytes(bytes, Math.max(0, length));
      bytesLeft -= Math.max(0, length);
      return true;
    }

    /** Returns the bytes of the value, from index 0; the array may be longer. */
    byte[] bytes() {
      return bytes;
    }

    /** Returns a copy of the value; null for null. */
    @Nullable
    byte[] copy() {
      return length == NULL ? null : Arrays.copyOf(bytes, length);
    }

    /** Returns the length of the value in bytes, {@link #NULL} for null. */
    int length() {
      return length;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
