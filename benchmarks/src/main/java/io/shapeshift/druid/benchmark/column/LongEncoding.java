// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Same parameter as {@link Encoding}, with Druid's encodings for longs only. */
// The scope is Thread for the reason in Encoding.
@State(Scope.Thread)
public class LongEncoding {
  /** Name of the encoding: see {@link io.shapeshift.druid.tool.encoding.RowEncoding#parse}. */
  @Param({
      "druid-lz4",
      "druid-zstd",
      "druid-uncompressed",
      "druid-auto-lz4",
      "shapeshift-smaller",
      "shapeshift-fastbutsmallish",
      "shapeshift-faster"
  })
  private String encoding;

  String name() {
    return encoding;
  }
}
