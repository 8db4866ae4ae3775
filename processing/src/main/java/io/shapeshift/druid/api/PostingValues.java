// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/**
 * Posting lists of neighbouring values of a column: for each value the rows that have it. A chunk has several short
 * lists, or one of any length. Implemented by the extension; valid only during the call that receives it.
 */
public interface PostingValues {
  /** Returns the number of lists, at least 1. */
  int numLists();

  /** Returns the number of rows in the segment; all rows are less. */
  int numRows();

  /** Returns the number of rows in all lists together. */
  int numPostings();

  /** Returns the number of rows in a list, 0 or more. */
  int size(int list);

  /** Returns a row of a list. The rows of a list ascend, without duplicates. */
  int row(int list, int index);

  /** Returns the number of runs of adjacent rows in all lists together. */
  int numRuns();
}
