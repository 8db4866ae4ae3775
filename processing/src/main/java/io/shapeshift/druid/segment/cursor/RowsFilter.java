// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.segment.index.QueriedRows;
import java.util.Set;
import org.apache.druid.query.filter.ColumnIndexSelector;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.ValueMatcher;
import org.apache.druid.query.filter.vector.VectorValueMatcher;
import org.apache.druid.segment.ColumnInspector;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.filter.TrueFilter;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.SimpleImmutableBitmapIndex;
import org.apache.druid.segment.vector.VectorColumnSelectorFactory;

/**
 * Filter that matches the rows of the query's interval. Its index finds them at once. Its matcher accepts every row,
 * because the cursor drops rows outside the interval anyway.
 */
record RowsFilter(QueriedRows rows) implements Filter {
  @Override
  public BitmapColumnIndex getBitmapColumnIndex(ColumnIndexSelector selector) {
    final RowSet run = new RowSet(selector.getNumRows());
    run.addRun(rows.from(), rows.to());
    return new SimpleImmutableBitmapIndex(run.toBitmap(selector.getBitmapFactory()));
  }

  @Override
  public ValueMatcher makeMatcher(ColumnSelectorFactory factory) {
    return TrueFilter.instance().makeMatcher(factory);
  }

  @Override
  public VectorValueMatcher makeVectorMatcher(VectorColumnSelectorFactory factory) {
    return TrueFilter.instance().makeVectorMatcher(factory);
  }

  @Override
  public boolean canVectorizeMatcher(ColumnInspector inspector) {
    return true;
  }

  @Override
  public Set<String> getRequiredColumns() {
    return Set.of();
  }
}
