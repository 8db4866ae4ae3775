// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.tool.segment.Druid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.vector.NoFilterVectorOffset;
import org.apache.druid.segment.vector.SingleValueDimensionVectorSelector;
import org.apache.druid.segment.vector.VectorOffset;
import org.apache.druid.segment.vector.VectorValueSelector;

/**
 * Column of a segment, Druid's or ours, as Druid's vectorized engines read it. Of strings, each value of the dictionary
 * is decoded once.
 *
 * @param index  open segment
 * @param column name of a column of longs, doubles or strings of one value in each row
 */
record SegmentColumnScan(QueryableIndex index, String column) implements OpenColumn {
  private static final int VECTOR = 512;

  static SegmentColumnScan open(Path segment, String column) throws IOException {
    return new SegmentColumnScan(Druid.instance(IndexIO.class).loadIndex(segment.toFile()), column);
  }

  @Override
  public void decode(VectorSink sink) throws IOException {
    final ColumnHolder holder = Objects.requireNonNull(index.getColumnHolder(column));
    final VectorOffset offset = new NoFilterVectorOffset(VECTOR, 0, index.getNumRows());
    try (BaseColumn opened = (BaseColumn) holder.getColumn()) {
      final ColumnType type = holder.getCapabilities().toColumnType();
      if (type.is(ValueType.STRING)) {
        texts((DictionaryEncodedColumn<?>) opened, offset, sink);
        return;
      }
      final VectorValueSelector selector = opened.makeVectorValueSelector(offset);
      final boolean isLong = type.is(ValueType.LONG);
      for (; !offset.isDone(); offset.advance()) {
        if (isLong) {
          sink.longs(selector.getLongVector(), selector.getNullVector(), offset.getCurrentVectorSize());
        } else {
          sink.doubles(selector.getDoubleVector(), selector.getNullVector(), offset.getCurrentVectorSize());
        }
      }
    }
  }

  private static void texts(DictionaryEncodedColumn<?> column, VectorOffset offset, VectorSink sink) {
    final SingleValueDimensionVectorSelector selector = column.makeSingleValueDimensionVectorSelector(offset);
    final ByteBuffer[] dictionary = new ByteBuffer[selector.getValueCardinality()];
    for (int id = 0; id < dictionary.length; id++) {
      dictionary[id] = selector.lookupNameUtf8(id);
    }
    final ByteBuffer[] texts = new ByteBuffer[VECTOR];
    for (; !offset.isDone(); offset.advance()) {
      final int[] ids = selector.getRowVector();
      final int length = offset.getCurrentVectorSize();
      for (int i = 0; i < length; i++) {
        texts[i] = dictionary[ids[i]];
      }
      sink.texts(i -> copy(texts[i]), length);
    }
  }

  @Nullable
  private static byte[] copy(@Nullable ByteBuffer text) {
    if (text == null) {
      return null;
    }
    final byte[] bytes = new byte[text.remaining()];
    text.duplicate().get(bytes);
    return bytes;
  }

  @Override
  public void close() {
    index.close();
  }
}
