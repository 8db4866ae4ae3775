// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import java.nio.ByteBuffer;
import java.util.Set;

/** Encoding of longs, doubles or floats that are not first turned into ints. */
public interface NumberEncoding extends Encoding {
  /** Returns the types of numbers that this encoding stores. */
  Set<NumberKind> kinds();

  /**
   * Estimates the size of a chunk, from its statistics where they suffice.
   *
   * @param values at most {@link NumberValues#MAX_SIZE} numbers
   */
  SizeEstimate estimate(NumberValues values);

  /**
   * Returns the time of a scan, in nanoseconds per number. Numbers that are stored as they are take 0.4. Except under
   * {@code smaller}, the encoding is left out where a stock column would be scanned faster.
   *
   * @param values numbers that {@link #estimate} does not skip
   */
  double scanNanos(NumberValues values);

  /**
   * Writes a chunk. The same numbers must give the same bytes, on every machine and in every process.
   *
   * @param values numbers that {@link #estimate} does not skip
   * @param out    room for 64 KiB at least, from the position; its byte order is the column's
   */
  void encode(NumberValues values, ByteBuffer out);

  /**
   * Opens a chunk. The reader is used until another chunk is opened. Check widths, counts and lengths here.
   *
   * @param chunk     the bytes that {@link #encode} wrote, from index 0 to the limit, in the same byte order; read-only
   * @param kind      type of the numbers
   * @param numValues number of numbers
   * @throws DamagedChunkException if these bytes are no chunk of this encoding with as many numbers
   */
  NumberReader open(ByteBuffer chunk, NumberKind kind, int numValues);
}
