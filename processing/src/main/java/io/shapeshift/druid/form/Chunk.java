// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** Values of a column that are to be stored together: one block of it or several, for which a form is chosen. */
public interface Chunk {
  /** How many values this chunk holds now. */
  int size();
}
