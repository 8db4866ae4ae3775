// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.MapBasedRow;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.utils.CloseableUtils;

/**
 * Metric under {@code preserveExistingMetrics}. An input that has a value with the metric's name is combined; any other
 * input is aggregated. Reading combines both results.
 */
final class PreservedMetric implements Metric {
  private final AggregatorFactory factory;
  private final Metric aggregated;
  private final Metric combined;

  PreservedMetric(AggregatorFactory factory, Metric aggregated, Metric combined) {
    this.factory = factory;
    this.aggregated = aggregated;
    this.combined = combined;
  }

  @Override
  public long init(int row, ByteBuffer chunk, int start) {
    return aggregated.init(row, chunk, start) + combined.init(row, chunk, start);
  }

  @Override
  public long aggregate(int row, ByteBuffer chunk, int start, InputRow input) {
    final boolean exists = input instanceof MapBasedRow mapped && mapped.getEvent().containsKey(factory.getName());
    return (exists ? combined : aggregated).aggregate(row, chunk, start, input);
  }

  @Override
  public boolean isNull(int row, ByteBuffer chunk, int start) {
    return aggregated.isNull(row, chunk, start) && combined.isNull(row, chunk, start);
  }

  @Override
  public long getLong(int row, ByteBuffer chunk, int start) {
    return ((Number) combine(row, chunk, start, Metric::getLong)).longValue();
  }

  @Override
  public float getFloat(int row, ByteBuffer chunk, int start) {
    return ((Number) combine(row, chunk, start, Metric::getFloat)).floatValue();
  }

  @Override
  public double getDouble(int row, ByteBuffer chunk, int start) {
    return ((Number) combine(row, chunk, start, Metric::getDouble)).doubleValue();
  }

  @Override
  @Nullable
  public Object get(int row, ByteBuffer chunk, int start) {
    return combine(row, chunk, start, Metric::get);
  }

  @Nullable
  private Object combine(int row, ByteBuffer chunk, int start, Getter getter) {
    if (aggregated.isNull(row, chunk, start)) {
      return getter.get(combined, row, chunk, start);
    }
    if (combined.isNull(row, chunk, start)) {
      return getter.get(aggregated, row, chunk, start);
    }
    return factory.combine(getter.get(aggregated, row, chunk, start), getter.get(combined, row, chunk, start));
  }

  @Override
  public void close() {
    final Closer closer = Closer.create();
    closer.register(aggregated::close);
    closer.register(combined::close);
    CloseableUtils.closeAndWrapExceptions(closer);
  }

  /** Getter of one of the two metrics. */
  private interface Getter {
    @Nullable
    Object get(Metric metric, int row, ByteBuffer chunk, int start);
  }
}
