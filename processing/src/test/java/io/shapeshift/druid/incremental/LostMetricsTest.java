// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.junit.jupiter.api.Test;

class LostMetricsTest {
  private static final AggregatorFactory[] METRICS = {
      new CountAggregatorFactory("count"),
      new LongSumAggregatorFactory("sum_added", "added"),
      new LongSumAggregatorFactory("delta", "delta")
  };

  private static List<String> lost(String... columns) {
    final Map<String, Object> event = new HashMap<>();
    for (String column : columns) {
      event.put(column, 1);
    }
    return LostMetrics.of(METRICS, event);
  }

  @Test
  void rowsOfSegmentsLoseWhatIsMadeOfColumnsThatTheyDoNotHave() {
    assertEquals(List.of("count", "sum_added"), lost("count", "sum_added", "delta"));
  }

  @Test
  void inputsOfPlainIngestionLoseNothing() {
    assertEquals(List.of(), lost("added", "delta", "page"));
    assertEquals(List.of(), lost("added", "sum_added"));
    assertEquals(List.of(), lost("page"));
  }
}
