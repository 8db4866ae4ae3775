// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/** Writer of the buckets of one dictionary, for one thread. */
public interface TextWriter extends AutoCloseable {
  /**
   * Encodes a bucket. The same texts must give the same bytes, on every machine and in every process.
   *
   * @param texts 1 to {@link TextModel#textsPerBucket} texts in UTF-8, ascending; must not be changed
   * @return the bytes of the bucket; may be empty. They are copied before the next call
   */
  byte[] encode(byte[][] texts);

  /** Frees what the writer has. */
  @Override
  default void close() {}
}
