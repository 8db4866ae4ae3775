// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Encoding of ints: of dictionary ids, and of what numbers become in a frame. The extension pairs it with each of its
 * frames, so it need not know longs, doubles or floats.
 */
public interface IntEncoding extends Encoding {
  /** Returns the kinds of ints for which selection tries this encoding. */
  Set<IntUse> uses();

  /**
   * Estimates the size of a chunk, from its statistics where they suffice.
   *
   * @param values at most {@link IntValues#MAX_SIZE} ints
   */
  SizeEstimate estimate(IntValues values);

  /**
   * Returns the time of a scan, in nanoseconds per int. Bit-packed ints take 0.1. Except under {@code smaller}, the
   * encoding is left out where a stock column would be scanned faster.
   *
   * @param values ints that {@link #estimate} does not skip
   */
  double scanNanos(IntValues values);

  /**
   * Returns the extra time of reading every hundredth int, in nanoseconds per int of the chunk; 0 if each is read where
   * it lies. An encoding that decodes the whole chunk returns the time of decoding it, divided by its ints.
   *
   * @param values ints that {@link #estimate} does not skip
   */
  double sparseNanos(IntValues values);

  /**
   * Writes a chunk. The same ints must give the same bytes, on every machine and in every process.
   *
   * @param values ints that {@link #estimate} does not skip
   * @param out    room for 64 KiB at least, from the position; its byte order is the column's
   */
  void encode(IntValues values, ByteBuffer out);

  /**
   * Opens a chunk. The reader is used until another chunk is opened. Check widths, counts and lengths here.
   *
   * @param chunk     the bytes that {@link #encode} wrote, from index 0 to the limit, in the same byte order; read-only
   * @param numValues number of ints
   * @throws DamagedChunkException if these bytes are no chunk of this encoding with as many ints
   */
  IntReader open(ByteBuffer chunk, int numValues);
}
