// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import java.util.HashMap;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.query.dimension.DimensionSpec;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.column.ColumnCapabilities;

/**
 * Selectors through which aggregators read an input, one per column. They are shared, because there may be one
 * aggregator per row.
 */
final class InputSelectors implements ColumnSelectorFactory {
  private final ColumnSelectorFactory inputs;
  private final Map<String, ColumnValueSelector<?>> selectors = new HashMap<>();

  InputSelectors(ColumnSelectorFactory inputs) {
    this.inputs = inputs;
  }

  @Override
  public DimensionSelector makeDimensionSelector(DimensionSpec dimensionSpec) {
    return inputs.makeDimensionSelector(dimensionSpec);
  }

  @Override
  public ColumnValueSelector<?> makeColumnValueSelector(String columnName) {
    ColumnValueSelector<?> selector = selectors.get(columnName);
    if (selector == null) {
      // Not computeIfAbsent, because a virtual column requests its own columns recursively.
      selector = inputs.makeColumnValueSelector(columnName);
      selectors.put(columnName, selector);
    }
    return selector;
  }

  @Override
  @Nullable
  public ColumnCapabilities getColumnCapabilities(String column) {
    return inputs.getColumnCapabilities(column);
  }
}
