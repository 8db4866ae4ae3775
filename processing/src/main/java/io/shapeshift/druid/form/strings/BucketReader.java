// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

/** Reads texts of buckets, each into the same array. For one thread. */
public interface BucketReader {
  /**
   * Reads a text. It takes less time if it is in the bucket that was read last, and not before the last text.
   *
   * @param from  first byte of the bucket
   * @param to    its end, exclusive; {@value FrontCodedBucket#SLACK} bytes behind it are touched
   * @param count texts in it
   * @param index of the text
   * @return its length
   * @throws io.shapeshift.druid.form.MalformedChunkException if the bucket is damaged
   */
  int read(int from, int to, int count, int index);

  /**
   * Compares the first text of a bucket with a value.
   *
   * @param value  followed by {@value Utf8#SLACK} bytes that may be looked at
   * @param length of the value
   * @return negative, zero or positive as the first text is before the value, the same or behind
   * @throws io.shapeshift.druid.form.MalformedChunkException if the bucket is damaged
   */
  default int compareHead(int from, int to, int count, byte[] value, int length) {
    final int found = read(from, to, count, 0);
    // Only now: reading may make the array another one.
    return Utf8.compare(text(), 0, found, value, 0, length);
  }

  /**
   * Looks for a value in a bucket.
   *
   * @param value  followed by {@value Utf8#SLACK} bytes that may be looked at
   * @param length of the value
   * @return its index, or -(n + 1) if it would be at index n
   * @throws io.shapeshift.druid.form.MalformedChunkException if the bucket is damaged
   */
  default int find(int from, int to, int count, byte[] value, int length) {
    // From the first on: that is how some buckets are read fastest.
    for (int index = 0; index < count; index++) {
      final int found = read(from, to, count, index);
      final int compared = Utf8.compare(text(), 0, found, value, 0, length);
      if (compared >= 0) {
        return compared == 0 ? index : -index - 1;
      }
    }
    return -count - 1;
  }

  /** Whether what was read last is known to have no byte above 127. */
  default boolean isAscii() {
    return false;
  }

  /** What was read last; bytes behind it mean nothing. */
  byte[] text();
}
