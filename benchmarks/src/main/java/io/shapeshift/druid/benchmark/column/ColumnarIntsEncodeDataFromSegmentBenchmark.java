// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import com.google.common.collect.ObjectArrays;
import io.shapeshift.druid.benchmark.Benchmarks;
import io.shapeshift.druid.segment.spec.EncodedType;
import java.io.IOException;
import org.openjdk.jmh.annotations.Setup;

/** Encodes dictionary ids of a column of a Druid segment. */
public class ColumnarIntsEncodeDataFromSegmentBenchmark extends EncodeDataBenchmark {
  /** Sets it up for these rows. */
  @Setup
  public void setUp(SegmentRows rows, Encoding encoding) throws IOException {
    setUp(() -> rows.of(EncodedType.INT), encoding.name());
  }

  /** Runs this benchmark alone; the arguments are options of JMH. */
  public static void main(String[] arguments) {
    Benchmarks.main(ObjectArrays.concat(ColumnarIntsEncodeDataFromSegmentBenchmark.class.getSimpleName(), arguments));
  }
}
