// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Values of a column in one array, as other formats take them. */
sealed interface PlainColumn {
  /** Number of rows. */
  int rows();

  /** Rows without a value. Their elements in the array have no meaning. */
  BitSet nulls();

  /** Bytes as plain binary: 8 for each number, and for each string its UTF-8 and 4 of an offset. */
  long plainBytes();

  /** Longs. */
  @SuppressWarnings("ArrayRecordComponent") // The arrays are only passed on.
  record Longs(long[] values, BitSet nulls) implements PlainColumn {
    @Override
    public int rows() {
      return values.length;
    }

    @Override
    public long plainBytes() {
      return (long) Long.BYTES * values.length;
    }
  }

  /** Doubles. */
  @SuppressWarnings("ArrayRecordComponent") // The arrays are only passed on.
  record Doubles(double[] values, BitSet nulls) implements PlainColumn {
    @Override
    public int rows() {
      return values.length;
    }

    @Override
    public long plainBytes() {
      return (long) Double.BYTES * values.length;
    }
  }

  /** Strings as UTF-8; equal ones share an array. */
  @SuppressWarnings("ArrayRecordComponent") // The arrays are only passed on.
  record Texts(byte[][] values, BitSet nulls) implements PlainColumn {
    @Override
    public int rows() {
      return values.length;
    }

    @Override
    public long plainBytes() {
      long bytes = (long) Integer.BYTES * values.length;
      for (int row = 0; row < values.length; row++) {
        bytes += nulls.get(row) ? 0 : values[row].length;
      }
      return bytes;
    }
  }

  /** Reads a column of a segment; empty if it has floats, or rows of several values. */
  static Optional<PlainColumn> read(EvaluatedColumn column) {
    final RowValues values = column.values(Integer.MAX_VALUE);
    if (values instanceof RowValues.Longs longs) {
      return Optional.of(new Longs(longs.values(), longs.nulls()));
    }
    if (values instanceof RowValues.Doubles doubles) {
      return Optional.of(new Doubles(doubles.values(), doubles.nulls()));
    }
    return values instanceof RowValues.Ids ids ? Optional.of(texts(column, ids)) : Optional.empty();
  }

  private static Texts texts(EvaluatedColumn column, RowValues.Ids ids) {
    final List<String> texts = SegmentColumns.texts(column.segment().toString(), column.name());
    // Null has the first id.
    final int first = ids.cardinality() - texts.size();
    final byte[][] dictionary = new byte[ids.cardinality()][];
    for (int id = first; id < dictionary.length; id++) {
      dictionary[id] = texts.get(id - first).getBytes(StandardCharsets.UTF_8);
    }
    final byte[][] rows = new byte[ids.rows()][];
    final BitSet nulls = new BitSet();
    for (int row = 0; row < rows.length; row++) {
      rows[row] = dictionary[ids.ids()[row]];
      nulls.set(row, ids.ids()[row] < first);
    }
    return new Texts(rows, nulls);
  }
}
