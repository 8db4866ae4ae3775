// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.primitives.Doubles;
import javax.annotation.Nullable;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.BaseSingleValueDimensionSelector;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.vector.ReadableVectorInspector;
import org.apache.druid.segment.vector.ReadableVectorOffset;
import org.apache.druid.segment.vector.VectorObjectSelector;
import org.apache.druid.segment.vector.VectorValueSelector;

/** Selectors of one element of the arrays of a field. Other values, and shorter arrays, have no such element. */
final class ElementSelectors {
  private ElementSelectors() {}

  @Nullable
  private static Object element(@Nullable Object value, int number) {
    return value instanceof Object[] array && number < array.length ? array[number] : null;
  }

  /** Returns a selector of the elements as texts. */
  static DimensionSelector texts(ColumnValueSelector<?> arrays, int number) {
    return new BaseSingleValueDimensionSelector() {
      @Nullable
      @Override
      protected String getValue() {
        @Nullable final Object element = element(arrays.getObject(), number);
        return element == null ? null : String.valueOf(element);
      }

      @Override
      public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
        arrays.inspectRuntimeShape(inspector);
      }
    };
  }

  /** Returns a selector of the elements. As numbers, those that are none are null. */
  static ColumnValueSelector<Object> values(ColumnValueSelector<?> arrays, int number) {
    return new ColumnValueSelector<>() {
      private Number number() {
        return getObject() instanceof Number element ? element : 0;
      }

      @Override
      public boolean isNull() {
        return !(getObject() instanceof Number);
      }

      @Override
      public long getLong() {
        return number().longValue();
      }

      @Override
      public float getFloat() {
        return number().floatValue();
      }

      @Override
      public double getDouble() {
        return number().doubleValue();
      }

      @Nullable
      @Override
      public Object getObject() {
        return element(arrays.getObject(), number);
      }

      @Override
      public Class<Object> classOfObject() {
        return Object.class;
      }

      @Override
      public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
        arrays.inspectRuntimeShape(inspector);
      }
    };
  }

  /** Returns a selector of vectors of the elements. */
  static VectorObjectSelector objects(VectorObjectSelector arrays, int number, ReadableVectorOffset offset) {
    return new VectorOfObjects(offset) {
      @Override
      void fill(Object[] vector) {
        final Object[] values = arrays.getObjectVector();
        for (int i = 0; i < arrays.getCurrentVectorSize(); i++) {
          vector[i] = element(values[i], number);
        }
      }
    };
  }

  /** Returns a selector of vectors of the elements as numbers. Texts are parsed; those that are no number are null. */
  static VectorValueSelector numbers(VectorObjectSelector arrays, int number, ReadableVectorOffset offset) {
    return new Numbers(arrays, number, offset);
  }

  private static final class Numbers implements VectorValueSelector {
    private final VectorObjectSelector arrays;
    private final int number;
    private final ReadableVectorOffset offset;
    private final long[] longs;
    private final float[] floats;
    private final double[] doubles;
    private final boolean[] nulls;
    private int id = ReadableVectorInspector.NULL_ID;

    private Numbers(VectorObjectSelector arrays, int number, ReadableVectorOffset offset) {
      this.arrays = arrays;
      this.number = number;
      this.offset = offset;
      this.longs = new long[offset.getMaxVectorSize()];
      this.floats = new float[offset.getMaxVectorSize()];
      this.doubles = new double[offset.getMaxVectorSize()];
      this.nulls = new boolean[offset.getMaxVectorSize()];
    }

    private void compute() {
      if (id == offset.getId()) {
        return;
      }
      final Object[] values = arrays.getObjectVector();
      for (int i = 0; i < arrays.getCurrentVectorSize(); i++) {
        @Nullable final Number parsed = parse(element(values[i], number));
        nulls[i] = parsed == null;
        longs[i] = parsed == null ? 0 : parsed.longValue();
        floats[i] = parsed == null ? 0 : parsed.floatValue();
        doubles[i] = parsed == null ? 0 : parsed.doubleValue();
      }
      id = offset.getId();
    }

    @Nullable
    private static Number parse(@Nullable Object element) {
      if (element instanceof Number value) {
        return value;
      }
      return element instanceof String text ? Doubles.tryParse(text) : null;
    }

    @Override
    public long[] getLongVector() {
      compute();
      return longs;
    }

    @Override
    public float[] getFloatVector() {
      compute();
      return floats;
    }

    @Override
    public double[] getDoubleVector() {
      compute();
      return doubles;
    }

    @Override
    public boolean[] getNullVector() {
      compute();
      return nulls;
    }

    @Override
    public int getMaxVectorSize() {
      return offset.getMaxVectorSize();
    }

    @Override
    public int getCurrentVectorSize() {
      return offset.getCurrentVectorSize();
    }
  }
}
