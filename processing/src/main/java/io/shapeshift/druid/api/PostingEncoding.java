// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import java.nio.ByteBuffer;

/**
 * Encoding of posting lists: the rows that have a value. Its bytes are little-endian, in segments of either byte order.
 * Its {@link #cost} is relative to Roaring bitmaps.
 */
public interface PostingEncoding extends Encoding {
  /**
   * Estimates the size of a chunk, from its statistics where they suffice. The estimate is exact, or the lists are
   * skipped: an unknown size is taken as a skip.
   */
  SizeEstimate estimate(PostingValues lists);

  /**
   * Writes a chunk. The same lists must give the same bytes, on every machine and in every process.
   *
   * @param lists lists that {@link #estimate} does not skip
   * @param out   room for the exact estimate, from the position; little-endian
   */
  void encode(PostingValues lists, ByteBuffer out);

  /**
   * Opens a chunk. The reader is used until another chunk is opened. Check widths, counts and lengths here.
   *
   * @param chunk    the bytes that {@link #encode} wrote, from index 0 to the limit; little-endian, read-only
   * @param numLists number of lists
   * @param numRows  number of rows in the segment
   * @throws DamagedChunkException if these bytes are no chunk of this encoding with as many lists
   */
  PostingReader open(ByteBuffer chunk, int numLists, int numRows);
}
