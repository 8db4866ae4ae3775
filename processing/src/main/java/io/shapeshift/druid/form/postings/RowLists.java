// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

/** Lists of which each row is stored, so that other forms can count on their number and order. */
interface RowLists extends PostingShape {
  /** The number of the first row of a list, counted from the first row of all lists. */
  int first(int list);
}
