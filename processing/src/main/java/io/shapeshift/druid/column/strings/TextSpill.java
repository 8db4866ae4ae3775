// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.bits.Varint;
import io.shapeshift.druid.form.strings.Utf8;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import javax.annotation.Nullable;
import org.apache.druid.segment.writeout.WriteOutBytes;

/** Texts in a medium, spilled until all are added, and then read bucket by bucket any number of times. */
final class TextSpill {
  private static final int BUFFER_SIZE = 1 << 16;
  /** Bytes after each text that encoders touch. */
  private static final int SLACK = 8;

  private final WriteOutBytes out;
  /** Buffer of texts; null unless texts are being added, because a segment may have thousands of columns. */
  @Nullable
  private byte[] buffer;
  private int buffered;
  private int size;
  private long numBytes;
  private int longest;
  private byte[] first = new byte[0];
  private byte[] last = new byte[0];
  private boolean ascends = true;
  /** Length in bytes of the prefix that all texts share. */
  private int commonPrefix;

  TextSpill(WriteOutBytes out) {
    this.out = out;
  }

  void add(byte[] text) throws IOException {
    if (size == 0) {
      first = text;
      commonPrefix = text.length;
    } else {
      ascends &= Utf8.compare(last, 0, last.length, text, 0, text.length) < 0;
      commonPrefix = commonPrefix == 0 ? 0 : Utf8.commonPrefix(first, commonPrefix, text, text.length);
    }
    last = text;
    size = Math.incrementExact(size);
    numBytes += text.length;
    longest = Math.max(longest, text.length);
    if (buffer == null) {
      buffer = new byte[BUFFER_SIZE];
    } else if (buffered > BUFFER_SIZE - Integer.BYTES - 1) {
      flush();
    }
    buffered = Varint.put(text.length, buffer, buffered);
    if (text.length <= BUFFER_SIZE - buffered) {
      System.arraycopy(text, 0, buffer, buffered, text.length);
      buffered += text.length;
    } else {
      flush();
      out.write(text, 0, text.length);
    }
  }

  private void flush() throws IOException {
    out.write(buffer, 0, buffered);
    buffered = 0;
  }

  /** Ends the adding of texts. */
  void complete() throws IOException {
    if (buffer != null) {
      flush();
      buffer = null;
    }
  }

  /** Returns the number of texts. */
  int size() {
    return size;
  }

  /** Returns whether the texts strictly ascend. */
  boolean ascends() {
    return ascends;
  }

  /** Returns the bytes of all texts. */
  long numBytes() {
    return numBytes;
  }

  /** Returns the length of the longest text in bytes. */
  int longest() {
    return longest;
  }

  /** Returns the length in bytes of the prefix that all texts share. */
  int commonPrefix() {
    return commonPrefix;
  }

  /**
   * Returns all texts in buckets, from the first.
   *
   * @param bucketSize number of texts in each bucket except the last
   */
  Buckets buckets(int bucketSize) throws IOException {
    return new Buckets(bucketSize, new BufferedInputStream(out.asInputStream(), BUFFER_SIZE));
  }

  /** Iterator over buckets of texts. It holds a file open until it is closed, if there are many texts. */
  final class Buckets implements Closeable {
    private final InputStream in;
    private final byte[][] texts;
    private final int[] lengths;
    private int read;
    private int count;

    private Buckets(int bucketSize, InputStream in) {
      this.texts = new byte[bucketSize][64];
      this.lengths = new int[bucketSize];
      this.in = in;
    }

    /** Reads the next bucket, if there is one. */
    boolean next() throws IOException {
      count = Math.min(texts.length, size - read);
      for (int i = 0; i < count; i++) {
        final int length = readLength();
        if (texts[i].length < length + SLACK) {
          texts[i] = new byte[Math.max(Math.addExact(length, SLACK), Math.min(2 * texts[i].length, 1 << 20))];
        }
        if (in.readNBytes(texts[i], 0, length) < length) {
          throw new EOFException();
        }
        lengths[i] = length;
      }
      read += count;
      return count > 0;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }

    private int readLength() throws IOException {
      int length = 0;
      for (int shift = 0; ; shift += Varint.BITS) {
        final int next = in.read();
        if (next < 0) {
          throw new EOFException();
        }
        length |= (next & Varint.MASK) << shift;
        if (next <= Varint.MASK) {
          return length;
        }
      }
    }

    byte[][] texts() {
      return texts;
    }

    int[] lengths() {
      return lengths;
    }

    /** Returns the number of texts in the bucket. */
    int count() {
      return count;
    }
  }
}
