// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import java.util.List;
import java.util.Map;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.query.aggregation.AggregatorFactory;

/**
 * Specification of a schema, independent of a table.
 *
 * @param declared         types by column name in a SQL schema, in the order of the columns; empty without one
 * @param inferred         whether columns without a declared type or an override get a type inferred from their values;
 *     otherwise they are strings
 * @param overrides        explicit types by column name
 * @param metrics          metrics
 * @param rollup           whether rows are rolled up
 * @param queryGranularity granularity to which times are truncated
 * @param projections      projections
 */
record SchemaSpec(
    Map<String, FieldType> declared,
    boolean inferred,
    Map<String, FieldType> overrides,
    List<AggregatorFactory> metrics,
    boolean rollup,
    Granularity queryGranularity,
    List<AggregateProjectionSpec> projections
) {
  /** Dimensions only, each with an inferred type. */
  static final SchemaSpec INFERRED =
      new SchemaSpec(Map.of(), true, Map.of(), List.of(), false, Granularities.NONE, List.of());
}
