// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** The values of one block of a column, collected until the block is full and a form is chosen for it. */
public interface Chunk {
  /** How many values this chunk holds now. */
  int size();

  /** Whether this chunk holds as many values as a block of the column may. */
  boolean isFull();

  /** Forgets all values; the chunk can be filled again. */
  void clear();
}
