// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.segment.spec.EncodedType;
import java.io.IOException;
import org.openjdk.jmh.annotations.Setup;

/** Reads floats of a column of a Druid segment. */
public class ColumnarFloatsSelectRowsFromSegmentBenchmark extends SelectRowsBenchmark {
  /** Sets it up for these rows. */
  @Setup
  public void setUp(SegmentRows rows, Encoding encoding) throws IOException {
    setUp(() -> rows.of(EncodedType.FLOAT), encoding.name());
  }
}
