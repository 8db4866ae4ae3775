// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.segment.spec.EncodedType;
import java.io.IOException;
import org.openjdk.jmh.annotations.Setup;

/** Reads longs of a column of a Druid segment. */
public class ColumnarLongsSelectRowsFromSegmentBenchmark extends SelectRowsBenchmark {
  /** Sets it up for these rows. */
  @Setup
  public void setUp(SegmentRows rows, LongEncoding encoding) throws IOException {
    setUp(() -> rows.of(EncodedType.LONG), encoding.name());
  }
}
