// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.segment.spec.EncodedType;
import java.io.IOException;
import org.openjdk.jmh.annotations.Setup;

/** Filters longs from Druid's data generator. */
public class ColumnarLongsFilterRowsFromGeneratorBenchmark extends FilterRowsBenchmark {
  /** Sets it up for these rows. */
  @Setup
  public void setUp(GeneratedRows rows, LongEncoding encoding) throws IOException {
    setUp(() -> rows.of(EncodedType.LONG), encoding.name());
  }
}
