// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Parameter of all benchmarks of columns: the encoding of the rows. */
// A state of scope Benchmark would be wrong: JMH keeps it in a static field even after a benchmark has failed, and
// without a fork the next benchmark would get the old parameters.
@State(Scope.Thread)
public class Encoding {
  /** Name of the encoding: see {@link io.shapeshift.druid.tool.encoding.RowEncoding#parse}. */
  @Param({
      "druid-lz4",
      "druid-zstd",
      "druid-uncompressed",
      "shapeshift-smaller",
      "shapeshift-fastbutsmallish",
      "shapeshift-faster"
  })
  private String encoding;

  String name() {
    return encoding;
  }
}
