// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer;
import java.io.IOException;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.ColumnValueSelector;

/** The numbers of a field in all rows, passed on to a serializer as the selector that it reads. */
final class RowNumbers implements ColumnValueSelector<Number> {
  private final ShapeShiftingNumbersSerializer out;
  private Number value = 0;

  RowNumbers(ShapeShiftingNumbersSerializer out) {
    this.out = out;
  }

  void addNull() throws IOException {
    out.addNull();
  }

  void add(Number number) throws IOException {
    value = number;
    out.add(this);
  }

  @Override
  public long getLong() {
    return value.longValue();
  }

  @Override
  public double getDouble() {
    return value.doubleValue();
  }

  @Override
  public float getFloat() {
    return value.floatValue();
  }

  @Override
  public boolean isNull() {
    return false;
  }

  @Override
  public Number getObject() {
    return value;
  }

  @Override
  public Class<Number> classOfObject() {
    return Number.class;
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {}
}
