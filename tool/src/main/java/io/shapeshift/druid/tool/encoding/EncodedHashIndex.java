// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.column.hash.HashIndexSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.IOException;
import javax.annotation.Nullable;

/**
 * Size of a hash index of numbers.
 *
 * @param keys    number of distinct numbers
 * @param entries number of entries: one per row, except that a key with many rows has a single entry
 * @param bytes   size of the index
 */
public record EncodedHashIndex(int keys, int entries, long bytes) {
  /**
   * Builds an index, and returns only its size.
   *
   * @param column name of the column, for messages
   * @return null if no index is possible, because too many keys have similar hashes
   * @throws IOException if the system's temporary directory is full
   */
  @Nullable
  public static EncodedHashIndex of(String column, RowValues.Numbers values) throws IOException {
    return RowEncoding.withMedium(medium -> {
      final HashIndexSerializer index =
          new HashIndexSerializer(column, medium, OptimizationTarget.FASTBUTSMALLISH);
      index.open();
      for (int row = 0; row < values.rows(); row++) {
        if (values.nulls().get(row)) {
          index.addNull();
        } else {
          index.add(values.key(row));
        }
      }
      return index.complete()
             ? new EncodedHashIndex(index.numKeys(), index.numEntries(), index.getSerializedSize())
             : null;
    });
  }
}
