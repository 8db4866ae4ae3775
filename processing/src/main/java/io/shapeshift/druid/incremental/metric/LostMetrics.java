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
 * Warning about inputs that have values of the metrics, such as rows of a segment, but lack the columns from which the
 * metrics are computed. Without {@code preserveExistingMetrics} these values are lost: a count counts inputs, and a sum
 * is null. The task does not fail, because an input may have a column with a metric's name for other reasons.
 */
public final class LostMetrics {
  private static final Logger LOG = new Logger(LostMetrics.class);

  /** Whether the warning was logged. All indexes of a task share this object. */
  private final AtomicBoolean warned = new AtomicBoolean();

  /** Looks for lost metrics in the first input of an index that does not preserve existing metrics. */
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

  /** Names of the metrics of which an input has a value, but not all columns from which they are computed. */
  static List<String> of(AggregatorFactory[] metrics, Map<String, Object> event) {
    return Arrays.stream(metrics)
        .filter(metric -> event.containsKey(metric.getName()))
        .filter(metric -> !isMadeOf(metric, event))
        .map(AggregatorFactory::getName)
        .toList();
  }

  /**
   * Whether an input has the columns from which a metric is computed. Ignores the columns of its filter, and the time.
   */
  private static boolean isMadeOf(AggregatorFactory metric, Map<String, Object> event) {
    if (metric instanceof FilteredAggregatorFactory filtered) {
      return isMadeOf(filtered.getAggregator(), event);
    }
    final List<String> fields =
        metric.requiredFields().stream().filter(field -> !field.equals(ColumnHolder.TIME_COLUMN_NAME)).toList();
    return !fields.isEmpty() && fields.stream().allMatch(event::containsKey);
  }
}
