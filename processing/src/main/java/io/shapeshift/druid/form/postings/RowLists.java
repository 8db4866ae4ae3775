// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

/** Shape that stores each row, so that an outer form can refer to rows by number. */
interface RowLists extends PostingShape {
  /** Returns the number of a list's first row, counted over the rows of all lists. */
  int first(int list);
}
