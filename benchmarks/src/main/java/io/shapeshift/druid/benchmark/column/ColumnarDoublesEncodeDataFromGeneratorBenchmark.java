// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.benchmark.data.Distributions;
import io.shapeshift.druid.tool.encoding.RowValues;
import org.openjdk.jmh.annotations.Param;

/** Encodes doubles from Druid's data generator. */
public class ColumnarDoublesEncodeDataFromGeneratorBenchmark extends EncodeDataBenchmark {
  /** What the rows are like: one of {@link Distributions}. */
  @Param({"enumerated", "zipf-low-100000", "normal-1000", "sequential", "sparse-95", "uniform-12"})
  private String distribution;

  /** How many there are. */
  @Param("262144")
  private int rows;

  /** How they are stored: see {@link io.shapeshift.druid.tool.encoding.RowEncoding#parse}. */
  @Param({
      "druid-lz4",
      "druid-zstd",
      "druid-uncompressed",
      "shapeshift-smaller",
      "shapeshift-fastbutsmallish",
      "shapeshift-faster"
  })
  private String encoding;

  @Override
  RowValues values() {
    return Distributions.doubles(distribution, rows);
  }

  @Override
  String encodingName() {
    return encoding;
  }
}
