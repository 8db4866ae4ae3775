// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.column.Spill;
import io.shapeshift.druid.form.strings.Utf8;
import java.io.Closeable;
import java.io.IOException;
import org.apache.druid.segment.writeout.WriteOutBytes;

/** Texts in a medium, spilled until all are added, and then read bucket by bucket any number of times. */
final class TextSpill {
  /** Bytes after each text that encoders touch. */
  private static final int SLACK = 8;

  private final Spill spill;
  private int size;
  private long numBytes;
  private int longest;
  private byte[] first = new byte[0];
  private byte[] last = new byte[0];
  private boolean ascends = true;
  /** Length in bytes of the prefix that all texts share. */
  private int commonPrefix;

  TextSpill(WriteOutBytes out) {
    this.spill = new Spill(out);
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
    spill.add(text.length, text, 0, text.length);
  }

  /** Ends the adding of texts. */
  void complete() throws IOException {
    spill.complete();
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
    return new Buckets(bucketSize, spill.reader());
  }

  /** Iterator over buckets of texts. It holds a file open until it is closed, if there are many texts. */
  final class Buckets implements Closeable {
    private final Spill.Reader in;
    private final byte[][] texts;
    private final int[] lengths;
    private int read;
    private int count;

    private Buckets(int bucketSize, Spill.Reader in) {
      this.texts = new byte[bucketSize][64];
      this.lengths = new int[bucketSize];
      this.in = in;
    }

    /** Reads the next bucket, if there is one. */
    boolean next() throws IOException {
      count = Math.min(texts.length, size - read);
      for (int i = 0; i < count; i++) {
        final int length = in.number();
        if (texts[i].length < length + SLACK) {
          texts[i] = new byte[Math.max(Math.addExact(length, SLACK), Math.min(2 * texts[i].length, 1 << 20))];
        }
        in.bytes(texts[i], length);
        lengths[i] = length;
      }
      read += count;
      return count > 0;
    }

    @Override
    public void close() throws IOException {
      in.close();
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
