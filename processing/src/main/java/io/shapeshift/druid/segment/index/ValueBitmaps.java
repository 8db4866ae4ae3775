// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;

/** The rows of each dictionary id of a column, as bitmaps of Druid's. Made for one index object; for one thread. */
public interface ValueBitmaps {
  /** How many dictionary ids there are. */
  int size();

  /** The rows of the segment that are to be found; there may be others in bitmaps as well. */
  QueriedRows queried();

  /**
   * The rows that have an id.
   *
   * @param id from 0 to {@link #size} - 1
   * @return an empty bitmap if there are none
   */
  ImmutableBitmap get(int id);

  /**
   * The rows that have an id of a range.
   *
   * @param from the first id
   * @param to   end, exclusive; there are no ids if it is not above {@code from}
   */
  ImmutableBitmap union(int from, int to);

  /**
   * The rows that have one of some ids.
   *
   * @param ids    the first {@code length} ascend, each once
   * @param length how many ids there are
   */
  ImmutableBitmap union(int[] ids, int length);

  /**
   * Whether the rows of an id are worth to be found where Druid takes its own bitmap: they are found without reading
   * those of all, or Druid's rules are to hold in any case.
   */
  boolean followStockRules();

  /**
   * How long it takes to read the ids of all rows that are to be found, which finds those of any range or set of ids;
   * infinite where rows have several, or Druid's rules are to hold in any case.
   */
  double nanosToScan();

  /** Makes bitmaps of the kind that {@link #get} answers with. */
  BitmapFactory bitmapFactory();
}
