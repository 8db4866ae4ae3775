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

  /** What was read last; bytes behind it mean nothing. */
  byte[] text();
}
