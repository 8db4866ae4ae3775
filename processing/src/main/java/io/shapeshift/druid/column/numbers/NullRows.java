// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.roaringbitmap.PeekableIntIterator;

/**
 * What tells whether rows are null that are asked for one after another: mostly the same as before, which a selector is
 * asked about twice, or the next. A superclass of selectors, so that they have its fields at hand. For one thread.
 */
abstract class NullRows {
  private final ImmutableBitmap nulls;
  private PeekableIntIterator iterator;
  /** The row that was asked for last. */
  private int last = -1;
  /** The first null from there on. */
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
