// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.segment.spec.EncodedType;
import java.io.IOException;
import org.openjdk.jmh.annotations.Setup;

/** Filters floats from Druid's data generator. */
public class ColumnarFloatsFilterRowsFromGeneratorBenchmark extends FilterRowsBenchmark {
  /** Sets it up for these rows. */
  @Setup
  public void setUp(GeneratedRows rows, Encoding encoding) throws IOException {
    setUp(() -> rows.of(EncodedType.FLOAT), encoding.name());
  }
}
