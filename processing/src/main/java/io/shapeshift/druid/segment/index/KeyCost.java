// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.hash.HashIndexReader;
import io.shapeshift.druid.cost.CostModel;

/**
 * Cost estimate in nanoseconds for finding numbers by a hash index and by a scan. {@code KeySetBenchmark} measures the
 * constants.
 *
 * @param numRows      number of rows of the column
 * @param rowsPerKey   index entries per key; the column is read once for each
 * @param wholeChunks  number of chunks that can only be decoded as a whole
 * @param wholeRows    number of rows in these chunks
 */
public record KeyCost(int numRows, double rowsPerKey, int wholeChunks, int wholeRows) {
  static KeyCost of(HashIndex index, ColumnData.DecodedWhole whole) {
    final double rowsPerKey = index.numKeys() == 0 ? 0 : (double) index.numEntries() / index.numKeys();
    return new KeyCost(index.numRows(), rowsPerKey, whole.chunks(), whole.values());
  }

  /** Cost with the hash index. Each batch of keys decodes each chunk with a candidate once. */
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

  /** Cost of a scan. */
  public double scanNanos(int numKeys) {
    final double perRow =
        numKeys <= CostModel.Hashes.MOST_COMPARED
        ? CostModel.Indexes.SCANNED_ROW_NANOS
        : CostModel.Hashes.LOOKED_UP_ROW_NANOS;
    return perRow * numRows + CostModel.Hashes.DECODED_NANOS * wholeRows;
  }
}
