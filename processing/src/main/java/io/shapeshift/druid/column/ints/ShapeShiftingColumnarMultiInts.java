// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.ints;

import io.shapeshift.druid.column.ColumnFormatException;
import java.util.Iterator;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.data.IndexedIterable;
import org.apache.druid.segment.data.SliceIndexedInts;

/** Rows with several ints each, with Druid's interface: a column of offsets and a column of values. */
public final class ShapeShiftingColumnarMultiInts implements ColumnarMultiInts {
  private final String column;
  private final ShapeShiftingColumnarInts offsets;
  private final ShapeShiftingColumnarInts values;
  private final SliceIndexedInts row;

  ShapeShiftingColumnarMultiInts(
      String column,
      ShapeShiftingColumnarInts offsets,
      ShapeShiftingColumnarInts values
  ) {
    this.column = column;
    this.offsets = offsets;
    this.values = values;
    this.row = new SliceIndexedInts(values);
  }

  @Override
  public int size() {
    return offsets.size() - 1;
  }

  @Override
  public IndexedInts get(int index) {
    return slice(index, row);
  }

  @Override
  public IndexedInts getUnshared(int index) {
    return slice(index, new SliceIndexedInts(values));
  }

  private IndexedInts slice(int index, SliceIndexedInts slice) {
    final int start = offsets.get(index);
    final int end = offsets.get(index + 1);
    if (start < 0 || start > end || end > values.size()) {
      throw ColumnFormatException.damaged(
          column,
          "the values of row " + index + " go from " + start + " to " + end + ", of " + values.size()
      );
    }
    slice.setValues(start, end - start);
    return slice;
  }

  @Override
  public int indexOf(IndexedInts value) {
    throw new UnsupportedOperationException("Reverse lookup is not possible");
  }

  @Override
  public Iterator<IndexedInts> iterator() {
    return IndexedIterable.create(this).iterator();
  }

  @Override
  public void close() {
    offsets.close();
    values.close();
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
    inspector.visit("offsets", offsets);
    inspector.visit("values", values);
  }
}
