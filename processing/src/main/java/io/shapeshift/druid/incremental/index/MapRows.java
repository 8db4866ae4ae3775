// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import com.google.common.collect.Iterators;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.data.input.MapBasedRow;
import org.apache.druid.data.input.Row;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.PostAggregator;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.DimensionIndexer;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndex.DimensionDesc;
import org.apache.druid.segment.incremental.IncrementalIndexRow;

/** Rows of an index as maps from names to values, with post-aggregators. */
final class MapRows {
  private MapRows() {
  }

  /** All rows of an index, by time. */
  static Iterable<Row> of(IncrementalIndex index, @Nullable List<PostAggregator> postAggregators, boolean descending) {
    return () -> {
      final Iterator<IncrementalIndexRow> all = index.getFacts().iterator(descending);
      // Read after the rows, so that all their dimensions are included.
      final List<DimensionDesc> dimensions = index.getDimensions();
      return Iterators.transform(all, row -> toMap(index, row, dimensions, postAggregators));
    };
  }

  private static Row toMap(
      IncrementalIndex index,
      IncrementalIndexRow row,
      List<DimensionDesc> dimensions,
      @Nullable List<PostAggregator> postAggregators
  ) {
    final Map<String, Object> event = new LinkedHashMap<>();
    final Object[] values = row.getDims();
    for (int i = 0; i < values.length; i++) {
      event.put(dimensions.get(i).getName(), actualValue(dimensions.get(i), values[i]));
    }
    final AggregatorFactory[] metrics = index.getMetricAggs();
    for (int i = 0; i < metrics.length; i++) {
      event.put(metrics[i].getName(), index.getMetricObjectValue(row.getRowIndex(), i));
    }
    if (postAggregators != null) {
      for (PostAggregator postAggregator : postAggregators) {
        event.put(postAggregator.getName(), postAggregator.compute(event));
      }
    }
    return new MapBasedRow(row.getTimestamp(), event);
  }

  @Nullable
  @SuppressWarnings({"rawtypes", "unchecked"}) // The value has the type of the dimension.
  private static Object actualValue(DimensionDesc dimension, @Nullable Object value) {
    final DimensionHandler handler = dimension.getHandler();
    if (value == null || handler.getLengthOfEncodedKeyComponent(value) == 0) {
      return null;
    }
    final DimensionIndexer indexer = dimension.getIndexer();
    return indexer.convertUnsortedEncodedKeyComponentToActualList(value);
  }
}
