// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.column.hash.HashIndexSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.IOException;
import javax.annotation.Nullable;

/**
 * What a hash index of numbers is.
 *
 * @param keys    different numbers
 * @param entries of all keys: one for each row, but for keys of many rows, which have one
 * @param bytes   its size
 */
public record EncodedHashIndex(int keys, int entries, long bytes) {
  /**
   * Makes an index, and forgets it.
   *
   * @param column name of the column, for messages
   * @return null if there cannot be one, as too many keys have hashes alike
   * @throws IOException if there is no room for it where the system keeps temporary files
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
