// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import java.util.List;
import java.util.Map;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.query.aggregation.AggregatorFactory;

/**
 * What is to become of the columns of any table.
 *
 * @param inferred         whether columns that no override names get a type by their values, and are strings otherwise
 * @param overrides        types that are said, by the columns' names
 * @param metrics          the metrics
 * @param rollup           whether rows are rolled up
 * @param queryGranularity what times are cut to
 * @param projections      the projections
 */
record SchemaSpec(
    boolean inferred,
    Map<String, FieldType> overrides,
    List<AggregatorFactory> metrics,
    boolean rollup,
    Granularity queryGranularity,
    List<AggregateProjectionSpec> projections
) {
  /** Dimensions alone, each of the type of its values. */
  static final SchemaSpec INFERRED =
      new SchemaSpec(true, Map.of(), List.of(), false, Granularities.NONE, List.of());
}
