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

/** Says where in the bytes of a column's row part a value is. */
public final class Place {
  /** Where Druid's heads of compressed blocks keep the number of values in each. */
  private static final int IDS_SIZE_OFFSET = 6;
  private static final int NUMBERS_SIZE_OFFSET = 5;

  private Place() {}

  /**
   * Chunk and offset in the row part, or Druid's block, in which a value is.
   *
   * @param part  the row part
   * @param row   a row
   * @param value position of the value among those of all rows; only where a row may have several
   * @return such as " (chunk 3 at offset 4711)" or " (block 0)"; empty where there is no such thing
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

  /** Where the value of a row is that has one, or the first of a row with several. */
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
