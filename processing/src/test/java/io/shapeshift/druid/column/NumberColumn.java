// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.NumberArrays;
import java.io.Closeable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ReadableOffset;
import org.apache.druid.segment.vector.ReadableVectorOffset;
import org.apache.druid.segment.vector.VectorValueSelector;

/**
 * A column of longs, doubles or floats, ours or Druid's, for tests that are the same for all of them.
 *
 * @param column of the type
 */
public record NumberColumn(NumberType type, Object column) implements Closeable {
  /** A reader of a column. */
  public static NumberColumn of(ShapeShiftingNumbersSupplier<?> supplier) {
    return new NumberColumn(supplier.type(), supplier.get());
  }

  private ColumnarLongs longs() {
    return (ColumnarLongs) column;
  }

  private ColumnarDoubles doubles() {
    return (ColumnarDoubles) column;
  }

  private ColumnarFloats floats() {
    return (ColumnarFloats) column;
  }

  /** Numbers in the column. */
  public int size() {
    return switch (type) {
      case LONG -> longs().size();
      case DOUBLE -> doubles().size();
      case FLOAT -> floats().size();
    };
  }

  /** The bits of a number. */
  public long get(int index) {
    return switch (type) {
      case LONG -> longs().get(index);
      case DOUBLE -> Double.doubleToRawLongBits(doubles().get(index));
      case FLOAT -> NumberArrays.bits(floats().get(index));
    };
  }

  /** Reads to an array of the type. */
  public void get(Object out, int start, int length) {
    switch (type) {
      case LONG -> longs().get((long[]) out, start, length);
      case DOUBLE -> doubles().get((double[]) out, start, length);
      case FLOAT -> floats().get((float[]) out, start, length);
    }
  }

  /** Reads to an array of the type, from an offset on; of floats Druid has no such method. */
  public void get(Object out, int offset, int start, int length) {
    switch (type) {
      case LONG -> longs().get((long[]) out, offset, start, length);
      case DOUBLE -> doubles().get((double[]) out, offset, start, length);
      case FLOAT -> {
        final float[] vector = new float[length];
        floats().get(vector, start, length);
        System.arraycopy(vector, 0, (float[]) out, offset, length);
      }
    }
  }

  /** Reads some positions to an array of the type. */
  public void get(Object out, int[] indexes, int length) {
    switch (type) {
      case LONG -> longs().get((long[]) out, indexes, length);
      case DOUBLE -> doubles().get((double[]) out, indexes, length);
      case FLOAT -> floats().get((float[]) out, indexes, length);
    }
  }

  /** The bits of all numbers. */
  public long[] all() {
    final Object out = NumberArrays.untouched(type, size());
    get(out, 0, size());
    return NumberArrays.bits(out);
  }

  /** What Druid reads row by row with. */
  public ColumnValueSelector<?> selector(ReadableOffset offset, ImmutableBitmap nulls) {
    return switch (type) {
      case LONG -> longs().makeColumnValueSelector(offset, nulls);
      case DOUBLE -> doubles().makeColumnValueSelector(offset, nulls);
      case FLOAT -> floats().makeColumnValueSelector(offset, nulls);
    };
  }

  /** What Druid reads vectors with. */
  public VectorValueSelector vectorSelector(ReadableVectorOffset offset, ImmutableBitmap nulls) {
    return switch (type) {
      case LONG -> longs().makeVectorValueSelector(offset, nulls);
      case DOUBLE -> doubles().makeVectorValueSelector(offset, nulls);
      case FLOAT -> floats().makeVectorValueSelector(offset, nulls);
    };
  }

  @Override
  public void close() {
    switch (type) {
      case LONG -> longs().close();
      case DOUBLE -> doubles().close();
      case FLOAT -> floats().close();
    }
  }
}
