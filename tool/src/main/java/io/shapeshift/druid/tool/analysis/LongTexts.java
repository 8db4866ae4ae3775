// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.encoding.EncodedHashIndex;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.data.Indexed;

/** String columns whose texts are all longs, so that they could be columns of longs. */
final class LongTexts {
  private LongTexts() {}

  /**
   * Size in bytes of a column that is like a key as longs with a hash index, without its bitmap of nulls.
   *
   * @return null if the column is none of strings with few rows per text, or a text is not as Java writes a long
   * @throws IOException if the system's temporary directory is full
   */
  @Nullable
  static Long bytesAsLong(SegmentColumn column, RowValues values, BlockSize blockSize) throws IOException {
    @Nullable final DictionaryPart dictionary = column.parts().dictionary();
    if (!(values instanceof RowValues.Ids ids)
        || dictionary == null
        || column.isAuto()
        || !Variants.isNearlyUnique(ids.rows(), ids.cardinality())) {
      return null;
    }
    @Nullable final RowValues.Longs longs = longs(ids, dictionary.values().get());
    if (longs == null) {
      return null;
    }
    final String name = column.displayName();
    try (EncodedRows rows = RowEncodings.shapeShifting(OptimizationTarget.FASTBUTSMALLISH, blockSize).forLookUps()
        .encode(name, longs);
         EncodedHashIndex index = EncodedHashIndex.of(name, longs, OptimizationTarget.FASTBUTSMALLISH)) {
      return index == null ? null : (long) rows.sizeInBytes() + index.sizeInBytes();
    }
  }

  @Nullable
  private static RowValues.Longs longs(RowValues.Ids ids, Indexed<ByteBuffer> texts) {
    final long[] ofTexts = new long[texts.size()];
    int idOfNull = -1;
    for (int id = 0; id < texts.size(); id++) {
      @Nullable final ByteBuffer text = texts.get(id);
      if (text == null) {
        idOfNull = id;
        continue;
      }
      final String written = StringUtils.fromUtf8(text.duplicate());
      try {
        ofTexts[id] = Long.parseLong(written);
      } catch (NumberFormatException e) {
        return null;
      }
      if (!Long.toString(ofTexts[id]).equals(written)) {
        return null;
      }
    }
    final long[] values = new long[ids.rows()];
    final BitSet nulls = new BitSet();
    for (int row = 0; row < values.length; row++) {
      values[row] = ofTexts[ids.ids()[row]];
      nulls.set(row, ids.ids()[row] == idOfNull);
    }
    return new RowValues.Longs(values, nulls);
  }
}
