// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/**
 * Reader of the numbers of one chunk, for one thread, as bits (see {@link NumberKind}). Indexes count from 0 and are
 * checked by the caller. In a damaged chunk a number may be anything; a reader may also throw any exception.
 */
public interface NumberReader {
  /** Reads the bits of one number. */
  long get(int index);

  /**
   * Reads consecutive numbers, mostly 512. Most numbers are read this way, so override it with a loop that decodes in
   * place.
   *
   * @param start index of the first number
   */
  default void get(int start, long[] out, int offset, int length) {
    for (int i = 0; i < length; i++) {
      out[offset + i] = get(start + i);
    }
  }
}
