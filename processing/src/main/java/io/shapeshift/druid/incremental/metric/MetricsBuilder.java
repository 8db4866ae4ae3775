// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import io.shapeshift.druid.incremental.store.RowStore;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.ColumnSelectorFactory;
import org.apache.druid.segment.column.ValueType;

/**
 * Builder of an index's metrics. Numbers are stored in rows, other metrics on the heap. Metrics that are not complex
 * share one set of input selectors.
 */
public final class MetricsBuilder {
  private final AggregatorFactory[] factories;
  /**
   * Factories that combine inputs that have a value with the metric's name. Null if such values are not preserved, or
   * if the metric's own factory combines them, as the factory of a metric read from a segment does.
   */
  private final AggregatorFactory[] combining;

  public MetricsBuilder(AggregatorFactory[] factories, boolean preservesExisting) {
    this.factories = factories;
    this.combining = new AggregatorFactory[factories.length];
    for (int i = 0; preservesExisting && i < factories.length; i++) {
      final AggregatorFactory factory = factories[i].getCombiningFactory();
      this.combining[i] = factory.equals(factories[i]) ? null : factory;
    }
  }

  /** Sizes in bytes of the metrics that are in rows. */
  public int[] directBytes() {
    return Stream.concat(Arrays.stream(factories), Arrays.stream(combining).filter(Objects::nonNull))
        .filter(DirectMetric::isPossible)
        .mapToInt(AggregatorFactory::getMaxIntermediateSizeWithNulls)
        .toArray();
  }

  /**
   * Builds the metrics.
   *
   * @param selectors creates the selectors for a factory; null stands for all factories that are not complex
   */
  public Metric[] build(RowStore rows, Function<AggregatorFactory, ColumnSelectorFactory> selectors) {
    final Build build = new Build(rows, selectors);
    final Metric[] metrics = Arrays.stream(factories).map(build::metric).toArray(Metric[]::new);
    for (int i = 0; i < metrics.length; i++) {
      if (combining[i] != null) {
        metrics[i] = new PreservedMetric(factories[i], metrics[i], build.metric(combining[i]));
      }
    }
    return metrics;
  }

  /** Assignment of places in rows, in the order of {@link #directBytes}. */
  private static final class Build {
    private final RowStore rows;
    private final Function<AggregatorFactory, ColumnSelectorFactory> selectors;
    private final ColumnSelectorFactory simpleSelectors;
    private int direct;

    Build(RowStore rows, Function<AggregatorFactory, ColumnSelectorFactory> selectors) {
      this.rows = rows;
      this.selectors = selectors;
      this.simpleSelectors = new InputSelectors(selectors.apply(null));
    }

    Metric metric(AggregatorFactory factory) {
      final ColumnSelectorFactory inputs = factory.getIntermediateType().is(ValueType.COMPLEX)
          ? new InputSelectors(selectors.apply(factory))
          : simpleSelectors;
      if (!DirectMetric.isPossible(factory)) {
        return new HeapMetric(factory, inputs);
      }
      final Metric metric = new DirectMetric(factory, inputs, rows, direct++);
      return DirectMetric.isTimed(factory) ? new LockedMetric(metric) : metric;
    }
  }
}
