// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.segment.spec.EncodedType;
import java.io.IOException;
import org.openjdk.jmh.annotations.Setup;

/** Reads dictionary ids of a column of a Druid segment. */
public class ColumnarIntsSelectRowsFromSegmentBenchmark extends SelectRowsBenchmark {
  /** Sets it up for these rows. */
  @Setup
  public void setUp(SegmentRows rows, Encoding encoding) throws IOException {
    setUp(() -> rows.of(EncodedType.INT), encoding.name());
  }
}
