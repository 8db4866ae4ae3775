// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.MapBasedRow;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.FilteredAggregatorFactory;
import org.apache.druid.segment.column.ColumnHolder;

/**
 * Warning of a task whose inputs have values of its metrics, as rows of a segment do, but not all columns that these
 * are made of. Without {@code preserveExistingMetrics} such values are lost: a count is that of the inputs, and a sum
 * is null. Nothing is wrong if the input happens to have a column of a metric's name, so that the task is not refused.
 */
public final class LostMetrics {
  private static final Logger LOG = new Logger(LostMetrics.class);

  /** Whether the task was warned. Its indexes share this object. */
  private final AtomicBoolean warned = new AtomicBoolean();

  /** Looks at the first input of an index that does not preserve existing metrics. */
  public void lookFor(AggregatorFactory[] metrics, InputRow input) {
    if (warned.get() || !(input instanceof MapBasedRow row)) {
      return;
    }
    final List<String> lost = of(metrics, row.getEvent());
    if (!lost.isEmpty() && warned.compareAndSet(false, true)) {
      LOG.warn(
          "Metrics%s: the input has columns of these names, but not those that they are made of. Their values are lost,"
              + " unless the appendableIndexSpec has \"preserveExistingMetrics\": true. Set it to compact or reindex a"
              + " datasource with a metricsSpec",
          lost
      );
    }
  }

  /** Names of the metrics that an input has, without a column that they are made of. */
  static List<String> of(AggregatorFactory[] metrics, Map<String, Object> event) {
    return Arrays.stream(metrics)
        .filter(metric -> event.containsKey(metric.getName()))
        .filter(metric -> !isMadeOf(metric, event))
        .map(AggregatorFactory::getName)
        .toList();
  }

  /** Whether there are columns that a metric is made of. A filter of it, and the time, are in each input. */
  private static boolean isMadeOf(AggregatorFactory metric, Map<String, Object> event) {
    if (metric instanceof FilteredAggregatorFactory filtered) {
      return isMadeOf(filtered.getAggregator(), event);
    }
    final List<String> fields =
        metric.requiredFields().stream().filter(field -> !field.equals(ColumnHolder.TIME_COLUMN_NAME)).toList();
    return !fields.isEmpty() && fields.stream().allMatch(event::containsKey);
  }
}
