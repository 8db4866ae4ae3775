// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** The values of one block of a column, collected until the block is full and a form is chosen for it. */
public interface Chunk {
  /** How many values this chunk holds now. */
  int size();

  /** Whether this chunk holds as many values as a block of the column may. */
  boolean isFull();

  /**
   * Whether parts of this chunk look so different from the whole that they may do better with forms of their own.
   *
   * @param length values of each part
   */
  boolean varies(int length);

  /** Forgets all values; the chunk can be filled again. */
  void clear();
}
