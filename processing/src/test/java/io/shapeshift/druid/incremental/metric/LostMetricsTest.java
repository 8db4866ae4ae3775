// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.FilteredAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.first.LongFirstAggregatorFactory;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.junit.jupiter.api.Test;

class LostMetricsTest {
  private static final AggregatorFactory[] METRICS = {
      new CountAggregatorFactory("count"),
      new LongSumAggregatorFactory("sum_added", "added"),
      new LongSumAggregatorFactory("delta", "delta")
  };

  private static List<String> lost(String... columns) {
    return lost(METRICS, columns);
  }

  private static List<String> lost(AggregatorFactory[] metrics, String... columns) {
    final Map<String, Object> event = new HashMap<>();
    for (String column : columns) {
      event.put(column, 1);
    }
    return LostMetrics.of(metrics, event);
  }

  @Test
  void rowsOfSegmentsLoseWhatIsMadeOfColumnsThatTheyDoNotHave() {
    assertEquals(List.of("count", "sum_added"), lost("count", "sum_added", "delta"));
  }

  /**
   * Rows of segments have the time and the columns of a metric's filter, but not the columns that it is computed from.
   */
  @Test
  void filtersAndTheTimeAreNotWhatMetricsAreMadeOf() {
    final AggregatorFactory[] metrics = {
        new FilteredAggregatorFactory(
            new LongSumAggregatorFactory("sum_added", "added"), new SelectorDimFilter("page", "a", null), "sum_added"),
        new LongFirstAggregatorFactory("first", "added", null),
        new LongSumAggregatorFactory("sum", null, "added + deleted", ExprMacroTable.nil())
    };
    assertEquals(List.of("sum_added", "first"), lost(metrics, "__time", "page", "sum_added", "first"));
    assertEquals(List.of(), lost(metrics, "page", "added", "sum_added", "first"));
    assertEquals(List.of("sum"), lost(metrics, "added", "sum"));
    assertEquals(List.of(), lost(metrics, "added", "deleted", "sum"));
  }

  @Test
  void inputsOfPlainIngestionLoseNothing() {
    assertEquals(List.of(), lost("added", "delta", "page"));
    assertEquals(List.of(), lost("added", "sum_added"));
    assertEquals(List.of(), lost("page"));
  }
}
