// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

/** Writer of buckets of sorted texts. Not thread-safe. */
public interface BucketWriter extends AutoCloseable {
  /**
   * Encodes a bucket; {@link #bytes} returns its bytes.
   *
   * @param texts   each followed by {@value SymbolEncoder#SLACK} bytes
   * @param lengths length of each text in bytes
   * @param count   number of texts, at least 1
   * @return size of the bucket in bytes
   */
  int encode(byte[][] texts, int[] lengths, int count);

  /** Returns the array that contains the bucket encoded last. */
  byte[] bytes();

  /** Frees native memory. */
  @Override
  default void close() {}
}
