// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.cost.DecodeCost;
import java.nio.ByteBuffer;

/**
 * Coding of a dictionary's texts in buckets. An instance has what the coding knows of all texts of one dictionary, its
 * model. The header of the dictionary stores the model. Thread-safe.
 */
public interface TextCoding {
  /** Returns the id in a segment. */
  byte id();

  /** Returns the display name, in lower case with hyphens. */
  String name();

  /** Returns the decoding cost, relative to the fastest coding. */
  DecodeCost cost();

  /** Returns the base 2 logarithm of the number of texts in each bucket except the last. */
  int logSize();

  /** Returns whether the first bytes of some texts are stored separately, to speed up searches. */
  default boolean hasKeys() {
    return true;
  }

  /**
   * Returns whether prefixes of the buckets' first texts are stored separately, so that a search reads only one bucket.
   */
  default boolean hasSeparators() {
    return false;
  }

  /** Returns whether buckets differ in size, so that offsets are stored. */
  default boolean hasOffsets() {
    return true;
  }

  /**
   * Returns the size in bytes of the buckets of {@code numTexts} texts.
   *
   * @throws UnsupportedOperationException if buckets differ in size
   */
  default long bytes(int numTexts) {
    throw new UnsupportedOperationException("The buckets of " + name() + " differ in size");
  }

  /** Returns the size of the model in a segment, in bytes; 0 if there is none. */
  default int sizeInBytes() {
    return 0;
  }

  /** Returns the approximate heap memory that reading with the model needs, in bytes. */
  default int memory() {
    return 0;
  }

  /**
   * Appends the model.
   *
   * @param out has room for {@link #sizeInBytes} bytes
   */
  default void write(ByteBuffer out) {}

  /** Creates a writer of buckets. */
  BucketWriter writer();

  /**
   * Creates a reader of buckets.
   *
   * @param buffer contains the buckets, in little-endian order
   */
  BucketReader reader(ByteBuffer buffer);
}
