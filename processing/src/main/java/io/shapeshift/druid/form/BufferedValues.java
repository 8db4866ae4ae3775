// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/**
 * Values of a column that are buffered until their forms are chosen.
 *
 * @param <C> the chunks that they become
 */
public interface BufferedValues<C extends Chunk> {
  /** How many values there are. */
  int size();

  /**
   * How many values are to be encoded when there is no room for another one: all of them, or, if that was too wide for
   * those that wait, as many as end where the largest chunk of such values may end.
   */
  int sizeToMakeRoom();

  /**
   * A chunk of {@code length} values from {@code start} on. A second call in a row for the same values does not fill it
   * again. Any other call may fill the same object with other values, and after {@link #release} others own it.
   */
  C chunk(int start, int length);

  /**
   * Forgets the first {@code length} values; those behind them move up. To be called after {@link #release}.
   *
   * @param position in the column of the value that is the first from now on
   */
  void removeFirst(int length, int position);

  /** Gives back the chunks, once the values are encoded or that has failed. */
  void release();
}
