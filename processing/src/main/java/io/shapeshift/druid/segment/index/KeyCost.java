// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.hash.HashIndexReader;
import io.shapeshift.druid.cost.CostModel;

/**
 * How long it takes to find numbers by a hash index and by a scan, in nanoseconds, as {@code KeySetBenchmark} measures.
 *
 * @param numRows      rows of the column
 * @param rowsPerKey   entries of a key, in each of which the column is read
 * @param wholeChunks  chunks that are decoded whole
 * @param wholeRows    rows of these
 */
public record KeyCost(int numRows, double rowsPerKey, int wholeChunks, int wholeRows) {
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
    return numKeys * (CostModel.Hashes.KEY_NANOS + rowsPerKey * CostModel.Hashes.CANDIDATE_NANOS)
        + decoded * rowsPerChunk * CostModel.Hashes.DECODED_NANOS;
  }

  /** By a scan. */
  public double scanNanos(int numKeys) {
    final double perRow =
        numKeys <= CostModel.Hashes.MOST_COMPARED
        ? CostModel.Indexes.SCANNED_ROW_NANOS
        : CostModel.Hashes.LOOKED_UP_ROW_NANOS;
    return perRow * numRows + CostModel.Hashes.DECODED_NANOS * wholeRows;
  }
}
