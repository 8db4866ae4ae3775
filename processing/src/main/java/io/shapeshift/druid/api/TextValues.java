// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import java.util.function.Consumer;

/**
 * Texts of a dictionary, from which an encoding learns: distinct, in UTF-8, in the order of {@link TextReader#compare}.
 * One of them may be empty. Implemented by the extension; valid only during the call that receives it.
 */
public interface TextValues {
  /** Returns the number of texts, at least 1. */
  int size();

  /** Returns the bytes of all texts. */
  long numBytes();

  /** Returns the length in bytes of the longest text. */
  int longest();

  /**
   * Passes all texts on, in order. Texts are read from a file if there are many.
   *
   * @param consumer gets a new array for each text
   */
  void forEach(Consumer<byte[]> consumer);

  /**
   * Passes on groups of neighbouring texts that are spread evenly over all texts, or all groups if there are few. The
   * same arguments give the same groups. A group starts at a multiple of its size, as buckets do.
   *
   * @param groupSize number of texts in each group except the last, at least 1
   * @param numBytes  approximate number of bytes of the sample, at least 1
   * @param consumer  gets new arrays for each group
   */
  void sample(int groupSize, int numBytes, Consumer<byte[][]> consumer);
}
