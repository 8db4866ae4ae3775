// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.bits.Varint;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import javax.annotation.Nullable;
import net.jpountz.lz4.LZ4BlockInputStream;
import net.jpountz.lz4.LZ4BlockOutputStream;
import net.jpountz.lz4.LZ4Factory;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Byte strings in a medium, written once in blocks that are compressed, and then read in order any number of times.
 * Before each is a number, from which the reader knows its length. Not thread-safe.
 */
public final class Spill {
  private static final int BLOCK_SIZE = 1 << 15;
  private static final int MOST_NUMBER_BYTES = 5;

  private final WriteOutBytes out;
  private final byte[] bytesOfNumber = new byte[MOST_NUMBER_BYTES];
  /** Has buffers; null unless something is added, because a segment may have thousands of columns. */
  @Nullable
  private LZ4BlockOutputStream blocks;

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
    if (blocks == null) {
      blocks = new LZ4BlockOutputStream(out, BLOCK_SIZE, LZ4Factory.fastestInstance().fastCompressor());
    }
    blocks.write(bytesOfNumber, 0, Varint.put(number, bytesOfNumber, 0));
    blocks.write(bytes, offset, length);
  }

  /** Ends the adding, and frees the buffers. */
  public void complete() throws IOException {
    if (blocks != null) {
      blocks.finish();
      blocks = null;
    }
  }

  /** Returns a reader from the first byte string on. */
  public Reader reader() throws IOException {
    return new Reader(LZ4BlockInputStream.newBuilder().build(new BufferedInputStream(out.asInputStream(), BLOCK_SIZE)));
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
