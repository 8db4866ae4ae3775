// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

/** Reader of the texts in buckets, into a reused array. Not thread-safe. */
public interface BucketReader {
  /**
   * Reads a text. This is faster if the text is in the bucket read last, and not before the text read last.
   *
   * @param from  position of the bucket's first byte
   * @param to    end of the bucket, exclusive; {@value FrontCodedBucket#SLACK} bytes after it may be touched
   * @param count number of texts in the bucket
   * @param index index of the text in the bucket
   * @return length of the text in bytes
   * @throws io.shapeshift.druid.form.MalformedChunkException if the bucket is damaged
   */
  int read(int from, int to, int count, int index);

  /**
   * Compares the first text of a bucket with a value.
   *
   * @param value  followed by {@value Utf8#SLACK} bytes that may be touched
   * @param length length of the value in bytes
   * @return negative, zero or positive if the text is less than, equal to or greater than the value
   * @throws io.shapeshift.druid.form.MalformedChunkException if the bucket is damaged
   */
  default int compareHead(int from, int to, int count, byte[] value, int length) {
    final int found = read(from, to, count, 0);
    // Calls text() after reading, because reading may replace the array.
    return Utf8.compare(text(), 0, found, value, 0, length);
  }

  /**
   * Searches a bucket for a value.
   *
   * @param value  followed by {@value Utf8#SLACK} bytes that may be touched
   * @param length length of the value in bytes
   * @return the index of the value, or -(n + 1) if it would be inserted at index n
   * @throws io.shapeshift.druid.form.MalformedChunkException if the bucket is damaged
   */
  default int find(int from, int to, int count, byte[] value, int length) {
    // Sequential, because some codings are read fastest from the first text on.
    for (int index = 0; index < count; index++) {
      final int found = read(from, to, count, index);
      final int compared = Utf8.compare(text(), 0, found, value, 0, length);
      if (compared >= 0) {
        return compared == 0 ? index : -index - 1;
      }
    }
    return -count - 1;
  }

  /**
   * Adds all texts of a bucket to a run.
   *
   * @throws io.shapeshift.druid.form.MalformedChunkException if the bucket is damaged
   */
  default void readAll(int from, int to, int count, TextRun run) {
    for (int index = 0; index < count; index++) {
      final int length = read(from, to, count, index);
      run.add(text(), length);
    }
  }

  /**
   * Creates a search through buckets. While it is used, the reader reads no others.
   *
   * @param isExact whether only the ids of the texts that contain the part are wanted
   */
  default BucketSearch search(TextPart part, boolean isExact) {
    return this::readAll;
  }

  /** Returns whether the text read last is known to have only bytes up to 127. */
  default boolean isAscii() {
    return false;
  }

  /** Returns the array that contains the text read last; bytes after the text are undefined. */
  byte[] text();
}
