// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.hash.HashIndex;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * Hash index of a number column.
 *
 * @param index opened index
 * @param bytes encoded bytes
 */
public record HashIndexPart(HashIndex index, ByteBuffer bytes) {
  /**
   * Reads the index from the bytes that follow the numbers of a column.
   *
   * @param behind size and bytes of the null bitmap, followed by the index; the position is not changed
   * @return null if the column's descriptor declares no index
   */
  @Nullable
  static HashIndexPart of(SegmentColumn column, ByteBuffer behind) {
    if (!column.part().path("hashIndex").asBoolean()) {
      return null;
    }
    final ByteBuffer in = behind.duplicate();
    final int size = in.remaining() < Integer.BYTES ? -1 : in.getInt();
    if (size < 0 || size > in.remaining()) {
      throw ColumnFormatException.damaged(
          column.displayName(),
          "the bitmap of nulls in front of its hash index has " + size + " bytes, but there are only " + in.remaining()
      );
    }
    in.position(in.position() + size);
    final ByteBuffer bytes = in.slice();
    return new HashIndexPart(HashIndex.read(column.displayName(), in, column.numRows()), bytes);
  }
}
