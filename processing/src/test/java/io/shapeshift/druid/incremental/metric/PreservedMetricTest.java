// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.incremental.ShapeShiftAppendableIndexSpec;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Test;

class PreservedMetricTest {
  private final List<String> closed = new ArrayList<>();

  /** Metric whose only method is {@code close}, which fails. */
  private Metric failing(String name) {
    return (Metric) Proxy.newProxyInstance(
        Metric.class.getClassLoader(),
        new Class<?>[] {Metric.class},
        (proxy, method, arguments) -> {
          assertEquals("close", method.getName());
          closed.add(name);
          throw new IllegalStateException(name);
        }
    );
  }

  /** An aggregator of a sketch may hold memory that only its {@code close} frees. */
  @Test
  void bothAreClosedIfOneFails() {
    final Metric metric =
        new PreservedMetric(new CountAggregatorFactory("count"), failing("aggregated"), failing("combined"));
    final RuntimeException error = assertThrows(RuntimeException.class, metric::close);
    closed.sort(null);
    assertEquals(List.of("aggregated", "combined"), closed);
    assertEquals(1, error.getSuppressed().length);
  }

  /** Automatic compaction preserves metrics that are read from segments, which must not take twice the memory. */
  @Test
  void aMetricThatCombinesItsOwnValuesIsKeptOnce() {
    final AggregatorFactory[] metrics = {
        new LongSumAggregatorFactory("sum", "sum"), new LongSumAggregatorFactory("other", "x")
    };
    assertEquals(3, new MetricsBuilder(metrics, true).directBytes().length);
    assertEquals(2, new MetricsBuilder(metrics, false).directBytes().length);
    final IncrementalIndexSchema schema =
        IncrementalIndexSchema.builder().withMetrics(metrics).withRollup(true).build();
    try (IncrementalIndex index =
             new ShapeShiftAppendableIndexSpec(true).builder().setIndexSchema(schema).setMaxRowCount(10).build()) {
      index.add(new MapBasedInputRow(0, List.of(), Map.of("sum", 1, "other", 10)));
      index.add(new MapBasedInputRow(0, List.of(), Map.of("sum", 2, "x", 20)));
      assertEquals(3, index.getMetricLongValue(0, 0));
      assertEquals(30, index.getMetricLongValue(0, 1));
    }
  }
}
