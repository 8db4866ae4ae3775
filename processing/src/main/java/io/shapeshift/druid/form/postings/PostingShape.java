// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.rows.RowSet;
import javax.annotation.Nullable;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/** Reader of the posting lists of one chunk in one form; {@link PostingForm#transform} has pointed it at the chunk. */
interface PostingShape {
  /**
   * Adds the rows of some lists to a set.
   *
   * @param from first list, inclusive
   * @param to   last list, exclusive
   */
  void read(int from, int to, RowSet out);

  /** Returns the only list as a bitmap over the chunk's bytes; null in other forms. */
  @Nullable
  default ImmutableRoaringBitmap bitmap() {
    return null;
  }
}
