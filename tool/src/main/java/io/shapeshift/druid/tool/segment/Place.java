// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.Piece;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Description of a value's place in the bytes of a row part. */
public final class Place {
  /** Offset of the number of values per block in Druid's heads of compressed ids. */
  private static final int IDS_SIZE_OFFSET = 6;
  private static final int NUMBERS_SIZE_OFFSET = 5;

  private Place() {}

  /**
   * Describes the chunk and its offset in the row part, or the stock block, that has a value.
   *
   * @param part  row part
   * @param row   row of the value
   * @param value position of the value among the values of all rows, for a multi-value column
   * @return description such as " (chunk 3 at offset 4711)" or " (block 0)"; empty without chunks or blocks
   */
  public static String of(RowPart part, int row, int value) {
    final List<Piece<?>> pieces = Piece.of(part.column());
    if (pieces.size() == 1) {
      return " (" + chunk(pieces.get(0), row, 0) + ")";
    }
    if (pieces.size() == 2) {
      final ColumnData<?> ofOffsets = pieces.get(0).data();
      final String offsets = chunk(pieces.get(0), row, 0) + " of the offsets";
      return value < pieces.get(1).data().header().numValues()
             ? " (" + offsets + ", " + chunk(pieces.get(1), value, ofOffsets.sizeInBytes()) + " of the values)"
             : " (" + offsets + ")";
    }
    return part.encoding().equals("uncompressed") && part.type() == EncodedType.INT
           ? ""
           : " (block " + row / valuesPerBlock(part) + ")";
  }

  /** Describes the place of a row's value, or of its first value in a multi-value column. */
  public static String of(RowPart part, RowValues values, int row) {
    return of(part, row, values instanceof RowValues.MultiIds multi ? multi.offsets()[row] : row);
  }

  private static String chunk(Piece<?> piece, int position, int start) {
    final ColumnData<?> data = piece.data();
    final ChunkInfo chunk = data.chunkOfBlock(position >> data.header().logValuesPerBlock());
    return "chunk " + chunk.number() + " at offset " + (start + chunk.offset());
  }

  private static int valuesPerBlock(RowPart part) {
    final ByteBuffer head = part.bytes().duplicate().order(ByteOrder.BIG_ENDIAN);
    return Math.max(1, head.getInt(part.type() == EncodedType.INT ? IDS_SIZE_OFFSET : NUMBERS_SIZE_OFFSET));
  }
}
