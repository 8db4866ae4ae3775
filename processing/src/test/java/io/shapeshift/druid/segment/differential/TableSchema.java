// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;

/**
 * What a table has, as an ingestion spec says it.
 *
 * @param preservesMetrics whether rows have metrics that are aggregated already
 */
public record TableSchema(
    DimensionsSpec dimensions,
    List<AggregatorFactory> metrics,
    List<AggregateProjectionSpec> projections,
    Granularity granularity,
    boolean rollup,
    boolean preservesMetrics
) {
  /** Where a row has its time, in milliseconds. */
  public static final String TIME = "time";
  /** What metrics are made of. */
  public static final String METRIC_INPUT = "input";
  /** Input of metrics without values that are no numbers. */
  static final String NUMERIC_INPUT = "numericInput";
  static final long START = 1_700_000_000_000L;

  private static final Set<String> NO_DIMENSIONS = Set.of(TIME, METRIC_INPUT, NUMERIC_INPUT);

  /** As an index in memory wants it. */
  public IncrementalIndexSchema incremental() {
    return new IncrementalIndexSchema.Builder()
        .withMinTimestamp(Granularities.DAY.bucketStart(START))
        .withQueryGranularity(granularity)
        .withDimensionsSpec(dimensions)
        .withRollup(rollup)
        .withMetrics(metrics.toArray(AggregatorFactory[]::new))
        .withProjections(projections)
        .build();
  }

  /** A row as it is added. Dimensions that nobody declared are those that it has. */
  public InputRow inputRow(Map<String, Object> row) {
    final List<String> declared = dimensions.getDimensionNames();
    final List<String> names = new ArrayList<>(declared.isEmpty() ? row.keySet() : declared);
    names.removeAll(NO_DIMENSIONS);
    if (declared.isEmpty()) {
      metrics.forEach(metric -> names.remove(metric.getName()));
    }
    final long time = ((Number) row.getOrDefault(TIME, START)).longValue();
    return new MapBasedInputRow(new DateTime(time, DateTimeZone.UTC), names, row);
  }
}
