// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

/** Makes buckets of sorted texts. For one thread. */
public interface BucketWriter extends AutoCloseable {
  /**
   * Encodes a bucket, of which {@link #bytes} has the bytes afterwards.
   *
   * @param texts   followed by {@value SymbolEncoder#SLACK} bytes each
   * @param lengths of the texts
   * @param count   how many there are, from 1 on
   * @return its size
   */
  int encode(byte[][] texts, int[] lengths, int count);

  /** The bucket that was encoded last. */
  byte[] bytes();

  /** Frees what is not on the heap. */
  @Override
  default void close() {}
}
