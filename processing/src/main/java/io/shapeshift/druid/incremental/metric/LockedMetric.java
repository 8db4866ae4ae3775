// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;

/** Metric of several words in the row, which are read before or after an aggregation, not during one. */
final class LockedMetric implements Metric {
  private final Metric metric;

  LockedMetric(Metric metric) {
    this.metric = metric;
  }

  @Override
  public synchronized long init(int row, ByteBuffer chunk, int start) {
    return metric.init(row, chunk, start);
  }

  @Override
  public synchronized long aggregate(int row, ByteBuffer chunk, int start, InputRow input) {
    return metric.aggregate(row, chunk, start, input);
  }

  @Override
  public synchronized boolean isNull(int row, ByteBuffer chunk, int start) {
    return metric.isNull(row, chunk, start);
  }

  @Override
  public synchronized long getLong(int row, ByteBuffer chunk, int start) {
    return metric.getLong(row, chunk, start);
  }

  @Override
  public synchronized float getFloat(int row, ByteBuffer chunk, int start) {
    return metric.getFloat(row, chunk, start);
  }

  @Override
  public synchronized double getDouble(int row, ByteBuffer chunk, int start) {
    return metric.getDouble(row, chunk, start);
  }

  @Override
  @Nullable
  public synchronized Object get(int row, ByteBuffer chunk, int start) {
    return metric.get(row, chunk, start);
  }

  @Override
  public void close() {
    metric.close();
  }
}
