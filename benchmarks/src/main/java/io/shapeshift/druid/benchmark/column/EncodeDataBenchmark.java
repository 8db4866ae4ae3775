// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.speed.Pollution;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.util.function.Supplier;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Encodes the rows of a column, in memory. */
public abstract class EncodeDataBenchmark extends ColumnBenchmark {
  private RowValues values;
  private RowEncoding encoding;

  /** Makes or reads the rows, and encodes them once to learn their size. */
  final void setUp(Supplier<RowValues> rows, String encodingName) throws IOException {
    startPollution(Pollution::write);
    values = rows.get();
    encoding = encoding(encodingName, values);
    try (EncodedRows encoded = encoding.encode(encodingName, values)) {
      report(encoded, values.rows(), values.rows());
    }
  }

  /** Keeps a polluted JVM polluted. */
  @Setup(Level.Iteration)
  public void pollute() {
    goOnPolluting(Pollution::write);
  }

  /** Encodes all rows. */
  @Benchmark
  public long encodeColumn() throws IOException {
    try (OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final Serializer serializer = encoding.write(encoding.name(), values, medium);
      serializer.writeTo(Channels.newChannel(OutputStream.nullOutputStream()), null);
      return serializer.getSerializedSize();
    }
  }

  /** Frees the memory of the pollution. */
  @TearDown
  public void tearDown() {
    endPollution();
  }
}
