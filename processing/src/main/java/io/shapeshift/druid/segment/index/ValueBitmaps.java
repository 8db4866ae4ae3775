// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;

/** Rows of each dictionary id of a column, as Druid's bitmaps. Belongs to one index object. For one thread. */
public interface ValueBitmaps extends IdBitmaps {
  /** Rows to be found. Bitmaps may contain matching rows outside of them. */
  QueriedRows queried();

  /**
   * Rows with an id in a range.
   *
   * @param from first id
   * @param to   end of the ids, exclusive; the range is empty if it is not above {@code from}
   */
  ImmutableBitmap union(int from, int to);

  /**
   * Rows with one of several ids.
   *
   * @param ids    ids, of which the first {@code length} strictly ascend
   * @param length number of ids
   */
  ImmutableBitmap union(int[] ids, int length);

  /**
   * Whether Druid's rules decide if an index pays: the rows of an id are found without reading all ids, or Druid's
   * rules apply in any case.
   */
  boolean followStockRules();

  /**
   * Nanoseconds to read the ids of all rows to be found, which finds the rows of any range or set of ids. Infinite for
   * a multi-value column, or if Druid's rules apply in any case.
   */
  double nanosToScan();

  /** Factory of the type of bitmaps that {@link #get} returns. */
  BitmapFactory bitmapFactory();
}
