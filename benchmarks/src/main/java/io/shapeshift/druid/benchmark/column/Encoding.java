// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The parameter of all benchmarks that says how the rows are stored. */
// JMH keeps states of the scope Benchmark in static fields, also after a benchmark that failed: without a fork the next
// one would get the parameters of that one.
@State(Scope.Thread)
public class Encoding {
  /** Its name: see {@link io.shapeshift.druid.tool.encoding.RowEncoding#parse}. */
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
