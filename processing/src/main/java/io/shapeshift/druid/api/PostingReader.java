// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/** Reader of the posting lists of one chunk, for one thread. A reader may throw any exception if bytes are damaged. */
@FunctionalInterface
public interface PostingReader {
  /**
   * Reads the rows of a list, in ascending order.
   *
   * @param list number of the list, from 0; checked by the caller
   */
  void read(int list, RowSink rows);
}
