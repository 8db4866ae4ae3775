// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/**
 * Values of a column that are buffered until their forms are chosen.
 *
 * @param <C> type of the chunks that are made of the values
 */
public interface BufferedValues<C extends Chunk> {
  /** Returns the number of values. */
  int size();

  /**
   * Returns the number of values to encode when the buffer is full. These are all values, with one exception: if the
   * next value is too wide for the buffer, they end at the last border of the largest chunks with such wide values.
   */
  int sizeToMakeRoom();

  /**
   * Returns a chunk of {@code length} values from {@code start}. A repeated call for the same values does not fill the
   * chunk again. Any other call may reuse the returned object, and after {@link #release} it belongs to the pool.
   */
  C chunk(int start, int length);

  /**
   * Removes the first {@code length} values, and moves the others to the front. Call after {@link #release}.
   *
   * @param position position in the column of the new first value
   */
  void removeFirst(int length, int position);

  /** Returns the chunks to their pool, after the values are encoded or encoding has failed. */
  void release();
}
