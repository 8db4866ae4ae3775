// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Builds the index of a column from the dictionary ids of its rows, in memory. */
public class IndexBuildBenchmark extends IndexBenchmark {
  /** Name of an {@link IndexEncoding}. */
  @Param({"druid-roaring", "shapeshift-smaller", "shapeshift-fastbutsmallish", "shapeshift-faster"})
  private String encoding;

  private IndexEncoding indexEncoding;
  private RowValues.Ids values;

  /** Draws the rows, and builds their index once to learn its size. */
  @Setup
  public void setUp() throws IOException {
    indexEncoding = IndexEncoding.parse(encoding);
    values = rows(1);
    startPollution(IndexPollution::ofBuilding);
    report(IndexedColumn.of(indexEncoding, values), values.rows());
  }

  @Override
  void pollute(IndexPollution pollution, long nanos) {
    pollution.build(nanos);
  }

  /** Builds the index. */
  @Benchmark
  public long build() throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final Serializer serializer = indexEncoding.write(values, medium);
      serializer.writeTo(Channels.newChannel(OutputStream.nullOutputStream()), null);
      return serializer.getSerializedSize();
    }
  }
}
