// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.roaringbitmap.PeekableIntIterator;

/**
 * Null check of a selector for rows that are read in sequence. Usually the row is the same as in the previous call,
 * because Druid checks each row twice, or the next one. It is a superclass of selectors, which makes its fields fast to
 * access. Not thread-safe.
 */
abstract class NullRows {
  private final ImmutableBitmap nulls;
  private PeekableIntIterator iterator;
  /** Row of the previous call. */
  private int last = -1;
  /** First null row from that row on. */
  private int next = -1;

  NullRows(ImmutableBitmap nulls) {
    this.nulls = nulls;
    this.iterator = nulls.peekableIterator();
  }

  final boolean isNull(int row) {
    if (row != last) {
      moveTo(row);
    }
    return next == row;
  }

  private void moveTo(int row) {
    if (row < last) {
      iterator = nulls.peekableIterator();
      next = -1;
    }
    last = row;
    if (next < row) {
      iterator.advanceIfNeeded(row);
      next = iterator.hasNext() ? iterator.next() : Integer.MAX_VALUE;
    }
  }
}
