// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.rows.RowSet;
import javax.annotation.Nullable;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/** Reader of the posting lists of one chunk, which the chunk's form has pointed at it. */
interface PostingShape {
  /**
   * Adds the rows of some lists.
   *
   * @param from the first list
   * @param to   end, exclusive
   */
  void read(int from, int to, RowSet out);

  /** The only list as a bitmap that lies in the chunk; null if it does not. */
  @Nullable
  default ImmutableRoaringBitmap bitmap() {
    return null;
  }
}
