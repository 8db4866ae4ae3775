// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.tool.encoding.RowValues;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.Closeable;
import java.util.BitSet;
import java.util.OptionalInt;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.IndexedInts;

/**
 * Reader of a possibly damaged row part. It reads in vectors and row by row, requires equal results, and reports at
 * which rows it stopped.
 */
public final class RowReader {
  private static final int VECTOR_SIZE = 512;

  private final RowPart part;

  private RowReader(RowPart part) {
    this.part = part;
  }

  /**
   * Reads all rows.
   *
   * @param numRows number of rows of the table, if known
   * @throws Damage if a row cannot be read or has an id outside of the dictionary, or if the number of rows is wrong
   */
  public static RowValues read(RowPart part, OptionalInt numRows) {
    return Damage.reading("the row part", () -> {
      try (Closeable opened = part.column().get()) {
        return new RowReader(part).read(opened, numRows);
      }
    });
  }

  private RowValues read(Closeable opened, OptionalInt numRows) {
    if (opened instanceof ColumnarInts ints) {
      check(ints.size(), ints::get, numRows);
      return checkBounds(new RowValues.Ids(ids(ints), part.cardinality()));
    }
    if (opened instanceof ColumnarMultiInts multi) {
      check(multi.size(), multi::get, numRows);
      return checkBounds(multiIds(multi));
    }
    if (opened instanceof ColumnarLongs longs) {
      check(longs.size(), longs::get, numRows);
      return longs(longs);
    }
    if (opened instanceof ColumnarFloats floats) {
      check(floats.size(), floats::get, numRows);
      return floats(floats);
    }
    final ColumnarDoubles doubles = (ColumnarDoubles) opened;
    check(doubles.size(), doubles::get, numRows);
    return doubles(doubles);
  }

  private int[] ids(ColumnarInts column) {
    final int[] values = new int[column.size()];
    forEachVector(values.length, (start, length) -> {
      column.get(values, start, start, length);
      for (int row = start; row < start + length; row++) {
        final int alone = column.get(row);
        if (alone != values[row]) {
          throw contradiction(row, alone, values[row]);
        }
      }
    });
    return values;
  }

  private RowValues longs(ColumnarLongs column) {
    final long[] values = new long[column.size()];
    forEachVector(values.length, (start, length) -> {
      column.get(values, start, start, length);
      for (int row = start; row < start + length; row++) {
        final long alone = column.get(row);
        if (alone != values[row]) {
          throw contradiction(row, alone, values[row]);
        }
      }
    });
    return new RowValues.Longs(values, nulls(values.length));
  }

  private RowValues floats(ColumnarFloats column) {
    final float[] values = new float[column.size()];
    forEachVector(values.length, (start, length) -> {
      final float[] vector = new float[length];
      column.get(vector, start, length);
      System.arraycopy(vector, 0, values, start, length);
      for (int row = start; row < start + length; row++) {
        final float alone = column.get(row);
        if (Float.floatToRawIntBits(alone) != Float.floatToRawIntBits(values[row])) {
          throw contradiction(row, alone, values[row]);
        }
      }
    });
    return new RowValues.Floats(values, nulls(values.length));
  }

  private RowValues doubles(ColumnarDoubles column) {
    final double[] values = new double[column.size()];
    forEachVector(values.length, (start, length) -> {
      final double[] vector = new double[length];
      column.get(vector, start, length);
      System.arraycopy(vector, 0, values, start, length);
      for (int row = start; row < start + length; row++) {
        final double alone = column.get(row);
        if (Double.doubleToRawLongBits(alone) != Double.doubleToRawLongBits(values[row])) {
          throw contradiction(row, alone, values[row]);
        }
      }
    });
    return new RowValues.Doubles(values, nulls(values.length));
  }

  private BitSet nulls(int numRows) {
    return Damage.reading("the rows that are null", () -> part.nulls().apply(numRows));
  }

  private RowValues multiIds(ColumnarMultiInts column) {
    final int[] offsets = new int[column.size() + 1];
    // Grows while it is read, because a damaged row may declare any length.
    final IntArrayList ids = new IntArrayList();
    forEachVector(column.size(), (start, length) -> {
      for (int row = start; row < start + length; row++) {
        final IndexedInts values = column.get(row);
        for (int i = 0; i < values.size(); i++) {
          ids.add(values.get(i));
        }
        offsets[row + 1] = ids.size();
      }
    });
    return new RowValues.MultiIds(offsets, ids.toIntArray(), part.cardinality());
  }

  private RowValues checkBounds(RowValues values) {
    final RowValues.MultiIds multi = values instanceof RowValues.MultiIds m ? m : null;
    final int[] ids = multi == null ? ((RowValues.Ids) values).ids() : multi.ids();
    int row = 0;
    for (int i = 0; i < ids.length; i++) {
      while (multi != null && multi.offsets()[row + 1] <= i) {
        row++;
      }
      if (ids[i] < 0 || ids[i] >= part.cardinality()) {
        final int at = multi == null ? i : row;
        throw new Damage("row " + at + Place.of(part, at, i) + " has id " + ids[i] + ", but the dictionary has "
            + part.cardinality() + " values");
      }
    }
    return values;
  }

  private interface Vector {
    void read(int start, int length);
  }

  private void forEachVector(int size, Vector vector) {
    for (int start = 0; start < size; start += VECTOR_SIZE) {
      final int from = start;
      final int length = Math.min(VECTOR_SIZE, size - start);
      Damage.reading("rows " + from + " to " + (from + length - 1), () -> {
        vector.read(from, length);
        return length;
      });
    }
  }

  private interface Single {
    Object get(int row);
  }

  /**
   * Checks the number of rows, and reads the last one, before an array for all is allocated. A damaged head may declare
   * any number of rows.
   */
  private static void check(int size, Single single, OptionalInt numRows) {
    if (numRows.isPresent() && size != numRows.getAsInt()) {
      throw new Damage("it has " + size + " rows, but its table has " + numRows.getAsInt());
    }
    if (size > 0) {
      Damage.reading("row " + (size - 1) + ", the last one", () -> single.get(size - 1));
    }
  }

  private Damage contradiction(int row, Object alone, Object inVector) {
    return new Damage("row " + row + Place.of(part, row, row) + ": " + alone + " if read alone, " + inVector
        + " if read with others");
  }
}
