// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** Values of a column that are stored together in one form: one or several blocks. */
public interface Chunk {
  /** Returns the current number of values in the chunk. */
  int size();
}
