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
   * Looks for a text in a bucket. The parameters are those of {@link #read}, but for the wanted text.
   *
   * @return its index, or -(n + 1) if it would be text n
   * @throws io.shapeshift.druid.form.MalformedChunkException if the bucket is damaged
   */
  default int find(int from, int to, int count, byte[] value, int valueLength) {
    for (int i = 0; i < count; i++) {
      final int length = read(from, to, count, i);
      final int compared = Utf8.compare(text(), 0, length, value, 0, valueLength);
      if (compared >= 0) {
        return compared == 0 ? i : -i - 1;
      }
    }
    return -count - 1;
  }

  /** What was read last; bytes behind it mean nothing. */
  byte[] text();
}
