// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/**
 * Values of a column that wait for the choice of their forms.
 *
 * @param <C> the chunks that they become
 */
public interface BufferedValues<C extends Chunk> {
  /** How many values there are. */
  int size();

  /** Fills a chunk with {@code length} of the values, from {@code start} on, instead of what it holds. */
  void copyTo(C chunk, int start, int length);

  /**
   * Forgets the first {@code length} values; those behind them move up.
   *
   * @param position in the column of the value that is the first from now on
   */
  void removeFirst(int length, int position);
}
