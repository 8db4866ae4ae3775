// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/** Model of a {@link TextEncoding}: what it knows of all texts of one dictionary. Immutable, for many threads. */
public interface TextModel {
  /** Most texts in a bucket. */
  int MAX_TEXTS_PER_BUCKET = 1 << 6;

  /**
   * Returns the number of texts in each bucket except the last, a power of two from 1 to
   * {@value #MAX_TEXTS_PER_BUCKET}. Reading a text may read its whole bucket; larger buckets are often smaller in all.
   */
  int textsPerBucket();

  /**
   * Returns whether reading one text takes about as long as reading all of its bucket, as in a compressed block. The
   * dictionary then also stores what tells the buckets apart, so that a look-up reads one bucket only. Only models that
   * were learnt are asked.
   */
  default boolean readsWholeBuckets() {
    return false;
  }

  /**
   * Returns the bytes from which {@link TextEncoding#read} makes this model again; empty if it needs none. They count
   * as bytes of the dictionary, which has less than 2 GiB.
   */
  byte[] toBytes();

  /**
   * Returns the approximate heap memory in bytes that the model takes when it is read. A model of more than 8 MB may
   * not be kept, and is then read again for each reader.
   */
  int memory();

  /** Creates a writer, for one thread. */
  TextWriter writer();

  /** Creates a reader, for one thread. */
  TextReader reader();
}
