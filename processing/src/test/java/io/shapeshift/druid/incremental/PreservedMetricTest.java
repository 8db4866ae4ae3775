// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.junit.jupiter.api.Test;

class PreservedMetricTest {
  private final List<String> closed = new ArrayList<>();

  /** A metric that can only be closed, and fails at it. */
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

  /** An aggregator of a sketch may hold memory that nobody else frees. */
  @Test
  void bothAreClosedIfOneFails() {
    final Metric metric =
        new PreservedMetric(new CountAggregatorFactory("count"), failing("aggregated"), failing("combined"));
    final RuntimeException error = assertThrows(RuntimeException.class, metric::close);
    closed.sort(null);
    assertEquals(List.of("aggregated", "combined"), closed);
    assertEquals(1, error.getSuppressed().length);
  }
}
