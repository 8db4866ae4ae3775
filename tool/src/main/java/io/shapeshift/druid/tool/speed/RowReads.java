// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import java.io.Closeable;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.IndexedInts;

/**
 * Reader of an opened column as in Druid's engines: all of it, or rows by position, either in vectors of
 * {@value #VECTOR_SIZE} or row by row. Each read returns a number that depends on all values, so that the compiler does
 * not remove it.
 */
public abstract sealed class RowReads {
  static final int VECTOR_SIZE = 512;

  /** Buffers of a reader, allocated once, so that opening a column costs no more than in Druid. */
  public static final class Vectors {
    private final int[] indexes = new int[VECTOR_SIZE];
    private final int[] ints = new int[VECTOR_SIZE];
    private final long[] longs = new long[VECTOR_SIZE];
    private final float[] floats = new float[VECTOR_SIZE];
    private final double[] doubles = new double[VECTOR_SIZE];
  }

  private final int rows;
  private final int[] indexes;

  private RowReads(int rows, Vectors vectors) {
    this.rows = rows;
    this.indexes = vectors.indexes;
  }

  /**
   * Creates a reader of a column.
   *
   * @param column columnar ints, multi ints, longs, floats or doubles
   */
  public static RowReads of(Closeable column, Vectors vectors) {
    if (column instanceof ColumnarInts ints) {
      return new Ints(ints, vectors);
    }
    if (column instanceof ColumnarMultiInts multi) {
      return new MultiInts(multi, vectors);
    }
    if (column instanceof ColumnarLongs longs) {
      return new Longs(longs, vectors);
    }
    if (column instanceof ColumnarFloats floats) {
      return new Floats(floats, vectors);
    }
    return new Doubles((ColumnarDoubles) column, vectors);
  }

  /**
   * Ascending random positions of a share of the rows; the same in each call.
   *
   * @param rows  number of rows, at least 1
   * @param share share of the rows, more than 0 and at most 1; there is at least one position
   */
  public static int[] positions(int rows, double share) {
    if (share == 1) {
      return IntStream.range(0, rows).toArray();
    }
    final long count = Math.max(1, Math.round(rows * share));
    // One row from each of count equal stretches: nearly as random as distinct positions, and already sorted.
    final Random random = new Random(rows);
    return IntStream.range(0, (int) count).map(i -> {
      final long from = i * (long) rows / count;
      final long to = (i + 1) * (long) rows / count;
      return (int) (from + random.nextInt((int) (to - from)));
    }).toArray();
  }

  /** Number of rows of the column. */
  final int rows() {
    return rows;
  }

  /** Reads all rows, vector by vector. */
  public final long scan() {
    long sum = 0;
    for (int start = 0; start < rows; start += VECTOR_SIZE) {
      sum += read(start, Math.min(VECTOR_SIZE, rows - start));
    }
    return sum;
  }

  /** Reads the rows at ascending positions, vector by vector. */
  public final long select(int[] positions) {
    long sum = 0;
    for (int start = 0; start < positions.length; start += VECTOR_SIZE) {
      final int length = Math.min(VECTOR_SIZE, positions.length - start);
      System.arraycopy(positions, start, indexes, 0, length);
      sum += read(indexes, length);
    }
    return sum;
  }

  /** Reads all rows one at a time. */
  public abstract long scanSingly();

  /** Reads the rows at positions one at a time. */
  public abstract long selectSingly(int[] positions);

  abstract long read(int start, int length);

  abstract long read(int[] positions, int length);

  private static final class Ints extends RowReads {
    private final ColumnarInts column;
    private final int[] vector;

    private Ints(ColumnarInts column, Vectors vectors) {
      super(column.size(), vectors);
      this.column = column;
      this.vector = vectors.ints;
    }

    @Override
    public long scanSingly() {
      long sum = 0;
      for (int row = 0, end = rows(); row < end; row++) {
        sum += column.get(row);
      }
      return sum;
    }

    @Override
    public long selectSingly(int[] positions) {
      long sum = 0;
      for (int position : positions) {
        sum += column.get(position);
      }
      return sum;
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

  /** Multi-value rows. Druid returns one row at a time, and its engines then read each value. */
  private static final class MultiInts extends RowReads {
    private final ColumnarMultiInts column;

    private MultiInts(ColumnarMultiInts column, Vectors vectors) {
      super(column.size(), vectors);
      this.column = column;
    }

    @Override
    public long scanSingly() {
      return read(0, rows());
    }

    @Override
    public long selectSingly(int[] positions) {
      return read(positions, positions.length);
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
    private final long[] vector;

    private Longs(ColumnarLongs column, Vectors vectors) {
      super(column.size(), vectors);
      this.column = column;
      this.vector = vectors.longs;
    }

    @Override
    public long scanSingly() {
      long sum = 0;
      for (int row = 0, end = rows(); row < end; row++) {
        sum += column.get(row);
      }
      return sum;
    }

    @Override
    public long selectSingly(int[] positions) {
      long sum = 0;
      for (int position : positions) {
        sum += column.get(position);
      }
      return sum;
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
    private final float[] vector;

    private Floats(ColumnarFloats column, Vectors vectors) {
      super(column.size(), vectors);
      this.column = column;
      this.vector = vectors.floats;
    }

    @Override
    public long scanSingly() {
      long sum = 0;
      for (int row = 0, end = rows(); row < end; row++) {
        sum += Float.floatToRawIntBits(column.get(row));
      }
      return sum;
    }

    @Override
    public long selectSingly(int[] positions) {
      long sum = 0;
      for (int position : positions) {
        sum += Float.floatToRawIntBits(column.get(position));
      }
      return sum;
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
    private final double[] vector;

    private Doubles(ColumnarDoubles column, Vectors vectors) {
      super(column.size(), vectors);
      this.column = column;
      this.vector = vectors.doubles;
    }

    @Override
    public long scanSingly() {
      long sum = 0;
      for (int row = 0, end = rows(); row < end; row++) {
        sum += Double.doubleToRawLongBits(column.get(row));
      }
      return sum;
    }

    @Override
    public long selectSingly(int[] positions) {
      long sum = 0;
      for (int position : positions) {
        sum += Double.doubleToRawLongBits(column.get(position));
      }
      return sum;
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
