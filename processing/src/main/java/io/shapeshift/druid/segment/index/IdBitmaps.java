// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import org.apache.druid.collections.bitmap.ImmutableBitmap;

/** Rows of each dictionary id of a column, as Druid's bitmaps. For one thread. */
public interface IdBitmaps {
  /** Number of dictionary ids. */
  int size();

  /**
   * Rows with an id.
   *
   * @param id from 0 to {@link #size} - 1
   * @return bitmap, empty if no row has the id
   */
  ImmutableBitmap get(int id);
}
