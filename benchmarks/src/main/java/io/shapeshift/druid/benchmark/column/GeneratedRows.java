// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.benchmark.data.Distributions;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowValues;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Parameters of the benchmarks that take rows from Druid's data generator. */
// As Encoding says.
@State(Scope.Thread)
public class GeneratedRows {
  /** What the rows are like: one of {@link Distributions}. */
  @Param({"enumerated", "zipf-low-100000", "normal-1000", "sequential", "sparse-95", "uniform-12"})
  private String distribution;

  /** How many there are. */
  @Param("262144")
  private int rows;

  RowValues of(EncodedType type) {
    return Distributions.of(type, distribution, rows);
  }
}
