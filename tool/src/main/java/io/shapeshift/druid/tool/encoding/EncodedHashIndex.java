// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.column.hash.HashIndexSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/** Hash index of numbers, as the extension's mergers write it. */
public final class EncodedHashIndex implements Closeable {
  private final int keys;
  private final int entries;
  private final EncodedBytes bytes;

  private EncodedHashIndex(int keys, int entries, EncodedBytes bytes) {
    this.keys = keys;
    this.entries = entries;
    this.bytes = bytes;
  }

  /**
   * Builds an index.
   *
   * @param column name of the column, for messages
   * @param target optimization target of the numbers
   * @return null if no index is possible, because too many keys have similar hashes
   * @throws IOException if the system's temporary directory is full
   */
  @Nullable
  public static EncodedHashIndex of(String column, RowValues.Numbers values, OptimizationTarget target)
      throws IOException {
    return RowEncoding.withMedium(medium -> {
      final HashIndexSerializer index = new HashIndexSerializer(column, medium, target);
      index.open();
      for (int row = 0; row < values.rows(); row++) {
        if (values.nulls().get(row)) {
          index.addNull();
        } else {
          index.add(values.key(row));
        }
      }
      return index.complete()
             ? new EncodedHashIndex(index.numKeys(), index.numEntries(), EncodedBytes.of(column, index))
             : null;
    });
  }

  /** Number of distinct numbers. */
  public int keys() {
    return keys;
  }

  /** Number of entries: one per row, except that a key with many rows has a single entry. */
  public int entries() {
    return entries;
  }

  /** Encoded bytes. */
  public ByteBuffer bytes() {
    return bytes.buffer();
  }

  /** Number of encoded bytes. */
  public int sizeInBytes() {
    return bytes.size();
  }

  @Override
  public void close() {
    bytes.close();
  }
}
