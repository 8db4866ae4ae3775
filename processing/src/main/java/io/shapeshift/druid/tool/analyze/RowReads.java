// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import java.io.Closeable;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.IndexedInts;

/**
 * Reads an opened column as Druid's vectorized engines do: all of it, or rows by their positions, in vectors of
 * {@value #VECTOR_SIZE}. Each read returns a number that depends on what was read, so that no compiler leaves it out.
 */
abstract sealed class RowReads {
  static final int VECTOR_SIZE = 512;

  private final int rows;
  private final int[] indexes = new int[VECTOR_SIZE];

  private RowReads(int rows) {
    this.rows = rows;
  }

  static RowReads of(Closeable column) {
    if (column instanceof ColumnarInts ints) {
      return new Ints(ints);
    }
    if (column instanceof ColumnarMultiInts multi) {
      return new MultiInts(multi);
    }
    if (column instanceof ColumnarLongs longs) {
      return new Longs(longs);
    }
    if (column instanceof ColumnarFloats floats) {
      return new Floats(floats);
    }
    return new Doubles((ColumnarDoubles) column);
  }

  /** Rows of the column. */
  final int rows() {
    return rows;
  }

  /** Reads all rows. */
  final long scan() {
    long sum = 0;
    for (int start = 0; start < rows; start += VECTOR_SIZE) {
      sum += read(start, Math.min(VECTOR_SIZE, rows - start));
    }
    return sum;
  }

  /** Reads the rows at these positions, which ascend. */
  final long select(int[] positions) {
    long sum = 0;
    for (int start = 0; start < positions.length; start += VECTOR_SIZE) {
      final int length = Math.min(VECTOR_SIZE, positions.length - start);
      System.arraycopy(positions, start, indexes, 0, length);
      sum += read(indexes, length);
    }
    return sum;
  }

  abstract long read(int start, int length);

  abstract long read(int[] positions, int length);

  private static final class Ints extends RowReads {
    private final ColumnarInts column;
    private final int[] vector = new int[VECTOR_SIZE];

    private Ints(ColumnarInts column) {
      super(column.size());
      this.column = column;
    }

    @Override
    long read(int start, int length) {
      column.get(vector, start, length);
      return vector[length - 1];
    }

    @Override
    long read(int[] positions, int length) {
      column.get(vector, positions, length);
      return vector[length - 1];
    }
  }

  /** Rows of several values: Druid hands them out one by one, and its engines then read each value. */
  private static final class MultiInts extends RowReads {
    private final ColumnarMultiInts column;

    private MultiInts(ColumnarMultiInts column) {
      super(column.size());
      this.column = column;
    }

    @Override
    long read(int start, int length) {
      long sum = 0;
      for (int row = start; row < start + length; row++) {
        sum += read(row);
      }
      return sum;
    }

    @Override
    long read(int[] positions, int length) {
      long sum = 0;
      for (int i = 0; i < length; i++) {
        sum += read(positions[i]);
      }
      return sum;
    }

    private long read(int row) {
      final IndexedInts values = column.get(row);
      long sum = 0;
      for (int i = 0; i < values.size(); i++) {
        sum += values.get(i);
      }
      return sum;
    }
  }

  private static final class Longs extends RowReads {
    private final ColumnarLongs column;
    private final long[] vector = new long[VECTOR_SIZE];

    private Longs(ColumnarLongs column) {
      super(column.size());
      this.column = column;
    }

    @Override
    long read(int start, int length) {
      column.get(vector, start, length);
      return vector[length - 1];
    }

    @Override
    long read(int[] positions, int length) {
      column.get(vector, positions, length);
      return vector[length - 1];
    }
  }

  private static final class Floats extends RowReads {
    private final ColumnarFloats column;
    private final float[] vector = new float[VECTOR_SIZE];

    private Floats(ColumnarFloats column) {
      super(column.size());
      this.column = column;
    }

    @Override
    long read(int start, int length) {
      column.get(vector, start, length);
      return Float.floatToRawIntBits(vector[length - 1]);
    }

    @Override
    long read(int[] positions, int length) {
      column.get(vector, positions, length);
      return Float.floatToRawIntBits(vector[length - 1]);
    }
  }

  private static final class Doubles extends RowReads {
    private final ColumnarDoubles column;
    private final double[] vector = new double[VECTOR_SIZE];

    private Doubles(ColumnarDoubles column) {
      super(column.size());
      this.column = column;
    }

    @Override
    long read(int start, int length) {
      column.get(vector, start, length);
      return Double.doubleToRawLongBits(vector[length - 1]);
    }

    @Override
    long read(int[] positions, int length) {
      column.get(vector, positions, length);
      return Double.doubleToRawLongBits(vector[length - 1]);
    }
  }
}
