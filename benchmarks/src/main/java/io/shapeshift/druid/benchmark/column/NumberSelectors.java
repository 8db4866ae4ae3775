// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import org.apache.druid.query.dimension.DimensionSpec;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.vector.MultiValueDimensionVectorSelector;
import org.apache.druid.segment.vector.ReadableVectorInspector;
import org.apache.druid.segment.vector.SingleValueDimensionVectorSelector;
import org.apache.druid.segment.vector.VectorColumnSelectorFactory;
import org.apache.druid.segment.vector.VectorObjectSelector;
import org.apache.druid.segment.vector.VectorOffset;
import org.apache.druid.segment.vector.VectorValueSelector;

/**
 * The selectors that Druid's vectorized matcher of a filter on numbers needs. Each requested column is the same column.
 *
 * @param offset       the rows
 * @param numbers      of any column that is asked for
 * @param capabilities of that column
 */
public record NumberSelectors(VectorOffset offset, VectorValueSelector numbers, ColumnCapabilities capabilities)
    implements VectorColumnSelectorFactory {
  @Override
  public ReadableVectorInspector getReadableVectorInspector() {
    return offset;
  }

  @Override
  public VectorValueSelector makeValueSelector(String column) {
    return numbers;
  }

  @Override
  public ColumnCapabilities getColumnCapabilities(String column) {
    return capabilities;
  }

  @Override
  public SingleValueDimensionVectorSelector makeSingleValueDimensionSelector(DimensionSpec dimensionSpec) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MultiValueDimensionVectorSelector makeMultiValueDimensionSelector(DimensionSpec dimensionSpec) {
    throw new UnsupportedOperationException();
  }

  @Override
  public VectorObjectSelector makeObjectSelector(String column) {
    throw new UnsupportedOperationException();
  }
}
