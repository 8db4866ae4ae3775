// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.benchmark.data.Distributions;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowValues;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Parameters of the benchmarks whose rows come from Druid's data generator. */
// The scope is Thread for the reason in Encoding.
@State(Scope.Thread)
public class GeneratedRows {
  /** Name of the distribution: one of {@link Distributions}. */
  @Param({"enumerated", "zipf-low-100000", "normal-1000", "sequential", "sparse-95", "uniform-12"})
  private String distribution;

  /** Number of rows. */
  @Param("262144")
  private int rows;

  RowValues of(EncodedType type) {
    return Distributions.of(type, distribution, rows);
  }
}
