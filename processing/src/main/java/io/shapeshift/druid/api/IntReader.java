// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/**
 * Reader of the ints of one chunk, for one thread. Indexes count from 0 and are checked by the caller. In a damaged
 * chunk an int may be anything; a reader may also throw any exception.
 */
public interface IntReader {
  /** Reads one int. */
  int get(int index);

  /**
   * Reads consecutive ints, mostly 512. Most values are read this way, so override it with a loop that decodes in
   * place.
   *
   * @param start index of the first int
   */
  default void get(int start, int[] out, int offset, int length) {
    for (int i = 0; i < length; i++) {
      out[offset + i] = get(start + i);
    }
  }

  /** Returns a lower bound of all ints, with which filters exclude chunks. It is read from the chunk's bytes. */
  default int least() {
    return 0;
  }

  /** Returns an upper bound of all ints, with which filters exclude chunks. It is read from the chunk's bytes. */
  default int greatest() {
    return Integer.MAX_VALUE;
  }
}
