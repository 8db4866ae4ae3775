// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.hash.HashIndexReader;

/**
 * How long it takes to find numbers by a hash index and by a scan, in nanoseconds, as {@code KeySetBenchmark} measures.
 *
 * @param numRows      rows of the column
 * @param rowsPerKey   entries of a key, in each of which the column is read
 * @param wholeChunks  chunks that are decoded whole
 * @param wholeRows    rows of these
 */
public record KeyCost(int numRows, double rowsPerKey, int wholeChunks, int wholeRows) {
  /** To find the bucket of a key, of which hardly anything is in a cache. */
  private static final double NANOS_PER_KEY = 150;
  /** To read a row that lies anywhere. */
  private static final double NANOS_PER_CANDIDATE = 150;
  /** A scan compares each row with so many keys, and looks it up among more. */
  private static final int MOST_COMPARED = 4;
  private static final double NANOS_PER_LOOKED_UP_ROW = 2;
  /** To decode a value of a chunk as a whole. */
  private static final double NANOS_PER_DECODED = 3;

  static KeyCost of(HashIndex index, ColumnData.DecodedWhole whole) {
    final double rowsPerKey = index.numKeys() == 0 ? 0 : (double) index.numEntries() / index.numKeys();
    return new KeyCost(index.numRows(), rowsPerKey, whole.chunks(), whole.values());
  }

  /** By the hash index: each batch of keys decodes each chunk once in which a candidate is. */
  public double lookUpNanos(int numKeys) {
    double decoded = 0;
    for (int left = numKeys; left > 0; left -= HashIndexReader.BATCH) {
      final double inWhole = rowsPerKey * Math.min(left, HashIndexReader.BATCH) * wholeRows / Math.max(1, numRows);
      decoded += Math.min(inWhole, wholeChunks);
    }
    final double rowsPerChunk = wholeChunks == 0 ? 0 : (double) wholeRows / wholeChunks;
    return numKeys * (NANOS_PER_KEY + rowsPerKey * NANOS_PER_CANDIDATE) + decoded * rowsPerChunk * NANOS_PER_DECODED;
  }

  /** By a scan. */
  public double scanNanos(int numKeys) {
    final double perRow =
        numKeys <= MOST_COMPARED ? NumberScanIndexSupplier.NANOS_PER_ROW : NANOS_PER_LOOKED_UP_ROW;
    return perRow * numRows + NANOS_PER_DECODED * wholeRows;
  }
}
